/** A stretch of a text, and what stands there instead. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Edits a file's text; every byte outside of the splices stays as it is, line ends and byte order mark included.
 *
 * @param raw the whole file as it was written
 * @param find gives the splices, none of which may overlap, for the text as the parser sees it: without the mark, line ends as
 *   `\n`. Two at one place go in in their order. Line ends in what they put in become those of the file's first line.
 */
export function editText(raw: string, find: (text: string) => readonly Splice[]): string {
  const mark = raw.startsWith('\uFEFF') ? 1 : 0;
  const splices = find(raw.slice(mark).replace(/\r\n?/g, '\n'));
  if (splices.length === 0) return raw;
  const lineEnd = /\r\n|\r|\n/.exec(raw)?.[0] ?? '\n';
  // Offsets of the text with normalised line ends, each with the offset of the same character in the file.
  const offsets: number[] = [];
  for (let at = mark; at < raw.length; at += raw.startsWith('\r\n', at) ? 2 : 1) offsets.push(at);
  return splices
    .toSorted((a, b) => a.start - b.start)
    .reduceRight((edited, { start, end, text }) => {
      const before = edited.slice(0, offsets[start] ?? raw.length);
      return before + text.replaceAll('\n', lineEnd) + edited.slice(offsets[end] ?? raw.length);
    }, raw);
}
