import { element, pageElement } from '../page-parts/element.ts';
import type { Model } from './model.ts';
import type { Filter } from './selection.ts';

/** Whole weeks, so that every width of bucket fits in. */
const RANGES: readonly (readonly [number, string])[] = [
  [7, 'last week'],
  [28, 'last 4 weeks'],
  [84, 'last 12 weeks'],
  [168, 'last 24 weeks'],
  [364, 'last 52 weeks'],
];

export interface FilterControls {
  readonly read: () => Filter;
  /** Changes one filter, as if by hand. */
  readonly set: (name: 'source' | 'tag', value: string) => void;
}

/** Fills the filters with what there is, and tells of each change. */
export function createFilters(model: Model, onChange: () => void): FilterControls {
  const { data, firstDay, lastDay } = model;
  const form = pageElement('filters', HTMLFormElement);
  const field = (id: string): HTMLSelectElement => pageElement(id, HTMLSelectElement);
  const fields = {
    range: field('range'),
    source: field('source'),
    tag: field('tag'),
    kind: field('kind'),
    client: field('client'),
  };
  const width = Math.max(...Object.values(data.counts).map(({ bucketDays }) => bucketDays));
  const ranges = RANGES.filter(([days]) => days % width === 0 && days < lastDay - firstDay + 1);
  fill(
    fields.range,
    'all',
    ranges.map(([days, label]) => [String(days), label]),
  );
  fill(fields.source, 'any', counts(data.entries.map(({ source }) => source)));
  fill(fields.tag, 'any', counts(data.entries.flatMap(({ tags }) => tags)));
  fill(fields.kind, 'any', counts(data.entries.map(({ kind }) => kind)));
  fill(
    fields.client,
    'any',
    data.clients.map(({ name }, at) => [String(at), name || 'without a name']),
  );
  form.addEventListener('change', onChange);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The fields are empty only after the event.
  form.addEventListener('reset', () => setTimeout(onChange));
  return {
    read: () => ({
      days: fields.range.value === '' ? Infinity : Number(fields.range.value),
      source: fields.source.value,
      tag: fields.tag.value,
      kind: fields.kind.value,
      client: fields.client.value,
    }),
    set: (name, value) => {
      fields[name].value = value;
      onChange();
    },
  };
}

/** Each name with how many entries have it. */
function counts(names: readonly string[]): readonly (readonly [string, string])[] {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return [...found]
    .filter(([name]) => name !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => [name, `${name} (${count})`]);
}

function fill(select: HTMLSelectElement, any: string, options: readonly (readonly [string, string])[]): void {
  select.append(element('option', { value: '' }, [any]));
  for (const [value, label] of options) select.append(element('option', { value }, [label]));
  // A choice of one is none.
  const [label] = select.labels;
  if (label !== undefined) label.hidden = options.length < (select.id === 'range' ? 1 : 2);
}
