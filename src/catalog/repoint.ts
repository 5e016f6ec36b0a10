import { isDeepStrictEqual } from 'node:util';
import type { PlaybookEntry, SourceFile } from '../model.ts';
import { playbookIn } from '../playbooks/parse.ts';
import { type WrittenReference, writtenReferences } from '../playbooks/references.ts';
import { renameReferences } from '../playbooks/rename-references.ts';
import { saysTheSame } from '../playbooks/says-the-same.ts';
import type { Edited } from '../playbooks/set-status.ts';
import type { Catalog } from './catalog.ts';
import { findTarget } from './references.ts';

/** From which playbook to which. */
export interface Repointing {
  readonly from: PlaybookEntry;
  readonly to: PlaybookEntry;
}

/**
 * Lets every reference of a playbook (links, `[[id]]`, `playbook://id`, the `references` list) that leads to one playbook lead to
 * another; every other byte stays as it is. The edited file is parsed again, and unless just those references lead to the other one,
 * the edit is refused.
 */
export function repointReferences(catalog: Catalog, file: SourceFile, { from, to }: Repointing): Edited {
  const before = playbookIn(file);
  if (before === undefined) return { kind: 'refused', reason: 'it cannot be read' };
  const references = writtenReferences(before).map((reference) => ({
    ...reference,
    entry: findTarget(catalog, before, reference.target),
  }));
  const wanted = references.filter(({ entry }) => entry === from);
  if (wanted.length === 0) return { kind: 'unchanged' };
  const bytes = renameReferences(file, before, {
    links: wanted.flatMap(({ link }) => link ?? []),
    listed: wanted.flatMap(({ link, target }) => (link === undefined ? [target.written] : [])),
    to: { playbook: to.playbook, id: to.id },
  });
  const after = playbookIn({ ...file, bytes });
  const isDone =
    after !== undefined &&
    saysTheSame(before, after, ['body', 'references']) &&
    isDeepStrictEqual(
      leads(writtenReferences(after), (reference) => findTarget(catalog, after, reference.target)),
      leads(references, ({ entry }) => (entry === from ? to : entry)),
    );
  return isDone
    ? { kind: 'edited', bytes }
    : { kind: 'refused', reason: `not every reference to ${from.id} could be changed` };
}

/** What each reference leads to, and what else it says; the list's items without repeats, as it is read. */
function leads<R extends WrittenReference>(
  references: readonly R[],
  entryOf: (reference: R) => PlaybookEntry | undefined,
): readonly unknown[] {
  const listed = new Set<string>();
  const links = references.flatMap((reference) => {
    const entry = entryOf(reference);
    const target = entry?.qualifiedId ?? reference.target.written;
    if (reference.link === undefined) listed.add(target);
    return reference.link === undefined ? [] : [[target, reference.link.line]];
  });
  return [links, [...listed]];
}
