import type { ReportProposal } from '../../usage/report/data.ts';
import { button, element, pageElement } from '../page-parts/element.ts';
import { copyButton } from './copy.ts';
import { emptyNote } from './section.ts';
import type { Model } from './model.ts';
import { isWanted, type Selection } from './selection.ts';
import { counted, numberText } from './words.ts';

const SHOWN = 5;

const KINDS: readonly (readonly [ReportProposal['kind'], string])[] = [
  ['fix', 'Fix what fails'],
  ['write', 'Write what is missing'],
  ['rewrite', 'Describe better what is listed and not taken'],
  ['merge', 'Merge what does the same'],
  ['retire', 'Retire what nobody uses'],
  ['undeprecate', 'Restore what is still used'],
];

/** Kinds whose command does all that is to be done; the others begin it. */
const ENDS_IT: ReadonlySet<ReportProposal['kind']> = new Set(['merge', 'retire', 'undeprecate']);

/** What the review proposes, by what is to be done. */
export function createProposals({ data }: Model): (selection: Selection) => void {
  const entryOf = new Map(data.entries.map((entry) => [entry.id, entry]));
  const openKinds = new Set<string>();
  const show = (selection: Selection): void => {
    const wanted = data.proposals.filter(({ entries }) =>
      entries.length === 0
        ? !selection.isOfSome
        : entries.some((id) => {
            const entry = entryOf.get(id);
            return entry !== undefined && isWanted(entry, selection.filter);
          }),
    );
    pageElement('proposal-count', HTMLElement).textContent = wanted.length === 0 ? '' : numberText(wanted.length);
    const groups = KINDS.flatMap(([kind, title]) => {
      const own = wanted.filter((proposal) => proposal.kind === kind);
      if (own.length === 0) return [];
      const showAll = (): void => {
        openKinds.add(kind);
        show(selection);
        pageElement(`kind-${kind}`, HTMLElement).focus();
      };
      return [groupOf({ kind, title, proposals: own, isWhole: openKinds.has(kind), showAll })];
    });
    pageElement('proposals', HTMLElement).replaceChildren(
      element('h2', { id: 'proposals-title' }, [titleFor(wanted.length, data.proposals.length)]),
      ...(groups.length === 0 ? [emptyNote(NOTHING)] : [element('p', { class: 'note' }, [NOTE]), ...groups]),
    );
  };
  return show;
}

const NOTE =
  'From everything that was recorded, whatever time and client are chosen. Each command is for you to run, in the repository of the playbook; nothing is changed by this page.';
const NOTHING = 'Nothing that passes these filters stands out. The review needs some weeks of use to say more.';

function titleFor(wanted: number, all: number): string {
  if (all === 0) return 'No proposals';
  return wanted === all ? counted(all, 'proposal') : `${numberText(wanted)} of ${counted(all, 'proposal')}`;
}

interface Group {
  readonly kind: ReportProposal['kind'];
  readonly title: string;
  readonly proposals: readonly ReportProposal[];
  readonly isWhole: boolean;
  readonly showAll: () => void;
}

function groupOf({ kind, title, proposals, isWhole, showAll }: Group): HTMLElement {
  const shown = isWhole ? proposals : proposals.slice(0, SHOWN);
  const list = element('ul', {}, shown.map(itemOf));
  const commands = proposals.map(({ command }) => command).join('\n');
  const copyAll = copyButton(`Copy all ${proposals.length} commands`, commands, list);
  return element('section', { class: 'proposals', 'aria-labelledby': `kind-${kind}` }, [
    element('h3', { id: `kind-${kind}`, tabindex: -1 }, [
      title,
      ' ',
      element('span', { class: 'count' }, [numberText(proposals.length)]),
    ]),
    list,
    ...(proposals.length > 1 && ENDS_IT.has(kind) ? [copyAll] : []),
    ...(shown.length < proposals.length ? [button(`Show all ${proposals.length}`, showAll)] : []),
  ]);
}

function itemOf({ title, reason, details, command }: ReportProposal): HTMLLIElement {
  const code = element('code', {}, [command]);
  const copy = copyButton('Copy', command, code);
  copy.setAttribute('aria-label', `Copy the command for ${title}`);
  return element('li', {}, [
    element('h4', {}, [element('bdi', {}, [title])]),
    element('p', {}, [reason]),
    ...details.map((line) => element('p', { class: 'detail' }, [element('bdi', {}, [line])])),
    element('div', { class: 'command' }, [code, copy]),
  ]);
}
