import type { PageData } from './data.ts';
import { createDrawing } from './drawing.ts';
import { button, pageElement } from '../page-parts/element.ts';
import { createFilters } from './filters.ts';
import { createFinder } from './find.ts';
import { createList } from './list.ts';
import { type Item, toModel } from './model.ts';
import { createPanel } from './panel.ts';
import { chooseView, type Focus, type View } from './view.ts';

const data: PageData = JSON.parse(pageElement('data', HTMLScriptElement).textContent);
const model = toModel(data);
const find = createFinder(model);
const trail = pageElement('trail', HTMLElement);
let focus: Focus = { kind: 'all' };
let view: View = { nodes: [], edges: [], leftOut: 0 };
let matches: readonly Item[] = [];
let selected: Item | undefined;
/** What to give the keyboard back to when the panel closes. */
let cameFrom: HTMLElement | SVGElement | undefined;

document.title = data.title;
pageElement('title', HTMLElement).textContent = data.title;
const filters = createFilters(model, () => {
  focus = { kind: 'all' };
  update();
});
const drawing = createDrawing((key) => {
  const group = view.nodes.find((node) => node.key === key)?.path;
  if (group === undefined) open(key);
  else setFocus({ kind: 'group', path: group });
});
const list = createList(model, open);
const showPanel = createPanel(model, {
  open,
  close,
  showTag: filters.showTag,
  showAround: (id) => setFocus({ kind: 'around', id }),
});

function update(): void {
  matches = find(filters.read());
  list.show(matches);
  list.select(selected?.id);
  draw();
}

function draw(): void {
  view = chooseView(model, matches, focus);
  pageElement('empty', HTMLElement).hidden = view.nodes.length > 0;
  drawing.show(view);
  showTrail();
}

function setFocus(next: Focus): void {
  focus = next;
  if (next.kind === 'around') document.body.dataset['show'] = 'graph';
  draw();
}

/** Where the graph is, and the way back. */
function showTrail(): void {
  const all = button('All', () => setFocus({ kind: 'all' }));
  const steps = focus.kind === 'group' ? focus.path : [];
  const groups = steps.map((step, at) => button(step, () => setFocus({ kind: 'group', path: steps.slice(0, at + 1) })));
  const around = focus.kind === 'around' ? [`around ${focus.id}`] : [];
  const left = view.leftOut === 0 ? [] : [`${view.leftOut} more: search or filter`];
  const parts = [...(focus.kind === 'all' ? [] : [all, ...groups]), ...around, ...left];
  trail.replaceChildren(...parts.flatMap((part, at) => (at === 0 ? [part] : [' › ', part])));
}

/** The address names what is open, so that it can be sent to somebody. */
function open(id: string): void {
  const address = `#${encodeURIComponent(id)}`;
  if (location.hash === address) openAddressed();
  else location.hash = address;
}

function close(): void {
  history.replaceState(null, '', location.pathname + location.search);
  showItem(undefined);
  if (cameFrom?.isConnected === true) cameFrom.focus();
  else pageElement('list', HTMLElement).querySelector<HTMLElement>('[tabindex="0"]')?.focus();
}

function openAddressed(): void {
  const item = model.byId.get(idOfAddress());
  const active = document.activeElement;
  const isOutside = active?.closest('#panel') === null;
  if (isOutside && (active instanceof HTMLElement || active instanceof SVGElement)) cameFrom = active;
  showItem(item);
}

function idOfAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch (error) {
    // Somebody's own words after the #.
    if (error instanceof URIError) return '';
    throw error;
  }
}

function showItem(item: Item | undefined): void {
  selected = item;
  showPanel(item);
  list.select(item?.id);
  drawing.select(item?.id);
  if (item !== undefined && !drawing.has(item.id)) setFocus({ kind: 'around', id: item.id });
  drawing.adjust();
}

addEventListener('hashchange', openAddressed);
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === 'Escape' && selected !== undefined) close();
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    pageElement('query', HTMLInputElement).focus();
  }
});
for (const shown of ['list', 'graph'] as const) {
  pageElement(`show-${shown}`, HTMLButtonElement).addEventListener('click', () => {
    document.body.dataset['show'] = shown;
    if (shown === 'graph') drawing.adjust();
  });
}
new ResizeObserver(() => drawing.adjust()).observe(pageElement('graph-pane', HTMLElement));

update();
if (location.hash.length > 1) openAddressed();
else if (data.of !== undefined) open(data.of);
