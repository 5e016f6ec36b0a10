import type { Random } from '../plant.ts';

/** One of the items, each as likely as its weight; as likely as any other without weights. */
export function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Picks by weights that do not change: running sums are made once. */
export function weighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): (random: Random) => Item {
  const sums: number[] = [];
  let total = 0;
  for (const item of items) sums.push((total += weightOf(item)));
  return (random) => {
    const at = random() * total;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    const item = items[low];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
}

/** So many different ones. */
export function sample<Item>(items: readonly Item[], count: number, random: Random): readonly Item[] {
  const rest = [...items];
  return Array.from({ length: count }, () => rest.splice(Math.floor(random() * rest.length), 1)).flat();
}

/** A count whose mean is `mean`. @see Knuth, The Art of Computer Programming 2, 3.4.1 */
export function poisson(mean: number, random: Random): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let [count, product] = [0, random()];
  while (product > limit) {
    count += 1;
    product *= random();
  }
  return count;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
