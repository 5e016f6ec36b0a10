import { applyEdits, createScanner, type Edit, modify, type Node } from 'jsonc-parser';
import { PlaybookError } from '../errors.ts';
import { type ConfigDocument, entries, nodeAt, readDocument, valueOf } from './document.ts';

/** A property of an object in a JSON text: the keys from the top to it, at least one. */
export type PropertyPath = readonly [string, ...string[]];

/** What a property is to be. */
export interface PropertyChange {
  readonly keys: PropertyPath;
  /** Any JSON value; undefined to take the property out. */
  readonly value: unknown;
}

/**
 * The text of a JSON file, with comments or without, in which one property is set or taken out; comments and everything else stay
 * as they are. Objects on the way to a new property are made; those that a removal empties stay.
 *
 * @param source the file's text; '' for one that does not exist yet
 * @throws PlaybookError `config/not-json`; `config/uneditable` where the property cannot be changed by itself.
 */
export function editProperty(source: string, path: string, { keys, value }: PropertyChange): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const written = source.slice(mark.length);
  const text = written.trim() === '' ? `{}${/\r?\n/.exec(written)?.[0] ?? '\n'}` : written;
  const document = readDocument(text, path);
  const isThere = nodeAt(document, keys) !== undefined;
  if (!isThere && value === undefined) return source;
  if (!isReachable(document, keys)) throw uneditable(path, keys);
  const edited = applyEdits(text, editsFor(document, { keys, value, isThere }));
  const after = nodeAt(readDocument(edited, path), keys);
  // Of a key that stands twice only the last was taken out.
  if ((after !== undefined) !== (value !== undefined)) throw uneditable(path, keys);
  return mark + edited;
}

/**
 * The value at the end of some keys of a JSON text (the whole for none), or undefined; an empty text has no values.
 * @throws PlaybookError `config/not-json`.
 */
export function readProperty(source: string, path: string, keys: readonly string[]): unknown {
  if (source.replace('\uFEFF', '').trim() === '') return undefined;
  const document = readDocument(source, path);
  const node = nodeAt(document, keys);
  return node === undefined ? undefined : valueOf(document, node);
}

function uneditable(path: string, keys: PropertyPath): PlaybookError {
  return new PlaybookError('config/uneditable', `${path} cannot be changed there without changing more.`, {
    hint: `Edit \`${keys[0]}\` in it by hand.`,
  });
}

/** Whether all that is there of the way to a property is objects. */
function isReachable(document: ConfigDocument, keys: PropertyPath): boolean {
  return keys.slice(0, -1).every((_, index) => {
    const node = nodeAt(document, keys.slice(0, index + 1));
    return node === undefined || node.type === 'object';
  });
}

interface Wanted extends PropertyChange {
  readonly isThere: boolean;
}

function editsFor(document: ConfigDocument, { keys, value, isThere }: Wanted): Edit[] {
  const { text } = document;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^(?:\t+| +)(?=")/m.exec(text)?.[0] ?? '  ';
  // `modify` puts a property before the comment of the one above it, and takes out that comment with a property.
  const own = isThere
    ? value === undefined && removal(document, keys)
    : insertion(document, { ...missingPart(document, { keys, value }), unit, lineEnd });
  if (own !== undefined && own !== false) return own;
  const isTab = unit.startsWith('\t');
  const formattingOptions = { tabSize: isTab ? 1 : unit.length, insertSpaces: !isTab, eol: lineEnd };
  return modify(text, [...keys], value, { formattingOptions });
}

interface MissingPart {
  /** The deepest object that is there. */
  readonly parent: Node;
  readonly key: string;
  /** With the objects around it that are missing. */
  readonly value: unknown;
}

function missingPart(document: ConfigDocument, { keys, value }: PropertyChange): MissingPart {
  let parent = document.root;
  for (const [depth, key] of keys.entries()) {
    const child = nodeAt(document, keys.slice(0, depth + 1));
    if (child === undefined) {
      const nested = keys.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      return { parent, key, value: nested };
    }
    parent = child;
  }
  return { parent, key: '', value };
}

interface NewProperty extends MissingPart {
  readonly unit: string;
  readonly lineEnd: string;
}

/** Behind the line of the last property and its comment; undefined in an object that has no lines of its own. */
function insertion({ text }: ConfigDocument, { parent, key, value, unit, lineEnd }: NewProperty): Edit[] | undefined {
  const last = parent.children?.at(-1);
  if (last === undefined) return behindComments(text, { parent, key, value, unit, lineEnd });
  const indent = ownIndent(text, last);
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const lineEndsAt = endOfOwnLine(text, comma === undefined ? end : comma + 1);
  if (indent === undefined || lineEndsAt === undefined) return undefined;
  const json = JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineEnd}${indent}`);
  const property = `${lineEnd}${indent}${JSON.stringify(key)}: ${json}`;
  return comma === undefined
    ? [edit(end, 0, ','), edit(lineEndsAt, 0, property)]
    : [edit(lineEndsAt, 0, `${property},`)];
}

/** At the end of an object in which only comments stand, so that none of them stands behind the property as if it were of it. */
function behindComments(text: string, { parent, key, value, unit, lineEnd }: NewProperty): Edit[] | undefined {
  const end = parent.offset + parent.length - 1;
  const closing = text.lastIndexOf('\n', end) + 1;
  const outer = text.slice(closing, end);
  const isBlank = text.slice(parent.offset + 1, end).trim() === '';
  if (isBlank || closing <= parent.offset || outer.trim() !== '') return undefined;
  const json = JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineEnd}${outer}${unit}`);
  return [edit(closing, 0, `${outer}${unit}${JSON.stringify(key)}: ${json}${lineEnd}`)];
}

