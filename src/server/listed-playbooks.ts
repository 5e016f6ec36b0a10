import type { Entry, PlaybookEntry } from '../model.ts';
import { isListed } from './search-tool.ts';
import type { Snapshot } from './snapshot.ts';
import { marksOf, summaryOf } from './summary.ts';

/** The playbooks that lists show, by id: those that search shows. */
export function listedPlaybooks({ catalog }: Snapshot): readonly PlaybookEntry[] {
  return catalog.entries.filter((entry): entry is PlaybookEntry => isListed(entry, 'playbook'));
}

/** An entry in one line, with the marks that search gives it. */
export function listedDescription(entry: Entry): string {
  return [summaryOf(entry.description), ...marksOf(entry).map((mark) => `[${mark}]`)].join(' ');
}
