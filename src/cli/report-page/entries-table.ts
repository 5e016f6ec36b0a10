import { button, element, pageElement } from '../page-parts/element.ts';
import { type Column, COLUMNS } from './columns.ts';
import type { EntryFigures, Selection } from './selection.ts';
import { counted, numberText } from './words.ts';

const ROWS_AT_FIRST = 20;
const ROWS_MORE = 200;
/** As long as a fast typist's next letter. */
const TYPING_MS = 120;

interface Order {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** Every entry, sorted by any column and searched. */
export function createEntriesTable(): (selection: Selection) => void {
  const table = pageElement('table', HTMLTableElement);
  const query = pageElement('query', HTMLInputElement);
  const more = pageElement('more', HTMLButtonElement);
  const body = element('tbody');
  let all: readonly EntryFigures[] = [];
  let columns: readonly Column[] = COLUMNS;
  let order: Order | undefined;
  let rowCount = ROWS_AT_FIRST;

  const show = (): void => {
    const found = sorted(all.filter(matching(query.value)), order);
    body.replaceChildren(...found.slice(0, rowCount).map((figures) => rowOf(figures, columns)));
    more.hidden = found.length <= rowCount;
    pageElement('entries-count', HTMLElement).textContent =
      found.length === 0
        ? 'No entry fits.'
        : `${counted(found.length, 'entry', 'entries')}, ${numberText(Math.min(rowCount, found.length))} shown`;
  };
  const sortBy = (column: Column): void => {
    const isDescending = order?.column === column ? !order.isDescending : column.isNumber;
    order = { column, isDescending };
    markOrder(table, order);
    show();
  };
  let timer = 0;
  query.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, TYPING_MS);
  });
  more.addEventListener('click', () => {
    const { length } = body.rows;
    rowCount += ROWS_MORE;
    show();
    // The button goes when all is shown, and would take the keyboard's place with it.
    if (more.hidden) body.rows[length]?.querySelector('th')?.focus();
  });
  return (selection) => {
    all = selection.entries;
    rowCount = ROWS_AT_FIRST;
    if (table.tHead === null) {
      columns = COLUMNS.filter(
        (column) => !column.isOptional || all.some((figures) => column.key(figures) !== undefined),
      );
      table.append(headOf(columns, sortBy), body);
      order = { column: columnOf('uses'), isDescending: true };
      markOrder(table, order);
      pageElement('entries-note', HTMLElement).textContent = noteFor(columns);
    }
    show();
  };
}

function columnOf(id: string): Column {
  const found = COLUMNS.find((column) => column.id === id);
  if (found === undefined) throw new Error(`There is no column ${id}.`);
  return found;
}

function noteFor(columns: readonly Column[]): string {
  const whole = columns.filter(({ isOfAllTime }) => isOfAllTime).map(({ title }) => title);
  return `${whole.join(', ')}: of everything that was recorded, whatever time and client are chosen.`;
}

function headOf(columns: readonly Column[], sortBy: (column: Column) => void): HTMLTableSectionElement {
  const cells = columns.map((column) =>
    element('th', { scope: 'col', 'data-column': column.id, class: column.isNumber ? 'number' : undefined }, [
      button(column.title, () => sortBy(column)),
    ]),
  );
  return element('thead', {}, [element('tr', {}, cells)]);
}

function markOrder(table: HTMLTableElement, { column, isDescending }: Order): void {
  for (const head of table.querySelectorAll('th[data-column]')) {
    if (head.getAttribute('data-column') === column.id)
      head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  }
}

function rowOf(figures: EntryFigures, columns: readonly Column[]): HTMLTableRowElement {
  const [first, ...others] = columns;
  return element('tr', {}, [
    element('th', { scope: 'row', tabindex: -1 }, [first?.cell(figures) ?? '']),
    ...others.map((column) => element('td', { class: column.isNumber ? 'number' : undefined }, [column.cell(figures)])),
  ]);
}

/** Whether every word is in the id, source, owner or a tag. */
function matching(query: string): (figures: EntryFigures) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ entry: { id, source, owner = '', tags } }) => {
    const text = [id, source, owner, ...tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function sorted(entries: readonly EntryFigures[], order: Order | undefined): readonly EntryFigures[] {
  if (order === undefined) return entries;
  const { column, isDescending } = order;
  const sign = isDescending ? -1 : 1;
  return entries.toSorted((a, b) => {
    const [left, right] = [column.key(a), column.key(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return left === right ? compare(a.entry.id, b.entry.id) : sign * compare(left, right);
  });
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b);
}
