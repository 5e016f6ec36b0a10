import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

import { messageOf, PlaybookError } from '../errors.ts';
import type { Diagnostic } from '../model.ts';
import type { Position } from './types.ts';

/** A place in a JSON document: keys and indexes from the top. */
export type JsonPath = readonly PropertyKey[];

/** A JSONC text whose values keep their place, some of them left out or replaced. */
export interface ConfigDocument {
  readonly text: string;
  /** Absolute path of the file. */
  readonly path: string;
  readonly root: Node;
  /** Values that are read as if they had not been written; list items behind them move up. */
  readonly dropped: ReadonlySet<Node>;
  /** Strings whose variables were expanded. */
  readonly replaced: ReadonlyMap<Node, string>;
}

/**
 * Reads JSON with comments and trailing commas; a BOM is allowed.
 * @throws PlaybookError config/not-json with path, line and column, also where the text is not one object.
 */
export function readDocument(source: string, path: string): ConfigDocument {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const errors: ParseError[] = [];
  const root = parse(text, path, errors);
  const [error] = errors;
  if (error !== undefined) throw notJson(positionAt({ text, path }, error.offset), describe(error));
  if (root?.type !== 'object')
    throw notJson(positionAt({ text, path }, root?.offset ?? 0), 'expected one object, `{ … }`');
  return { text, path, root, dropped: new Set(), replaced: new Map() };
}

function parse(text: string, path: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser recurses: ten thousand open brackets, which a hostile repository may ship, end its stack.
    if (error instanceof RangeError)
      throw notJson({ path, line: 1, column: 1 }, `nested too deeply (${messageOf(error)})`);
    throw error;
  }
}

function describe({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
}

function notJson({ path, line, column }: Position, what: string): PlaybookError {
  return new PlaybookError('config/not-json', `${path}:${line}:${column}: not JSON: ${what}.`, {
    hint: 'Mend the file there; comments and trailing commas are allowed.',
  });
}

/** Line and column, both from 1, of an offset into the text. */
function positionAt({ text, path }: Pick<ConfigDocument, 'text' | 'path'>, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { path, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Position of a value; of the deepest part of the path that exists, where the rest is missing. */
export function positionOf(document: ConfigDocument, path: JsonPath): Position {
  let at = document.root;
  for (const key of path) at = childNode(document, at, key) ?? at;
  return positionAt(document, at.offset);
}

/** The path with every index as it is in the text, where dropped items are still counted. */
export function writtenPath(document: ConfigDocument, path: JsonPath): JsonPath {
  return path.map((key, depth) => {
    const list = nodeAt(document, path.slice(0, depth));
    const item = nodeAt(document, path.slice(0, depth + 1));
    return list?.type === 'array' && item !== undefined ? (list.children ?? []).indexOf(item) : key;
  });
}

/** Position of the key that names a value. */
export function positionOfKey(document: ConfigDocument, path: JsonPath): Position {
  const node = nodeAt(document, path);
  return node?.parent?.type === 'property' ? positionAt(document, node.parent.offset) : positionOf(document, path);
}

/** The value node at a path, or undefined where there is none. */
export function nodeAt(document: ConfigDocument, path: JsonPath): Node | undefined {
  let at: Node | undefined = document.root;
  for (const key of path) at = at === undefined ? undefined : childNode(document, at, key);
  return at;
}

function childNode(document: ConfigDocument, parent: Node, key: PropertyKey): Node | undefined {
  if (parent.type === 'array') return items(document, parent)[Number(key)];
  // Of a key that is written twice the last counts, as in `JSON.parse`.
  return entries(document, parent).findLast(([name]) => name === String(key))?.[1];
}

/** The keys and values of an object node, in the order written; [] for other nodes. */
export function entries(document: ConfigDocument, node: Node | undefined): readonly (readonly [string, Node])[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key === undefined || value === undefined || document.dropped.has(value)
      ? []
      : [[String(key.value), value] as const];
  });
}

function items(document: ConfigDocument, node: Node): readonly Node[] {
  return (node.children ?? []).filter((child) => !document.dropped.has(child));
}

/** The plain value of a node; objects have no prototype, so that a key such as `__proto__` is only a key. */
export function valueOf(document: ConfigDocument, node: Node): unknown {
  if (node.type === 'array') return items(document, node).map((item) => valueOf(document, item));
  if (node.type !== 'object') return document.replaced.get(node) ?? node.value;
  const value: Record<string, unknown> = Object.create(null);
  for (const [key, child] of entries(document, node)) value[key] = valueOf(document, child);
  return value;
}

/** The document without the values of these nodes. */
export function without(document: ConfigDocument, nodes: Iterable<Node>): ConfigDocument {
  return { ...document, dropped: new Set([...document.dropped, ...nodes]) };
}

/** A warning for every key that a later one of the same name makes void. */
export function duplicateKeys(document: ConfigDocument, node: Node = document.root): readonly Diagnostic[] {
  const seen = new Set<string>();
  const voided = entries(document, node)
    .toReversed()
    .filter(([key]) => seen.size === seen.add(key).size)
    .map(([key, value]): Diagnostic => ({
      rule: 'config-duplicate-key',
      severity: 'warning',
      ...positionAt(document, value.parent?.offset ?? value.offset),
      message: `\`${key}\` is written again below, and only the last one counts.`,
    }));
  const children = node.type === 'array' ? (node.children ?? []) : entries(document, node).map(([, child]) => child);
  return [...voided.toReversed(), ...children.flatMap((child) => duplicateKeys(document, child))];
}
