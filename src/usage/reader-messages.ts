import type { ReadPage } from './coded-pages.ts';
import type { EventPlace } from './read-page.ts';

/** What the thread that reads ahead is started with. */
export interface ReaderStart {
  /** Of the SQLite store. */
  readonly path: string;
  /** Where the first page begins. */
  readonly after: EventPlace;
  /** See `PageRequest`. */
  readonly until: number | undefined;
}

/** What it is told. */
export type ToReader =
  /** That so many more pages may be read. */
  { readonly kind: 'more'; readonly pages: number } | { readonly kind: 'close' };

/** What it answers. It ends with an error where the store has one. */
export type FromReader = ReadPage;
