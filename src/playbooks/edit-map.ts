import { isMap, isNode, isScalar, stringify } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';
import { yamlLines } from './compose.ts';
import type { Splice } from './splices.ts';
import { keyText } from './yaml-tree.ts';

/** A map, and the text that it was read from; every offset is of that text. */
export interface MapText {
  readonly map: YAMLMap;
  readonly source: string;
}

/** Texts, or a map of texts. */
export type NewValue = string | Readonly<Record<string, string>>;

/**
 * Splices that give keys other values: in their place where they are there, quotes and comments kept, else behind the last one. A
 * map that is there is edited itself; any other value of a key that is to be a map is replaced by one.
 */
export function setKeys(text: MapText, values: Readonly<Record<string, NewValue>>): readonly Splice[] {
  const splices: Splice[] = [];
  const added: Record<string, NewValue> = {};
  for (const [key, value] of Object.entries(values)) {
    const pair = pairOf(text.map, key);
    if (pair === undefined) added[key] = value;
    else if (typeof value !== 'string' && isMap(pair.value)) {
      splices.push(...setKeys({ ...text, map: pair.value }, value));
    } else splices.push(replaceValue(text, pair, value));
  }
  return Object.keys(added).length === 0 ? splices : [...splices, append(text, added)];
}

/** Splices that take keys out, with their lines, or with their commas in `{a: b, c: d}`; some other key must be left. */
export function removeKeys(text: MapText, keys: readonly string[]): readonly Splice[] {
  const { map } = text;
  const isGoing = (pair: Pair): boolean => keys.includes(keyText(pair.key) ?? '');
  if (map.flow !== true) return runsOfLines(text, map.items.filter(isGoing));
  const left = map.items.filter((pair) => !isGoing(pair));
  const [first] = left;
  // What stands before the first key that is left goes with the blanks behind it, the others with the comma before them.
  return map.items.filter(isGoing).map((pair) => {
    const index = map.items.indexOf(pair);
    const before = map.items[index - 1];
    const after = map.items[index + 1];
    if (first === undefined || after === undefined || index > map.items.indexOf(first)) {
      const start = before === undefined ? startOf(pair) : endOf(text, before);
      return { start, end: endOf(text, pair), text: '' };
    }
    return { start: startOf(pair), end: startOf(after), text: '' };
  });
}

/** The pair of a key; undefined where there is none. */
export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyText(pair.key) === key);
}

/** Whether a comment stands behind the value of a key, on its last line. */
export function hasComment(text: MapText, pair: Pair): boolean {
  return /^[ \t]+#/.test(text.source.slice(endOf(text, pair), lineEndAt(text.source, endOf(text, pair))));
}

/** The splice that puts another text in the place of a scalar, quoted as it was. */
export function replaceScalar(source: string, node: unknown, value: string): Splice | undefined {
  const range = rangeOf(node);
  if (range === undefined) return undefined;
  return { start: range.start, end: trimmedEnd(source, range.end), text: inline(value, node) };
}

function replaceValue(text: MapText, pair: Pair, value: NewValue): Splice {
  const range = rangeOf(pair.value);
  const end = endOf(text, pair);
  if (range !== undefined) return { start: range.start, end, text: inline(value, pair.value) };
  const colon = text.source[end - 1] === ':' ? '' : ':';
  return { start: end, end, text: `${colon} ${inline(value)}` };
}

/** On one line, fit for `{…}` too. */
function inline(value: NewValue, before?: unknown): string {
  if (typeof value === 'string' && isScalar(before)) {
    if (before.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
    if (before.type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  }
  if (typeof value !== 'string') return flow(value);
  return flow([value]).slice(1, -1);
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

function append(text: MapText, added: Readonly<Record<string, NewValue>>): Splice {
  const { map, source } = text;
  const [first] = map.items;
  const last = map.items.at(-1);
  if (map.flow === true || first === undefined || last === undefined) {
    const pairs = flow(added).slice(1, -1);
    const start = last === undefined ? (map.range?.[0] ?? 0) + 1 : endOf(text, last);
    return { start, end: start, text: last === undefined ? pairs : `, ${pairs}` };
  }
  const lineStart = source.lastIndexOf('\n', startOf(first) - 1) + 1;
  const indent = /^ */.exec(source.slice(lineStart, startOf(first)))?.[0] ?? '';
  const lines = yamlLines(added).trimEnd().replaceAll(/^/gm, indent);
  // A block scalar ends behind its last line end, and `|+` behind the blank lines that belong to it.
  const end = Math.max(rangeOf(last.value)?.end ?? 0, endOf(text, last));
  if (source[end - 1] === '\n') return { start: end, end, text: `${lines}\n` };
  const lineEnd = lineEndAt(source, end);
  if (lineEnd === source.length) return { start: lineEnd, end: lineEnd, text: `\n${lines}` };
  return { start: lineEnd + 1, end: lineEnd + 1, text: `${lines}\n` };
}

/** The lines of pairs; at the end of a text without a last line end, the line end before them goes. */
function runsOfLines(text: MapText, pairs: readonly Pair[]): readonly Splice[] {
  const { source } = text;
  const runs: { start: number; end: number }[] = [];
  for (const pair of pairs) {
    const start = source.lastIndexOf('\n', startOf(pair) - 1) + 1;
    const end = Math.min(lineEndAt(source, endOf(text, pair)) + 1, source.length);
    const run = runs.at(-1);
    if (run?.end === start) run.end = end;
    else runs.push({ start, end });
  }
  return runs.map(({ start, end }) => {
    const isLast = end === source.length && !source.endsWith('\n');
    return { start: isLast ? start - 1 : start, end, text: '' };
  });
}

function startOf({ key }: Pair): number {
  return rangeOf(key)?.start ?? 0;
}

/** Behind the last character that is written of a pair: of its value, else its colon, else its key. */
function endOf({ source }: MapText, { key, value }: Pair): number {
  const range = rangeOf(value);
  if (range !== undefined) return trimmedEnd(source, range.end);
  const keyEnd = isNode(key) ? (key.range?.[1] ?? 0) : 0;
  return keyEnd + (/^\s*:/.exec(source.slice(keyEnd))?.[0].length ?? 0);
}

/** Undefined for nothing at all, such as the value of `tags:`. */
function rangeOf(node: unknown): { readonly start: number; readonly end: number } | undefined {
  const range = isNode(node) ? node.range : undefined;
  return range === undefined || range === null || range[0] === range[1]
    ? undefined
    : { start: range[0], end: range[1] };
}

/** Collections and block scalars end on the line below. */
function trimmedEnd(source: string, end: number): number {
  return source.slice(0, end).trimEnd().length;
}

function lineEndAt(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  return end === -1 ? source.length : end;
}
