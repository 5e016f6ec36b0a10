import { randomUUID } from 'node:crypto';

let last = { time: 0, count: 0 };

/**
 * A UUID of version 7: ids of one process sort in the order in which they were made, so that the events of one millisecond keep theirs.
 *
 * @param time milliseconds since 1970
 * @see RFC 9562, section 5.7, and 6.2 for the counter
 */
export function newEventId(time: number): string {
  // 12 bits; more in a millisecond are no longer told apart by their order.
  last = { time, count: time === last.time ? Math.min(last.count + 1, 0xfff) : 0 };
  const hex = time.toString(16).padStart(12, '0');
  const count = last.count.toString(16).padStart(3, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${count}-${randomUUID().slice(19)}`;
}
