import { dayOf } from '../../usage/day.ts';
import type { ReportData } from '../../usage/report/data.ts';
import { pageElement } from '../page-parts/element.ts';
import { createEntriesTable } from './entries-table.ts';
import { showFunnel } from './funnel.ts';
import { showGroups } from './groups.ts';
import { showNumbers } from './numbers.ts';
import { showLeast, showMost } from './ranking.ts';
import { createFilters } from './filters.ts';
import { createMissing } from './missing.ts';
import { toModel } from './model.ts';
import { createOverTime } from './over-time.ts';
import { createProposals } from './proposals.ts';
import { select } from './selection.ts';
import { createTheme } from './theme.ts';
import { counted, dayText, daysText } from './words.ts';

const data: ReportData = JSON.parse(pageElement('data', HTMLScriptElement).textContent);
const model = toModel(data);

createTheme();
document.title = data.title;
pageElement('title', HTMLElement).textContent = data.title;
pageElement('about', HTMLElement).textContent = aboutText();
const isEmpty = data.span === undefined;
pageElement('nothing', HTMLElement).hidden = !isEmpty;
for (const id of ['use', 'missing', 'filters']) pageElement(id, HTMLElement).hidden = isEmpty;
for (const link of document.querySelectorAll('#sections a')) {
  const target = link.getAttribute('href')?.slice(1) ?? '';
  if (link instanceof HTMLElement) link.hidden = isEmpty && (target === 'use' || target === 'missing');
}

const filters = createFilters(model, update);
const showOverTime = createOverTime();
const showTable = createEntriesTable();
const showMissing = createMissing(model);
const showProposals = createProposals(model);

function update(): void {
  const selection = select(model, filters.read());
  showNumbers(selection);
  showOverTime(selection);
  showMost(selection);
  showLeast(selection);
  showFunnel(selection);
  showGroups(selection, {
    showSource: (source) => filters.set('source', source),
    showTag: (tag) => filters.set('tag', tag),
  });
  showTable(selection);
  showMissing(selection);
  showProposals(selection);
  pageElement('shown', HTMLElement).textContent = `${counted(selection.entries.length, 'entry', 'entries')} fit`;
}

function aboutText(): string {
  const { span, totals, clients, madeAt } = data;
  const made = `Made on ${dayText(dayOf(madeAt))}.`;
  if (span === undefined) return made;
  const who = [
    counted(totals.events, 'call'),
    ...(totals.people > 0 ? [counted(totals.people, 'person', 'people')] : []),
    counted(clients.length, 'client'),
    ...(totals.repositories > 0 ? [counted(totals.repositories, 'repository', 'repositories')] : []),
  ];
  return `${daysText(span.first, span.last)} · ${who.join(' · ')} · ${made}`;
}

update();
