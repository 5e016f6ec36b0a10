import type { JsonObject } from '../model.ts';
import type { FieldPath } from './tree-paths.ts';

/** A front matter whose every value is a text on the line of its key. */
export interface PlainYaml {
  readonly data: JsonObject;
  /** Offset of the value that a path leads into; undefined where there is no such field. */
  readonly offsetOf: (path: FieldPath) => number | undefined;
}

/** No control character, no line end of any kind; a tab may be a blank or not. */
const CHARACTER = String.raw`[^\p{Cc}\u2028\u2029\uFEFF]`;
/** What is no text though it begins with a letter. */
const CONSTANT = String.raw`(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)`;
const KEY = String.raw`(?!${CONSTANT}:)(?<key>[A-Za-z][\w-]{0,60}):(?<blanks> +)`;
const QUOTED = String.raw`"(?<double>(?:(?!["\\])${CHARACTER})*)"|'(?<single>(?:(?!')${CHARACTER})*)'`;
/** Begins with a letter, so that it is no number, list, map or comment; a colon with a blank would make it a map, a blank with `#` a comment. */
const UNQUOTED = String.raw`(?!${CONSTANT}$)(?<unquoted>[A-Za-z](?:(?!:(?: |$)| #)${CHARACTER})*)(?<! )`;
const LINE = new RegExp(`^${KEY}(?:${QUOTED}|${UNQUOTED})$`, 'u');
/** More fields than this are nobody's front matter. */
const MOST_LINES = 100;

/**
 * Reads a front matter of plain lines, as half of the public ones are, some thirty times as fast as a parser of YAML does; undefined for any
 * other, which may be YAML all the same.
 */
export function readPlainYaml(frontMatter: string): PlainYaml | undefined {
  const lines = frontMatter.replace(/\n$/, '').split('\n', MOST_LINES + 1);
  if (lines.length > MOST_LINES) return undefined;
  const fields = new Map<string, { readonly value: string; readonly offset: number }>();
  let lineStart = 0;
  for (const line of lines) {
    const { key, blanks = '', double, single, unquoted } = LINE.exec(line)?.groups ?? {};
    const value = double ?? single ?? unquoted;
    if (key === undefined || value === undefined || fields.has(key)) return undefined;
    fields.set(key, { value, offset: lineStart + key.length + 1 + blanks.length });
    lineStart += line.length + 1;
  }
  return {
    data: Object.fromEntries(Array.from(fields, ([key, { value }]) => [key, value])),
    offsetOf: ([key]) => (key === undefined ? undefined : fields.get(String(key))?.offset),
  };
}
