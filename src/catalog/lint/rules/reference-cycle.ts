import type { PlaybookEntry } from '../../../model.ts';
import { cyclesOf } from '../../graph.ts';
import { graphOf, placeOfTarget, referencesOf } from '../reference-places.ts';
import { oncePerCatalog } from '../shared.ts';
import type { LintRule } from '../types.ts';

const MOST_NAMED = 6;

export const referenceCycle: LintRule = {
  id: 'reference-cycle',
  needs: 'playbook',
  severity: 'info',
  summary: 'Playbooks refer to each other in a circle.',
  why: 'Circles are legal, and “see also” in both directions is one. But steps that lead in a circle never end.',
  mend: 'Look whether one of the references is a step; then break the circle there. Told once a circle, at its first playbook.',
  check: (file, { catalog }) => {
    const cycle = cycleByFirst(catalog).get(file.entry);
    if (cycle === undefined) return [];
    const step = referencesOf(catalog, file.playbook).find(
      (reference) => reference.kind === 'playbook' && cycle.includes(reference.entry),
    );
    if (step === undefined) return [];
    const named = cycle.slice(0, MOST_NAMED).map(({ id }) => id);
    const more = cycle.length > MOST_NAMED ? ` and ${cycle.length - MOST_NAMED} more` : '';
    return [
      {
        ...placeOfTarget(file, step.target),
        message: `${cycle.length} playbooks lead back to each other: ${named.join(', ')}${more}.`,
      },
    ];
  },
};

const cycleByFirst = oncePerCatalog(
  (catalog): ReadonlyMap<PlaybookEntry, readonly PlaybookEntry[]> =>
    new Map(
      cyclesOf(graphOf(catalog)).flatMap((cycle) => (cycle[0] === undefined ? [] : [[cycle[0], cycle] as const])),
    ),
);
