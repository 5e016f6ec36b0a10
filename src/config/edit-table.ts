import { isDeepStrictEqual } from 'node:util';
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { PlaybookError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import type { PropertyChange, PropertyPath } from './edit-property.ts';

/**
 * The text of a TOML file in which one table is set or taken out; comments and everything else stay as they are. A new table goes
 * to the end of the file. Tables are found in whatever form they are written: headers, dotted keys, inline.
 *
 * @param source the file's text; '' for one that does not exist yet
 * @throws PlaybookError `config/not-toml`; `config/uneditable` where the table cannot be changed by itself.
 */
export function editTable(source: string, path: string, { keys, value }: PropertyChange): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = source.slice(mark.length);
  const own = partsOf(parse(text, path), keys);
  if (value === undefined && own.length === 0) return source;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const rest = own.toReversed().reduce((left, part) => withoutPart(left, part), text);
  const edited =
    value === undefined ? rest : placed(rest, headed(keys, value, lineEnd), { at: headerAt(text, own), lineEnd });
  refuseOtherChanges(text, edited, { path, keys, isThere: value !== undefined });
  return mark + edited;
}

/**
 * The value at the end of some keys of a TOML text (the whole for none), or undefined.
 * @throws PlaybookError `config/not-toml`.
 */
export function readTable(source: string, path: string, keys: readonly string[]): unknown {
  return valueAt(getStaticTOMLValue(parse(source.replace(/^\uFEFF/, ''), path)), keys);
}

function valueAt(whole: unknown, keys: readonly string[]): unknown {
  return keys.reduce((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), whole);
}

function parse(text: string, path: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new PlaybookError(
      'config/not-toml',
      `${path}:${error.lineNumber}:${error.column + 1}: not TOML: ${error.message}.`,
      { hint: 'Mend the file there.', cause: error },
    );
  }
}

type Range = readonly [number, number];

/** Where a table's headers and keys stand, in order, each with all that belongs to it. */
function partsOf(program: AST.TOMLProgram, keys: PropertyPath): readonly Range[] {
  return program.body[0].body.flatMap((node): readonly Range[] => {
    if (node.type === 'TOMLKeyValue') return startsWith(namesOf(node.key), keys) ? [node.range] : [];
    const above = node.resolvedKey.map(String);
    if (startsWith(above, keys)) return [node.range];
    return node.body.filter(({ key }) => startsWith([...above, ...namesOf(key)], keys)).map(({ range }) => range);
  });
}

function namesOf({ keys }: AST.TOMLKey): readonly string[] {
  return keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
}

function startsWith(path: readonly string[], keys: PropertyPath): boolean {
  return keys.every((key, depth) => path[depth] === key);
}

/** Offset of a table's first part, where that is a header: below other keys a header would take in the keys that follow. */
function headerAt(text: string, [first]: readonly Range[]): number | undefined {
  return first !== undefined && text[first[0]] === '[' ? first[0] : undefined;
}

/** Whole lines, a comment behind the last one included, and the blank line before them where nothing follows. */
function withoutPart(text: string, [start, end]: Range): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEndsAt = text.indexOf('\n', end);
  const before = text.slice(0, from);
  const after = lineEndsAt === -1 ? '' : text.slice(lineEndsAt + 1);
  return (after === '' ? before.replace(/(\n)\r?\n$/, '$1') : before) + after;
}

interface Placing {
  /** Offset of the first part that the table replaces; undefined for a new one. */
  readonly at: number | undefined;
  readonly lineEnd: string;
}

function placed(text: string, table: string, { at, lineEnd }: Placing): string {
  const start = at === undefined ? text.length : text.slice(0, at).lastIndexOf('\n') + 1;
  const before = text.slice(0, start);
  const after = text.slice(start);
  if (before.trim() === '') return before + table + (/^(?:\s*$|\r?\n)/.test(after) ? after : lineEnd + after);
  const gap = before.endsWith('\n') ? (/\n\r?\n$/.test(before) ? '' : lineEnd) : lineEnd + lineEnd;
  return before + gap + table + after;
}

/** A table below its own header, as people write it. */
function headed(keys: PropertyPath, value: unknown, lineEnd: string): string {
  const pairs = isJsonObject(value) ? Object.entries(value) : [];
  const lines = pairs.map(([key, each]) => `${keyOf(key)} = ${toToml(each)}`);
  return [`[${keys.map(keyOf).join('.')}]`, ...lines, ''].join(lineEnd);
}

function keyOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Every string of JSON is one of TOML; a value without a form in TOML is a bug of the caller. */
function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${keyOf(key)} = ${toToml(each)}`)
    .join(', ')} }`;
}

interface Expected {
  readonly path: string;
  readonly keys: PropertyPath;
  readonly isThere: boolean;
}

/** What is edited as text is read again: but for the table nothing may be other than it was. */
function refuseOtherChanges(before: string, after: string, { path, keys, isThere }: Expected): void {
  const value = valueIn(after);
  const isSame =
    value !== undefined &&
    (valueAt(value, keys) !== undefined) === isThere &&
    isDeepStrictEqual(without(valueIn(before) ?? {}, keys), without(value, keys));
  if (isSame) return;
  throw new PlaybookError('config/uneditable', `${path} cannot be changed there without changing more.`, {
    hint: `Edit \`${keys.join('.')}\` in it by hand.`,
  });
}

function valueIn(text: string): JsonObject | undefined {
  try {
    return getStaticTOMLValue(parseTOML(text));
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** The object without one path, and without the objects that are empty then. */
function without(value: JsonObject, [key, ...deeper]: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (name !== key) return [[name, each] as const];
      if (deeper.length === 0 || !isJsonObject(each)) return [];
      const rest = without(each, deeper);
      return Object.keys(rest).length === 0 ? [] : [[name, rest] as const];
    }),
  );
}
