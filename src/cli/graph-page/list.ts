import { element, pageElement } from '../page-parts/element.ts';
import { markText } from './marks.ts';
import type { Item, Model } from './model.ts';

/** Rows that are made at once; 3,000 of them at each letter typed would be felt. */
const ROWS_AT_ONCE = 200;

export interface ListView {
  readonly show: (items: readonly Item[]) => void;
  readonly select: (id: string | undefined) => void;
}

/** The list beside the graph: one stop of the Tab key, arrows within, Enter or a click opens. */
export function createList(model: Model, open: (id: string) => void): ListView {
  const list = pageElement('list', HTMLUListElement);
  const more = pageElement('more', HTMLButtonElement);
  const count = pageElement('count', HTMLElement);
  let items: readonly Item[] = [];
  let selected: string | undefined;

  const buttons = (): readonly HTMLButtonElement[] => [...list.querySelectorAll('button')];
  const grow = (): void => {
    const start = list.childElementCount;
    list.append(...items.slice(start, start + ROWS_AT_ONCE).map((item) => rowOf(model, item)));
    more.hidden = list.childElementCount >= items.length;
    mark();
  };
  const mark = (): void => {
    const rows = buttons();
    const current = rows.find(({ value }) => value === selected);
    for (const row of rows) {
      row.tabIndex = row === (current ?? rows[0]) ? 0 : -1;
      row.toggleAttribute('aria-current', row === current);
    }
  };
  const move = (from: number, to: number): void => {
    const rows = buttons();
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (next === undefined) return;
    if (rows[from] !== undefined) rows[from].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };

  list.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest('button') : null;
    if (row !== null) open(row.value);
  });
  list.addEventListener('keydown', (event) => {
    const rows = buttons();
    const at = rows.findIndex((row) => row === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(at, to);
  });
  more.addEventListener('click', () => {
    const { length } = buttons();
    grow();
    move(-1, length);
  });
  return {
    show: (next) => {
      items = next;
      list.replaceChildren();
      grow();
      count.textContent = `${next.length} of ${model.items.length} shown`;
    },
    select: (id) => {
      selected = id;
      mark();
      buttons()
        .find(({ value }) => value === id)
        ?.scrollIntoView({ block: 'nearest' });
    },
  };
}

function rowOf(model: Model, item: Item): HTMLLIElement {
  const marks = (model.marks.get(item.id) ?? []).map((mark) =>
    element('span', { class: `mark ${mark}` }, [markText(mark)]),
  );
  const said = item.kind === 'file' ? 'supporting file' : item.description || 'no description';
  return element('li', {}, [
    element('button', { type: 'button', value: item.id, class: item.kind }, [
      element('bdi', { class: 'id' }, [item.id]),
      ...marks,
      element('bdi', { class: 'said' }, [said]),
    ]),
  ]);
}
