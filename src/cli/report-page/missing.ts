import type { MissingQueries } from '../../usage/report/data.ts';
import { button, element, pageElement } from '../page-parts/element.ts';
import { emptyNote } from './section.ts';
import type { Model } from './model.ts';
import type { Selection } from './selection.ts';
import { counted, dayText, numberText } from './words.ts';

const SHOWN = 10;
/** The data tell so many people at most. */
const MOST_PEOPLE = 32;

/** What was asked for and led to nothing, the most frequent first. */
export function createMissing({ data }: Model): (selection: Selection) => void {
  let isWhole = false;
  const show = (selection: Selection): void => {
    const missing = data.missing.filter(({ last }) => last >= selection.firstDay);
    const rows = missing.slice(0, isWhole ? missing.length : SHOWN);
    const count = missing.length === data.missing.length ? data.missingCount : missing.length;
    const title = count === 0 ? 'Nothing is asked for in vain' : `${counted(count, 'thing')} asked for in vain`;
    pageElement('missing-count', HTMLElement).textContent = count === 0 ? '' : numberText(count);
    const more = button(`Show ${missing.length}`, () => {
      isWhole = true;
      show(selection);
    });
    pageElement('missing', HTMLElement).replaceChildren(
      element('h2', { id: 'missing-title' }, [title]),
      ...(missing.length === 0
        ? [emptyNote(data.hasNoQueries ? NOT_KEPT : 'Every search that was made more than once led to a use.')]
        : [element('p', { class: 'note' }, [NOTE]), tableOf(rows)]),
      ...(rows.length < missing.length ? [more] : []),
    );
  };
  return show;
}

const NOTE =
  'Searches that listed nothing, or after which nothing was used, in the words of those who asked. Where “to write” stands beside one, the catalog has no answer; for the others something is listed and not taken. Counted over everything that was recorded; the time filter goes by when it was asked last.';
const NOT_KEPT =
  'What was asked is not recorded, so this cannot be told. Set `usage.queries` to `text` in the configuration to see which playbooks are missing.';

function tableOf(missing: readonly MissingQueries[]): HTMLElement {
  const head = (text: string, isNumber = true): HTMLElement =>
    element('th', { scope: 'col', class: isNumber ? 'number' : undefined }, [text]);
  return element('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-labelledby': 'missing-title' }, [
    element('table', { class: 'plain' }, [
      element('thead', {}, [
        element('tr', {}, [head('Asked for', false), head('In vain'), head('Answered'), head('By'), head('Last')]),
      ]),
      element('tbody', {}, missing.map(rowOf)),
    ]),
  ]);
}

function rowOf({ queries, wordings, unanswered, answered, askedBy, last, isProposed }: MissingQueries): HTMLElement {
  const [first = '', ...others] = queries;
  const left = wordings - queries.length;
  const also = others.length === 0 ? [] : [`also: ${others.join(' · ')}${left > 0 ? ` · ${left} more` : ''}`];
  return element('tr', {}, [
    element('th', { scope: 'row', class: 'wide' }, [
      element('bdi', {}, [first]),
      ...(isProposed ? [' ', element('span', { class: 'mark proposed' }, ['to write'])] : []),
      ...also.map((text) => element('bdi', { class: 'said' }, [text])),
    ]),
    ...[
      numberText(unanswered),
      numberText(answered),
      askedBy >= MOST_PEOPLE ? `${MOST_PEOPLE} +` : numberText(askedBy),
      dayText(last),
    ].map((text) => element('td', { class: 'number' }, [text])),
  ]);
}
