import { findReplacement, referrersOf } from '../catalog/replacement.ts';
import { repointReferences } from '../catalog/repoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { replacementOf } from '../catalog/lookup.ts';
import { PlaybookError } from '../errors.ts';
import { readSourceFile } from '../files/read.ts';
import type { Rewrite } from '../files/rewrite-file.ts';
import type { Deprecation, Entry, Playbook, PlaybookEntry, SourceFile } from '../model.ts';
import { type Edited, setStatus, type Standing } from '../playbooks/set-status.ts';
import { playbookIn } from '../playbooks/parse.ts';

/** What a person wants of an entry; texts are one line and not blank. */
export interface StatusRequest {
  readonly status: 'active' | 'deprecated' | 'retired';
  /** Today where a deprecation has none. */
  readonly since?: string;
  readonly reason?: string;
  /** Id of the entry that replaces it. */
  readonly replace?: string;
  /** Retires what others lead to. */
  readonly isForced: boolean;
}

/** One file that is to be other than it is. */
export interface FileChange extends Rewrite {
  readonly path: string;
  /** `references`: of a playbook that led to the entry and leads to its replacement then. */
  readonly kind: 'status' | 'references';
}

/** What is to be written for a request; nothing is written yet. */
export interface StatusPlan {
  readonly entry: PlaybookEntry;
  readonly standing: Standing;
  /** The playbook's own file first; [] where it is as wanted. */
  readonly changes: readonly FileChange[];
  /** Who leads to the entry as before, and why, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Plans a change of a playbook's status, and with a replacement that of the playbooks of its source that lead to it.
 *
 * @throws PlaybookError `catalog/bad-replacement`, `catalog/referenced`, `playbooks/uneditable`, `files/unreadable`; as `findEntry`.
 */
export async function planStatus(catalog: Catalog, entry: PlaybookEntry, request: StatusRequest): Promise<StatusPlan> {
  const replacement = checkRequest(catalog, entry, request);
  const standing = standingOf(entry.playbook, request, replacement);
  const file = await fileOf(entry.playbook);
  const own = setStatus(file, standing);
  if (own.kind === 'refused') throw uneditable(entry, own.reason);
  const changes = own.kind === 'edited' ? [changeOf(file, own.bytes, 'status')] : [];
  const notes: string[] = [];
  if (request.status === 'active') return { entry, standing, changes, notes };
  for (const referrer of referrersOf(catalog, entry)) {
    const outcome = await repoint(catalog, referrer, { from: entry, to: replacement });
    if (typeof outcome === 'string') notes.push(`${referrer.id} still leads to ${entry.id}${outcome}.`);
    else changes.push(outcome);
  }
  return { entry, standing, changes, notes };
}

/**
 * Whether an entry may have the status that is asked for.
 *
 * @returns the replacement, where one is named
 * @throws PlaybookError `catalog/bad-replacement`, `catalog/referenced`; as `findEntry`.
 */
export function checkRequest(
  catalog: Catalog,
  entry: Entry,
  { status, replace, isForced }: StatusRequest,
): Entry | undefined {
  const replacement = replace === undefined ? undefined : findReplacement(catalog, entry, replace);
  if (status !== 'retired' || replacement !== undefined || isForced) return replacement;
  const referrers = referrersOf(catalog, entry);
  if (referrers.length === 0) return undefined;
  const names = referrers.map((each) => `- ${each.id}${each.kind === 'playbook' ? ` (${each.playbook.path})` : ''}`);
  const known = replacementOf(catalog, entry)?.id ?? '<id>';
  throw new PlaybookError(
    'catalog/referenced',
    `${entry.id} is in use, and was not retired. To it lead:\n${names.join('\n')}`,
    {
      hint: `Give --replace ${known} to have them lead to what replaces it, or --force to retire it all the same.`,
    },
  );
}

function standingOf(playbook: Playbook, request: StatusRequest, replacement: Entry | undefined): Standing {
  const { status, reason } = request;
  if (status === 'active') return { status: playbook.status === 'draft' ? 'draft' : 'active' };
  const known = playbook.deprecation ?? {};
  const since = request.since ?? known.since ?? (status === 'deprecated' ? today() : undefined);
  const deprecation: Deprecation = {
    ...known,
    ...(since === undefined ? {} : { since }),
    ...(reason === undefined ? {} : { reason }),
    ...(replacement === undefined ? {} : { replacedBy: replacement.id }),
  };
  const isBare = Object.keys(deprecation).length === 0 && playbook.deprecation === undefined;
  return { status, ...(isBare ? {} : { deprecation }) };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The change of a playbook that leads to another one, or why it stays: a part of a sentence, '' where nothing is to be said. */
async function repoint(
  catalog: Catalog,
  referrer: Entry,
  { from, to }: { readonly from: PlaybookEntry; readonly to: Entry | undefined },
): Promise<FileChange | string> {
  if (to === undefined) return '';
  if (referrer.kind === 'tool') return ', by the configuration';
  if (referrer === to) return ', and would lead to itself';
  if (referrer.playbook.source.name !== from.playbook.source.name)
    return `: it is of another source (${referrer.source})`;
  if (to.kind === 'tool') return `: only \`tools\` can lead to ${to.id}, which is a tool`;
  const file = await fileOf(referrer.playbook);
  const links = repointReferences(catalog, file, { from, to });
  if (links.kind === 'refused') return `: ${links.reason}`;
  const linked = links.kind === 'edited' ? { ...file, bytes: links.bytes } : file;
  const replaced = replacementOf(catalog, referrer) === from ? replaceBy(linked, to.id) : undefined;
  if (replaced?.kind === 'refused') return `: ${replaced.reason}`;
  return changeOf(file, replaced?.kind === 'edited' ? replaced.bytes : linked.bytes, 'references');
}

function replaceBy(file: SourceFile, id: string): Edited {
  const playbook = playbookIn(file);
  if (playbook === undefined) return { kind: 'refused', reason: 'it cannot be read' };
  return setStatus(file, { status: playbook.status, deprecation: { ...playbook.deprecation, replacedBy: id } });
}

function changeOf(file: SourceFile, after: Uint8Array, kind: FileChange['kind']): FileChange {
  return { path: file.path, realPath: file.realPath, before: file.bytes, after, kind };
}

/** @throws PlaybookError `files/unreadable`. */
async function fileOf(playbook: Playbook): Promise<SourceFile> {
  const read = await readSourceFile(playbook);
  if (read.kind === 'file') return read.file;
  throw new PlaybookError('files/unreadable', read.diagnostic.message, { hint: 'Mend the file, and try again.' });
}

function uneditable({ id, playbook }: PlaybookEntry, reason: string): PlaybookError {
  return new PlaybookError('playbooks/uneditable', `${id} was not changed: ${reason}.`, {
    hint: `Edit \`status\` and \`deprecated\` in ${playbook.path} by hand.`,
  });
}
