import { markdown } from './markdown.ts';
import type { Token } from './markdown.ts';

/**
 * The body with every code block and code span blanked out: same length, same line ends, so that a place in it is a place in the
 * body. Comments and HTML stay.
 */
export function proseOf(body: string): string {
  if (!/[`~\t]| {4}/.test(body)) return body;
  return withoutSpans(withoutBlocks(body));
}

function withoutBlocks(body: string): string {
  const blocks = codeBlocksOf(body);
  if (blocks.length === 0) return body;
  const lines = body.split('\n');
  for (const { start, end } of blocks) {
    for (let line = start; line < end; line += 1) lines[line] = ' '.repeat(lines[line]?.length ?? 0);
  }
  return lines.join('\n');
}

/** Lines of a body, 0-based, `end` left out. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The code blocks of a body, fenced or indented, in order, with their fences. */
export function codeBlocksOf(body: string): readonly LineRange[] {
  const tokens: Token[] = [];
  // Blocks alone: the inline text, which takes most of the time, is not looked at.
  markdown.block.parse(body, markdown, {}, tokens);
  return tokens.flatMap(({ type, map }) => {
    if (map === null || (type !== 'fence' && type !== 'code_block')) return [];
    const [start, end] = map;
    return [{ start, end }];
  });
}

/** A code span ends at the next run of as many backticks, in the same paragraph. */
function withoutSpans(text: string): string {
  let prose = '';
  let done = 0;
  let skipUntil = 0;
  for (const { start, end, closing } of pairedRuns(text)) {
    if (start < skipUntil || closing === undefined) continue;
    prose += text.slice(done, start) + blank(text.slice(start, closing));
    done = closing;
    skipUntil = Math.max(closing, end);
  }
  return prose + text.slice(done);
}

interface BacktickRun {
  readonly start: number;
  readonly end: number;
  /** End of the run that would close a span which this one opens. */
  readonly closing?: number;
}

/** Found from the end, so that hostile text costs no more than its length. */
function pairedRuns(text: string): readonly BacktickRun[] {
  const next = new Map<number, number>();
  const runs: BacktickRun[] = [];
  for (const match of [...text.matchAll(/`+|\n[ \t]*\n/g)].reverse()) {
    const [written] = match;
    if (!written.startsWith('`')) {
      next.clear();
      continue;
    }
    const end = match.index + written.length;
    const isEscaped = text[match.index - 1] === '\\' && text[match.index - 2] !== '\\';
    const start = match.index + (isEscaped ? 1 : 0);
    const closing = next.get(end - start);
    runs.push({ start, end, ...(closing !== undefined && { closing }) });
    next.set(written.length, end);
  }
  return runs.reverse();
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
