import { applyEdits, createScanner, type Edit, modify, type Node } from 'jsonc-parser';
import { PlaybookError } from '../errors.ts';
import type { Deprecation } from '../model.ts';
import { type ConfigDocument, entries, nodeAt, readDocument } from './document.ts';

/**
 * The text of a configuration file in which an entry is retired, or is not any more; comments and everything else stay as they are.
 *
 * @param source the file's text; '' for one that does not exist yet
 * @param retired undefined to take the entry out
 * @throws PlaybookError `config/not-json`; `config/uneditable` where the entry cannot be put in.
 */
export function editRetired(
  source: string,
  path: string,
  { id, retired }: { readonly id: string; readonly retired: Deprecation | undefined },
): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const written = source.slice(mark.length);
  const text = written.trim() === '' ? '{}\n' : written;
  const document = readDocument(text, path);
  const isThere = nodeAt(document, ['retired', id]) !== undefined;
  if (!isThere && retired === undefined) return source;
  if ((nodeAt(document, ['retired'])?.type ?? 'object') !== 'object') throw uneditable(path);
  const edited = applyEdits(text, editsFor(document, { id, retired, isThere }));
  const after = nodeAt(readDocument(edited, path), ['retired', id]);
  // Of a key that stands twice only the last was taken out.
  if ((after !== undefined) !== (retired !== undefined)) throw uneditable(path);
  return mark + edited;
}

function uneditable(path: string): PlaybookError {
  return new PlaybookError('config/uneditable', `${path} cannot be changed there without changing more.`, {
    hint: 'Edit `retired` in it by hand.',
  });
}

interface Wanted {
  readonly id: string;
  readonly retired: Deprecation | undefined;
  readonly isThere: boolean;
}

function editsFor(document: ConfigDocument, { id, retired, isThere }: Wanted): Edit[] {
  const { text } = document;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^(?:\t+| +)(?=")/m.exec(text)?.[0] ?? '  ';
  const list = nodeAt(document, ['retired']);
  // `modify` puts a property before the comment of the one above it, and takes out that comment with a property.
  const own = isThere
    ? retired === undefined && removal(document, list, id)
    : list === undefined
      ? insertion(text, document.root, { key: 'retired', value: { [id]: retired }, unit, lineEnd })
      : insertion(text, list, { key: id, value: retired, unit, lineEnd });
  if (own !== undefined && own !== false) return own;
  const isTab = unit.startsWith('\t');
  const formattingOptions = { tabSize: isTab ? 1 : unit.length, insertSpaces: !isTab, eol: lineEnd };
  return modify(text, ['retired', id], retired, { formattingOptions });
}

interface NewProperty {
  readonly key: string;
  readonly value: unknown;
  readonly unit: string;
  readonly lineEnd: string;
}

/** Behind the line of the last property and its comment; undefined in an object that has no lines of its own. */
function insertion(text: string, node: Node, { key, value, unit, lineEnd }: NewProperty): Edit[] | undefined {
  const last = node.children?.at(-1);
  if (last === undefined) return undefined;
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

/** The lines of a property with its comment, and the comma of the one before it where it was the last. */
function removal(document: ConfigDocument, list: Node | undefined, id: string): Edit[] | undefined {
  const { text } = document;
  const value = entries(document, list).findLast(([key]) => key === id)?.[1];
  const property = value?.parent;
  if (property === undefined || ownIndent(text, property) === undefined) return undefined;
  const comma = commaAfter(text, property.offset + property.length);
  const end = endOfOwnLine(text, comma === undefined ? property.offset + property.length : comma + 1);
  if (end === undefined) return undefined;
  const start = text.lastIndexOf('\n', property.offset) + 1;
  const own = edit(start, text.indexOf('\n', end) + 1 - start, '');
  const before = list?.children?.[list.children.indexOf(property) - 1];
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.offset + before.length);
  return comma !== undefined || commaBefore === undefined ? [own] : [edit(commaBefore, 1, ''), own];
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