/** The lines of a property with its comment, and the comma of the one before it where it was the last; undefined where it is not there. */
function removal(document: ConfigDocument, keys: PropertyPath): Edit[] | undefined {
  const { text } = document;
  const list = nodeAt(document, keys.slice(0, -1));
  if (list?.children?.length === 1 && isBareAround(text, list)) return [edit(list.offset, list.length, '{}')];
  const value = entries(document, list).findLast(([key]) => key === keys.at(-1))?.[1];
  const property = value?.parent;
  if (property === undefined) return undefined;
  const comma = commaAfter(text, property.offset + property.length);
  const before = list?.children?.[list.children.indexOf(property) - 1];
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.offset + before.length);
  const own = ownLines(text, property, comma) ?? property;
  const cut = edit(own.offset, own.length, '');
  if (own === property && comma !== undefined) return [cut, edit(comma, 1 + blanksAt(text, comma + 1), '')];
  if (comma !== undefined || commaBefore === undefined) return [cut];
  const between = text.slice(commaBefore + 1, own.offset);
  return own === property && between.trim() === ''
    ? [edit(commaBefore, own.offset + own.length - commaBefore, '')]
    : [edit(commaBefore, 1, ''), cut];
}

type Span = Pick<Node, 'offset' | 'length'>;

/** The lines on which nothing stands but a property, the comma behind it and a comment. */
function ownLines(text: string, property: Node, comma: number | undefined): Span | undefined {
  const end = endOfOwnLine(text, comma === undefined ? property.offset + property.length : comma + 1);
  if (end === undefined || ownIndent(text, property) === undefined) return undefined;
  const offset = text.lastIndexOf('\n', property.offset) + 1;
  return { offset, length: text.indexOf('\n', end) + 1 - offset };
}

function blanksAt(text: string, offset: number): number {
  return /^[ \t]*/.exec(text.slice(offset))?.[0].length ?? 0;
}

/** Whether the braces of an object hold its only property, a comma perhaps, and no comment. */
function isBareAround(text: string, list: Node): boolean {
  const [only] = list.children ?? [];
  if (only === undefined) return false;
  const before = text.slice(list.offset + 1, only.offset);
  const after = text.slice(only.offset + only.length, list.offset + list.length - 1);
  return before.trim() === '' && /^\s*,?\s*$/.test(after);
}

function edit(offset: number, length: number, content: string): Edit {
  return { offset, length, content };
}

/** The blanks before a node that begins its line. */
function ownIndent(text: string, { offset }: Node): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return before.trim() === '' && text.slice(0, offset).includes('\n') ? before : undefined;
}

/** Offset of the end of a line on which nothing but a comment stands behind an offset. */
function endOfOwnLine(text: string, offset: number): number | undefined {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(offset));
  return rest === null ? undefined : offset + rest[0].length;
}

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}
