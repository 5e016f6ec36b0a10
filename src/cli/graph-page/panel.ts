import { toHtml } from '../../playbooks/to-html.ts';
import { button, element, pageElement } from '../page-parts/element.ts';
import { tagButtons } from './filters.ts';
import { markText } from './marks.ts';
import { type Item, linkedChild, type Model } from './model.ts';
import type { PagePlaybook } from './data.ts';

export interface PanelActions {
  readonly open: (id: string) => void;
  readonly close: () => void;
  readonly showTag: (tag: string) => void;
  readonly showAround: (id: string) => void;
}

/** Shows an item to read, or hides the panel. */
export function createPanel(model: Model, actions: PanelActions): (item: Item | undefined) => void {
  const panel = pageElement('panel', HTMLElement);
  return (item) => {
    panel.hidden = item === undefined;
    panel.replaceChildren(...(item === undefined ? [] : contentOf(item, { model, actions })));
    panel.scrollTop = 0;
    panel.querySelector('h2')?.focus();
  };
}

interface Shown {
  readonly model: Model;
  readonly actions: PanelActions;
}

function contentOf(item: Item, shown: Shown): readonly Node[] {
  const { model, actions } = shown;
  const marks = (model.marks.get(item.id) ?? []).map((mark) =>
    element('span', { class: `mark ${mark}` }, [markText(mark)]),
  );
  const kind = item.kind === 'file' ? 'supporting file' : item.kind;
  return [
    button('×', actions.close, { class: 'close', 'aria-label': 'Close', title: 'Close (Esc)' }),
    element('h2', { id: 'panel-title', tabindex: -1 }, [element('bdi', {}, [item.name])]),
    element('p', { class: 'about' }, [element('code', {}, [item.id]), ` ${kind} ${item.source} `, ...marks]),
    ...(item.kind === 'file' ? [] : [element('p', { class: 'description', dir: 'auto' }, [item.description])]),
    ...(item.kind === 'file' ? [] : [element('p', {}, [...tagButtons(item.tags, actions.showTag)])]),
    ...(item.kind === 'playbook' ? [sizeOf(item)] : []),
    element('p', {}, [button('Show what is around it', () => actions.showAround(item.id))]),
    ...linksOf(item, shown),
    ...(item.kind === 'playbook' ? [bodyOf(item, model)] : []),
  ];
}

function sizeOf({ tokens, closureTokens }: PagePlaybook): HTMLElement {
  const times = tokens === 0 ? '' : ` (${(closureTokens / tokens).toFixed(1)}×)`;
  return element('dl', { class: 'size' }, [
    element('dt', {}, ['Tokens alone']),
    element('dd', {}, [tokens.toLocaleString('en')]),
    element('dt', {}, ['With all that it leads to']),
    element('dd', {}, [closureTokens.toLocaleString('en') + times]),
  ]);
}

function linksOf(item: Item, { model, actions }: Shown): readonly HTMLElement[] {
  const below = model.below.get(item.id) ?? [];
  const ofKind = (kind: Item['kind']): readonly string[] => below.filter((id) => model.byId.get(id)?.kind === kind);
  const links = (title: string, ids: readonly string[]): readonly HTMLElement[] =>
    ids.length === 0
      ? []
      : [
          listOf(
            title,
            ids.map((id) => button(id, () => actions.open(id), { class: 'link' })),
          ),
        ];
  const cycle = model.data.cycles[model.cycleOf.get(item.id) ?? -1];
  const dangling = model.data.dangling.filter(({ from }) => from === item.id);
  return [
    ...links('Refers to', ofKind('playbook')),
    ...links(item.kind === 'playbook' ? 'Referenced by' : 'Used by', model.above.get(item.id) ?? []),
    ...links('Tools', ofKind('tool')),
    ...links('Supporting files', ofKind('file')),
    ...(cycle === undefined ? [] : [listOf('Cycle', [cycle.path.join(' → ')])]),
    ...(dangling.length === 0
      ? []
      : [
          listOf(
            'Dangling references',
            dangling.map(({ written, line }) => `${written} (line ${line})`),
          ),
        ]),
  ];
}

function listOf(title: string, entries: readonly (Node | string)[]): HTMLElement {
  const items = entries.map((entry) => element('li', {}, [entry]));
  return element('section', {}, [element('h3', {}, [`${title} (${entries.length})`]), element('ul', {}, items)]);
}

function bodyOf({ id, body }: PagePlaybook, model: Model): HTMLElement {
  const shown = element('article', { class: 'body', dir: 'auto' });
  // Safe by `toHtml`, which escapes whatever the author wrote; the page's policy runs no script but its own all the same.
  shown.innerHTML = toHtml(body, {
    linkTo: (target) => {
      const child = linkedChild(model, id, target);
      return child === undefined ? undefined : `#${encodeURIComponent(child)}`;
    },
  });
  return shown;
}
