/** Beyond, sorting all of them costs less than putting each in its place. */
const FEW = 100;

/** The first of some items in order, and the others in none. */
export interface Split<Item> {
  readonly first: readonly Item[];
  readonly rest: readonly Item[];
}

/**
 * The first `count` of the items: what sorting all of them gives, without sorting those that nobody looks at.
 *
 * @param compare must tell any two items apart, as equals come in no particular order.
 */
export function splitFirst<Item>(
  items: readonly Item[],
  count: number,
  compare: (a: Item, b: Item) => number,
): Split<Item> {
  if (count > FEW || items.length <= count) {
    const sorted = items.toSorted(compare);
    return { first: sorted.slice(0, count), rest: sorted.slice(count) };
  }
  const first: Item[] = [];
  const rest: Item[] = [];
  for (const item of items) {
    const last = first[count - 1];
    if (count === 0 || (last !== undefined && compare(item, last) > 0)) {
      rest.push(item);
      continue;
    }
    if (last !== undefined) {
      first.pop();
      rest.push(last);
    }
    first.splice(placeOf(item, first, compare), 0, item);
  }
  return { first, rest };
}

/** Where an item belongs among sorted ones. */
function placeOf<Item>(item: Item, sorted: readonly Item[], compare: (a: Item, b: Item) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle];
    if (found !== undefined && compare(found, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
