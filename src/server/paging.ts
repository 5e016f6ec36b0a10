import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { compareIds } from '../catalog/order.ts';

interface PageOptions<T> {
  /** What is listed, as its method is called; a cursor of another list is refused. */
  readonly list: string;
  /** As the client sent it; undefined for the first page. */
  readonly cursor: string | undefined;
  readonly size: number;
  /** Differs for any two items; they are in the order of their keys. */
  readonly keyOf: (item: T) => string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * One page of a list. A cursor names the last item that was given, so that what comes or goes between two pages makes no other item
 * appear twice or not at all.
 *
 * @throws ProtocolError -32602 for a cursor that this list has not handed out.
 */
export function pageOf<T>(items: readonly T[], { list, cursor, size, keyOf }: PageOptions<T>): Page<T> {
  const after = cursor === undefined ? undefined : keyIn(cursor, list);
  const found = after === undefined ? 0 : items.findIndex((item) => compareIds(keyOf(item), after) > 0);
  const start = found === -1 ? items.length : found;
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last === undefined || start + size >= items.length) return { items: page };
  return { items: page, nextCursor: cursorAfter(keyOf(last), list) };
}

function cursorAfter(key: string, list: string): string {
  return Buffer.from(`${list}\n${key}`).toString('base64url');
}

function keyIn(cursor: string, list: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const head = `${list}\n`;
  if (text.startsWith(head) && cursorAfter(text.slice(head.length), list) === cursor) return text.slice(head.length);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The cursor is not one that ${list} has handed out; leave it out to begin anew.`,
  );
}
