/** The lines of a text, or its rows where it is a table. */
export interface Rows {
  readonly unit: 'line' | 'row';
  /** Where each begins, ascending; the first is 0. */
  readonly starts: readonly number[];
  /** The table's first row, without its line end. */
  readonly header?: string;
}

const DELIMITERS = [',', '\t', ';'];
const SAMPLE_ROWS = 20;
const FEWEST_ROWS = 3;

/** Finds where a text can be cut: behind lines, or behind the rows of CSV (whose quoted fields may hold line ends) and markdown tables. */
export function findRows(text: string): Rows {
  const lines = lineStarts(text);
  const [first = '', second = ''] = [0, 1].map((index) => unitAt(text, lines, index).trimEnd());
  if (first.includes('|') && /^[\s|:-]*-[\s|:-]*$/.test(second) && second.includes('|')) {
    return { unit: 'row', starts: lines, header: first };
  }
  const records = recordStarts(text, lines);
  if (records !== undefined && isDelimited(text, records)) {
    return { unit: 'row', starts: records, header: unitAt(text, records, 0).trimEnd() };
  }
  return { unit: 'line', starts: lines };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1 && end + 1 < text.length; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

/** Lines that begin outside of quotes; undefined where the quotes do not pair up. */
function recordStarts(text: string, lines: readonly number[]): readonly number[] | undefined {
  const starts: number[] = [];
  let isQuoted = false;
  for (const [index, start] of lines.entries()) {
    if (!isQuoted) starts.push(start);
    const quotes = unitAt(text, lines, index).split('"').length - 1;
    if (quotes % 2 === 1) isQuoted = !isQuoted;
  }
  return isQuoted ? undefined : starts;
}

/**
 * Whether the first rows all have the same number of fields, at least two, below a row of names: JSON lines and markup are no
 * tables, and a log whose lines happen to have as many commas has no header.
 */
function isDelimited(text: string, starts: readonly number[]): boolean {
  const header = unitAt(text, starts, 0);
  if (starts.length < FEWEST_ROWS || header === unitAt(text, starts, 1) || !/^\s*["\p{L}_#]/u.test(header))
    return false;
  if (/[,;\t]\s*"?\d/.test(header)) return false;
  const sample = starts.slice(0, SAMPLE_ROWS).map((_, index) => unitAt(text, starts, index).replace(/"[^"]*"/g, ''));
  return DELIMITERS.some((delimiter) => {
    const counts = new Set(sample.map((row) => row.split(delimiter).length));
    return counts.size === 1 && !counts.has(1);
  });
}

function unitAt(text: string, starts: readonly number[], index: number): string {
  const start = starts[index];
  return start === undefined ? '' : text.slice(start, starts[index + 1]);
}
