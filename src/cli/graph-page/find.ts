import MiniSearch from 'minisearch';
import type { Item, Kind, Mark, Model } from './model.ts';

/** What the list and the graph are narrowed to. */
export interface Filters {
  readonly query: string;
  /** '' for any. */
  readonly tag: string;
  readonly source: string;
  readonly mark: Mark | '';
  readonly kinds: ReadonlySet<Kind>;
}

/** Makes the page's search: a function from filters to the items that pass, best first where there is a query. */
export function createFinder(model: Model): (filters: Filters) => readonly Item[] {
  const index = new MiniSearch<Item>({
    fields: ['id', 'name', 'description', 'tags'],
    extractField: (item, field) => fieldOf(item, field),
    searchOptions: {
      boost: { id: 4, name: 4, tags: 2 },
      combineWith: 'AND',
      prefix: true,
      // One wrong letter in five; short words would match anything.
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    },
  });
  index.addAll([...model.byId.values()]);
  const found = (query: string): readonly Item[] =>
    index.search(query).flatMap(({ id }) => model.byId.get(String(id)) ?? []);
  return ({ query, ...filters }) => {
    const words = query.trim();
    const items = words === '' ? model.items : withExact(found(words), model.items, words);
    return items.filter((item) => passes(model, item, filters));
  };
}

/** Part of an id is found too, wherever its words begin: `roll` in `enroll`, `y/roll` in `deploy/rollback`. */
function withExact(found: readonly Item[], all: readonly Item[], words: string): readonly Item[] {
  const part = words.toLowerCase();
  const exact = all.filter(({ id }) => id.toLowerCase().includes(part));
  return [...new Set([...found, ...exact])];
}

function fieldOf(item: Item, field: string): string {
  if (field === 'name') return item.name;
  if (field === 'description') return item.kind === 'file' ? '' : item.description;
  if (field === 'tags') return item.kind === 'file' ? '' : item.tags.join(' ');
  return item.id;
}

function passes(model: Model, item: Item, { tag, source, mark, kinds }: Omit<Filters, 'query'>): boolean {
  if (!kinds.has(item.kind)) return false;
  if (source !== '' && item.source !== source) return false;
  if (tag !== '' && (item.kind === 'file' || !item.tags.includes(tag))) return false;
  return mark === '' || (model.marks.get(item.id) ?? []).includes(mark);
}
