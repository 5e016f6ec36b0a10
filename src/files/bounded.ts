/** `items` mapped in their order, at most `limit` of them at work at once. */
export async function mapBounded<T, R>(items: readonly T[], limit: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next; index < items.length; index = next) {
      next += 1;
      const item = items[index];
      if (item !== undefined) results[index] = await map(item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

/**
 * `items` mapped in their order and given one by one; a batch is at work at once, and the next one begins when all of it has been
 * taken, so that no more than a batch is ever held.
 */
export async function* inBatches<T, R>(
  items: readonly T[],
  size: number,
  map: (item: T) => R | Promise<R>,
): AsyncGenerator<R> {
  for (let start = 0; start < items.length; start += size) {
    const batch = items.slice(start, start + size).map(map);
    for (const result of batch) yield await result;
  }
}
