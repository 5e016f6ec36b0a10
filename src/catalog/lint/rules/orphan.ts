import { groupBy } from '../../group.ts';
import type { PlaybookEntry } from '../../../model.ts';
import { graphOf } from '../reference-places.ts';
import { oncePerCatalog } from '../shared.ts';
import type { LintRule } from '../types.ts';

/** A playbook that refers to at least this many of its neighbours, and to this share of them, is their index. */
const FEWEST_LISTED = 3;
const FEWEST_LISTED_RATIO = 0.75;

export const orphan: LintRule = {
  id: 'orphan',
  needs: 'playbook',
  severity: 'info',
  summary: 'An index refers to nearly all playbooks of a folder, but to this one nothing does.',
  why: 'A reader who follows the index never sees it. Without an index nothing is reported: most playbooks are found by search.',
  mend: 'Add it to the index.',
  check: ({ entry }, { catalog }) => {
    const index = indexByOrphan(catalog).get(entry);
    if (index === undefined) return [];
    const message = `${index.id} lists the playbooks of this folder, but not this one.`;
    return [{ line: 1, column: 1, message, hint: `Link to it from ${index.playbook.path}.` }];
  },
};

const indexByOrphan = oncePerCatalog((catalog): ReadonlyMap<PlaybookEntry, PlaybookEntry> => {
  const { nodes, children, parents } = graphOf(catalog);
  const folders = groupBy(nodes, folderOf);
  const found = new Map<PlaybookEntry, PlaybookEntry>();
  for (const index of nodes) {
    const listed = groupBy(children.get(index) ?? [], folderOf);
    for (const [folder, inFolder] of listed) {
      const members = (folders.get(folder) ?? []).filter((member) => member !== index);
      if (inFolder.length < FEWEST_LISTED || inFolder.length < members.length * FEWEST_LISTED_RATIO) continue;
      for (const member of members) {
        const isAlone =
          parents.get(member)?.length === 0 && member.status !== 'retired' && member.status !== 'deprecated';
        if (isAlone && !found.has(member)) found.set(member, index);
      }
    }
  }
  return found;
});

/** The folder of a playbook, with its source: `platform:deploy`. */
function folderOf({ qualifiedId }: PlaybookEntry): string {
  return qualifiedId.slice(0, Math.max(qualifiedId.lastIndexOf('/'), qualifiedId.indexOf(':')));
}
