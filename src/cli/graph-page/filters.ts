import { button, element, pageElement } from '../page-parts/element.ts';
import type { Filters } from './find.ts';
import type { Kind, Mark, Model } from './model.ts';

const MARKS: readonly (readonly [Mark, string])[] = [
  ['root', 'roots'],
  ['orphan', 'orphans'],
  ['cycle', 'in cycles'],
  ['dangling', 'dangling references'],
  ['draft', 'drafts'],
  ['deprecated', 'deprecated'],
  ['retired', 'retired'],
  ['unknown', 'unknown tools'],
];
const KINDS: readonly (readonly [Kind, string])[] = [
  ['playbook', 'Playbooks'],
  ['tool', 'Tools'],
  ['file', 'Files'],
];
/** As long as a fast typist's next letter. */
const TYPING_MS = 120;

export interface FilterControls {
  readonly read: () => Filters;
  /** Narrows to one tag, and nothing else. */
  readonly showTag: (tag: string) => void;
}

/** Fills the filters with what the model has, and tells of each change. */
export function createFilters(model: Model, onChange: () => void): FilterControls {
  const form = pageElement('filters', HTMLFormElement);
  const query = pageElement('query', HTMLInputElement);
  const tag = pageElement('tag', HTMLSelectElement);
  const source = pageElement('source', HTMLSelectElement);
  const mark = pageElement('mark', HTMLSelectElement);
  fill(
    tag,
    'any',
    countBy(model, (item) => (item.kind === 'file' ? [] : item.tags)),
  );
  fill(
    source,
    'any',
    countBy(model, (item) => (item.source === '' ? [] : [item.source])),
  );
  fillMarks(mark, model);
  const kinds = kindBoxes(model);
  let timer = 0;
  query.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, TYPING_MS);
  });
  form.addEventListener('change', ({ target }) => {
    // The query's comes when it loses the focus: new rows would then be made under a click on one.
    if (target !== query) onChange();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  // The fields are empty only after the event.
  form.addEventListener('reset', () => setTimeout(onChange));
  return {
    read: () => ({
      query: query.value,
      tag: tag.value,
      source: source.value,
      mark: MARKS.find(([value]) => value === mark.value)?.[0] ?? '',
      kinds: new Set(kinds.filter(({ box }) => box.checked).map(({ kind }) => kind)),
    }),
    showTag: (wanted) => {
      form.reset();
      tag.value = wanted;
      onChange();
    },
  };
}

function kindBoxes(model: Model): readonly { readonly kind: Kind; readonly box: HTMLInputElement }[] {
  const fieldset = pageElement('kinds', HTMLFieldSetElement);
  return KINDS.map(([kind, label]) => {
    const { length } = model.items.filter((item) => item.kind === kind);
    // Files say much about single playbooks and little about the whole.
    const box = element('input', { type: 'checkbox', value: kind, checked: kind !== 'file' });
    if (length > 0) fieldset.append(element('label', {}, [box, ` ${label} (${length})`]));
    return { kind, box };
  });
}

function countBy(
  model: Model,
  keysOf: (item: Model['items'][number]) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of model.items) for (const key of keysOf(item)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function fill(select: HTMLSelectElement, none: string, counts: ReadonlyMap<string, number>): void {
  select.append(element('option', { value: '' }, [none]));
  for (const [value, count] of counts) select.append(element('option', { value }, [`${value} (${count})`]));
}

function fillMarks(select: HTMLSelectElement, model: Model): void {
  select.append(element('option', { value: '' }, ['all']));
  for (const [mark, label] of MARKS) {
    const { length } = [...model.marks.values()].filter((marks) => marks.includes(mark));
    if (length > 0) select.append(element('option', { value: mark }, [`${label} (${length})`]));
  }
}

/** Buttons for tags. */
export function tagButtons(tags: readonly string[], showTag: (tag: string) => void): readonly HTMLButtonElement[] {
  return tags.map((tag) => button(tag, () => showTag(tag), { class: 'tag', 'aria-label': `Show tag ${tag}` }));
}
