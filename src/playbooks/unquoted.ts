/** A scalar that needs quotes to be YAML, and has none. */
interface UnquotedScalar {
  /** Where it begins in the original text. */
  readonly offset: number;
  /** `hint`: Claude Code documents `argument-hint: [issue] [priority]`, which is a list and then an error to YAML. */
  readonly kind: 'colon' | 'hint';
}

interface Repair {
  /** The same text, with each scalar at fault in single quotes; line numbers do not change. */
  readonly text: string;
  /** In order; [] where there is nothing to repair. */
  readonly scalars: readonly UnquotedScalar[];
}

const KEY_LINE = /^( *(?:- +)*)([\w.-]+:[ \t]+)(\S.*)$/;
/** What a plain scalar cannot start with: quotes, collections, block scalars, anchors, tags, comments. */
const NOT_PLAIN = /^(?:["'[\]{}|>&*!%@`#,]|[-?][ \t])/;

/**
 * Quotes the scalars in which YAML found what cannot be there, and nothing else: `description: Use when: it rains` is a
 * map in a map to YAML.
 * @param errorOffsets where YAML found it, in order
 */
export function quoteScalars(text: string, errorOffsets: readonly number[]): Repair {
  const scalars: UnquotedScalar[] = [];
  let repaired = '';
  let done = 0;
  for (const errorOffset of errorOffsets) {
    const scalar = errorOffset < done ? undefined : scalarAt(text, errorOffset);
    if (scalar === undefined) continue;
    const value = text.slice(scalar.offset, scalar.end);
    repaired += `${text.slice(done, scalar.offset)}'${value.replaceAll("'", "''")}'`;
    scalars.push({ offset: scalar.offset, kind: scalar.kind });
    done = scalar.end;
  }
  return { text: repaired + text.slice(done), scalars };
}

/** The scalar that begins on the line of an offset, continuation lines included. */
function scalarAt(text: string, offset: number): (UnquotedScalar & { readonly end: number }) | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = endOfLine(text, lineStart);
  const match = KEY_LINE.exec(text.slice(lineStart, lineEnd));
  if (match === null) return undefined;
  const [, indent = '', key = '', value = ''] = match;
  const kind = key.startsWith('argument-hint:') ? 'hint' : 'colon';
  const start = lineStart + indent.length + key.length;
  if (offset < start || (kind === 'colon' && NOT_PLAIN.test(value))) return undefined;

  let end = start + value.trimEnd().length;
  for (let at = lineEnd + 1; at < text.length; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, endOfLine(text, at));
    if (line.trim() === '') continue;
    if (line.length - line.trimStart().length <= indent.length) break;
    end = at + line.trimEnd().length;
  }
  return { offset: start, kind, end };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
