import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Scalar, YAMLMap } from 'yaml';

import type { JsonObject } from '../model.ts';
import type { FieldPath } from './tree-paths.ts';

/** An alias whose anchor does not exist: almost always a plain text such as `*.ts`. */
export interface UnknownAlias {
  readonly text: string;
  readonly offset: number;
}

/** Thrown by `readTree` where aliases blow a small text up; the caller turns it into a finding. */
export class TreeTooLarge extends Error {
  override readonly name = 'TreeTooLarge';
}

/** Most values one front matter may hold once its aliases are followed: `yaml` itself allows exponential growth. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

/**
 * `text`: every scalar as it is written, so `1.0`, `yes` and `2026-11-29` stay what they are; a key without a value is absent.
 * `values`: the numbers, booleans and nulls of YAML's core schema.
 */
export type TreeReading = 'text' | 'values';

interface Reader {
  readonly reading: TreeReading;
  readonly anchors: Map<string, unknown>;
  readonly unknownAliases: UnknownAlias[];
  valueCount: number;
}

/**
 * Plain data of a map, aliases followed: maps become objects (own keys only, never `__proto__`), lists arrays.
 * @param root undefined for an empty document
 * @throws TreeTooLarge beyond 10,000 values or 64 levels.
 */
export function readTree(
  root: YAMLMap | undefined,
  reading: TreeReading,
): { readonly data: JsonObject; readonly unknownAliases: readonly UnknownAlias[] } {
  const reader: Reader = { reading, anchors: new Map(), unknownAliases: [], valueCount: 0 };
  const data = root === undefined ? {} : readMap(root, reader, 0);
  return { data, unknownAliases: reader.unknownAliases };
}

function read(node: unknown, reader: Reader, depth: number): unknown {
  reader.valueCount += 1;
  if (reader.valueCount > MAX_VALUES || depth > MAX_DEPTH) throw new TreeTooLarge();
  if (isAlias(node)) {
    const target = reader.anchors.get(node.source);
    if (target !== undefined) return read(target, reader, depth + 1);
    const text = `*${node.source}`;
    reader.unknownAliases.push({ text, offset: node.range?.[0] ?? 0 });
    return text;
  }
  if (isScalar(node)) return anchored(node, reader, reader.reading === 'text' ? scalarText(node) : node.value);
  if (isSeq(node)) {
    return anchored(
      node,
      reader,
      node.items.map((item) => read(item, reader, depth + 1)),
    );
  }
  return isMap(node) ? anchored(node, reader, readMap(node, reader, depth)) : null;
}

/** Anchors count only once their node is read, so that an alias inside its own anchor is unknown and not endless. */
function anchored(node: { anchor?: string }, reader: Reader, data: unknown): unknown {
  if (node.anchor !== undefined) reader.anchors.set(node.anchor, node);
  return data;
}

function readMap(map: YAMLMap, reader: Reader, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const { key, value } of map.items) {
    const name = keyText(key);
    const data = read(value, reader, depth + 1);
    // A plain assignment of `__proto__` anywhere downstream would change a prototype, and no field has that name.
    if (name === undefined || name === '__proto__') continue;
    if (data !== null || reader.reading === 'values') entries.push([name, data]);
  }
  return Object.fromEntries(entries);
}

/** Null for nothing at all: `~`, `null`, an empty value. */
function scalarText(scalar: Scalar): string | null {
  if (typeof scalar.value === 'string' || scalar.value === null) return scalar.value;
  return scalar.source ?? '';
}

/** A map's key as it is written; undefined for a list or map as a key, which no field has. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? (scalarText(key) ?? '') : undefined;
}

/** Offset of the value at a path, of its key where it has no text, else of the deepest part of the path that exists. */
export function offsetOf(root: unknown, path: FieldPath): number {
  let node = root;
  let offset = 0;
  for (const step of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyText(key) === String(step));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      if (next === undefined) break;
    } else break;
    offset = startOf(next) ?? offset;
    node = next;
  }
  return offset;
}

/** Undefined for nothing at all, such as the value of `tags:`. */
function startOf(node: unknown): number | undefined {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  return range === undefined || range === null || range[0] === range[1] ? undefined : range[0];
}
