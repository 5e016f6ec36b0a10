export interface InOrderOptions {
  /** Runs at one time. */
  readonly atOnce: number;
  /** Results that may wait for an earlier one. */
  readonly ahead: number;
}

/** What `run` gives for each item, in the order of the items, while later ones run already. `run` starts nothing after the end of the loop. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  { atOnce, ahead }: InOrderOptions,
): AsyncGenerator<readonly [Item, Result]> {
  const queue: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  const running = new Set<Promise<unknown>>();
  let next = 0;
  const startMore = (): void => {
    while (next < items.length && running.size < atOnce && queue.length < ahead) {
      const item = items[next];
      next += 1;
      if (item === undefined) continue;
      const result = run(item);
      const settled = result.then(
        () => void running.delete(settled),
        () => void running.delete(settled),
      );
      running.add(settled);
      void settled.then(startMore);
      queue.push({ item, result });
    }
  };
  try {
    startMore();
    for (let head = queue[0]; head !== undefined; head = queue[0]) {
      const result = await head.result;
      queue.shift();
      startMore();
      yield [head.item, result];
    }
  } finally {
    next = items.length;
    await Promise.all(running);
  }
}
