import { countLineEnds } from './decode.ts';

/** Front matter larger than this is refused: `yaml` is quadratic on hostile input, and the largest of 13,028 public files has 1.9 KB. */
export const MAX_FRONT_MATTER_BYTES = 16 * 1024;

/** What stands at the head of a markdown file. */
export type Fence =
  | { readonly kind: 'none' }
  /** A language after the opening fence, such as `js`: refused before anything reads the text below it. */
  | { readonly kind: 'foreign'; readonly language: string }
  | FencedText;

/** A text that begins with front matter. */
export interface FencedText {
  readonly kind: 'found';
  /** The lines between the fences, beginning on line 2 of the file. */
  readonly frontMatter: string;
  readonly body: string;
  /** 1-based line of the file on which `body` begins. */
  readonly bodyLine: number;
  /** False where no closing fence was found and the front matter ends with the file. */
  readonly isClosed: boolean;
}

const OPENING = /^---[ \t]*(\S*)[ \t]*(?:\n|$)/;
// Not the `m` flag: it would also take U+2028 for a line end.
const CLOSING = /(^|\n)---[ \t]*(?=\n|$)/;

/**
 * Splits a text, line ends normalised, into front matter and body.
 * The scan is our own because gray-matter closes at any line that only *starts* with `---` and runs `---js`.
 */
export function splitFrontMatter(text: string): Fence {
  const opening = OPENING.exec(text);
  if (opening === null) return { kind: 'none' };
  const language = opening[1] ?? '';
  // `-----` is a thematic break of markdown, no fence with a language.
  if (language.startsWith('-')) return { kind: 'none' };
  if (language !== '') return { kind: 'foreign', language };

  const rest = text.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  if (closing === null) {
    return { kind: 'found', frontMatter: rest, body: '', bodyLine: countLineEnds(text) + 1, isClosed: false };
  }
  const frontMatter = rest.slice(0, closing.index + (closing[1] ?? '').length);
  const afterFence = closing.index + closing[0].length;
  return {
    kind: 'found',
    frontMatter,
    body: rest.slice(afterFence + 1),
    bodyLine: countLineEnds(frontMatter) + 3,
    isClosed: true,
  };
}
