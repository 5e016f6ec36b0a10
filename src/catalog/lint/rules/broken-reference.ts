import { closestAmong } from '../../closest.ts';
import type { Playbook } from '../../../model.ts';
import type { Catalog } from '../../catalog.ts';
import { replacementOf } from '../../lookup.ts';
import type { ResolvedTarget } from '../../references.ts';
import { placeOfTarget, referencesOf } from '../reference-places.ts';
import { oncePerCatalog } from '../shared.ts';
import { isFileTarget, leadsToFolder } from './missing-file.ts';
import type { LintContext, LintRule } from '../types.ts';
import { nameFromId } from '../../../playbooks/name-from-id.ts';

/** Each guess measures the wanted id against every id, a millisecond in a catalog of thousands. */
const MOST_GUESSES = 20;

export const brokenReference: LintRule = {
  id: 'broken-reference',
  severity: 'error',
  summary: 'A link, `[[id]]`, `playbook://` URI, or an entry of `references` or `replacedBy` leads to no playbook.',
  why: 'The agent is told to continue in a playbook that does not exist, and stops or makes something up.',
  mend: 'Correct the id or the path. A path is relative to the file it stands in; an id is the path below the source’s root. Put links that are only examples into code.',
  check: (file, { catalog, hasFile }) => {
    const dangling = referencesOf(catalog, file.playbook).flatMap((reference) =>
      isBroken(file.playbook, reference, hasFile)
        ? [
            {
              ...placeOfTarget(file, reference.target),
              message: `"${reference.target.written}" leads to no playbook${reference.target.ids.length === 0 ? ': it leaves the folder of the source' : ''}.`,
              hint: hintFor(playbookGuesserOf(catalog)(reference.target.written)),
            },
          ]
        : [],
    );
    const replacement = file.entry.deprecation?.replacedBy;
    if (replacement === undefined || replacementOf(catalog, file.entry) !== undefined) return dangling;
    const place = file.locate(['deprecated', 'replacedBy']);
    const message = `"${replacement}", which replaces this playbook, is no entry.`;
    return [...dangling, { ...place, message, hint: hintFor(entryGuesserOf(catalog)(replacement)) }];
  },
};

function isBroken(playbook: Playbook, reference: ResolvedTarget, hasFile: LintContext['hasFile']): boolean {
  const { kind, target } = reference;
  if (kind !== 'dangling' || reference.namesakes.length > 1) return false;
  return !isFileTarget(playbook, target) && !leadsToFolder(playbook, target, hasFile);
}

function hintFor(closest: string | undefined): string {
  return closest === undefined
    ? 'Correct the link, or put it into code if it is an example.'
    : `Did you mean ${closest}?`;
}

/** A reference leads to a playbook, a replacement to any entry. */
const playbookGuesserOf = oncePerCatalog(({ entries }) => guesserOf(entries.filter(({ kind }) => kind === 'playbook')));
const entryGuesserOf = oncePerCatalog(({ entries }) => guesserOf(entries));

/** Guesses the id that was meant: one with the same last part, else the closest one. */
function guesserOf(entries: Catalog['entries']): (written: string) => string | undefined {
  const ids = entries.map(({ id }) => id);
  const byLast = new Map(ids.map((id) => [nameFromId(id).toLowerCase(), id]));
  let closest: ReturnType<typeof closestAmong> | undefined;
  let left = MOST_GUESSES;
  return (written) => {
    const wanted = written.replace(/\/?(?:SKILL)?\.md$|\/SKILL\.md$/i, '').replace(/^(?:\.{1,2}\/)+/, '');
    const same = byLast.get(nameFromId(wanted).toLowerCase());
    if (same !== undefined || left === 0) return same;
    left -= 1;
    closest ??= closestAmong(ids);
    return closest(wanted)[0];
  };
}
