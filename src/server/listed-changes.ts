import { dirname, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { PlaybookError } from '../errors.ts';
import type { PlaybookEntry } from '../model.ts';
import { listedPlaybooks } from './listed-playbooks.ts';
import { toPrompt } from './prompt-definitions.ts';
import { playbookUri, skillUri, spellingsOf } from './resource-uris.ts';
import { toResource } from './resources.ts';
import type { Runtime } from './runtime.ts';
import { isSkill } from './skills.ts';
import type { Snapshot } from './snapshot.ts';
import type { ChangeFollower, ListedChange } from './surface.ts';

/** Changes come in swarms (the tools of all servers, a checkout): what came of one is told once. */
const PAUSE_MS = 50;

/**
 * Tells a client what is other than before in what it is listed and can read, until the signal aborts. What was before is what it
 * could see when this began.
 */
export async function followListed(runtime: Runtime, follower: ChangeFollower, signal: AbortSignal): Promise<void> {
  const written = new Set<string>();
  let isStale = false;
  let wake = (): void => undefined;
  const stop = runtime.onChange((paths) => {
    for (const path of paths) written.add(path);
    isStale = true;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    let before = await seenBy(runtime, follower);
    while (!signal.aborted) {
      if (!isStale) await new Promise<void>((resolve) => (wake = resolve));
      await delay(PAUSE_MS, undefined, { ref: false });
      isStale = false;
      const paths = [...written];
      written.clear();
      const now = await seenBy(runtime, follower);
      if (now === undefined) continue;
      const change = before === undefined ? EVERYTHING : changeBetween(before, now, paths);
      before = now;
      const isOther = change.resources || change.prompts || change.updated.length > 0;
      if (isOther && !signal.aborted) follower.tell(change);
    }
  } finally {
    stop();
  }
}

const EVERYTHING: ListedChange = { resources: true, prompts: true, updated: [] };

/** Undefined while there is nothing to be seen, as where the workspace's folder is not there; whoever asks is told why. */
async function seenBy(runtime: Runtime, { roots, access }: ChangeFollower): Promise<Snapshot | undefined> {
  try {
    return await runtime.snapshot(undefined, roots, access);
  } catch (error) {
    if (error instanceof PlaybookError) return undefined;
    throw error;
  }
}

/** What is other in a snapshot than in the one before. @param written real paths of files that may not read as before */
function changeBetween(before: Snapshot, now: Snapshot, written: readonly string[]): ListedChange {
  const [old, current] = [byId(before), byId(now)];
  const pairs = [...new Set([...old.keys(), ...current.keys()])]
    .map((id) => ({ was: old.get(id), is: current.get(id) }))
    .filter(({ was, is }) => !isSame(was, is));
  const isOther = (view: (entry: PlaybookEntry) => unknown): boolean =>
    pairs.some(({ was, is }) => !isDeepStrictEqual(was && view(was), is && view(is)));
  return {
    resources: isOther(toResource),
    prompts: isOther((entry) => (entry.status === 'active' ? toPrompt({ name: entry.id, entry }) : undefined)),
    updated: [
      ...pairs.flatMap(({ was, is }) => {
        const entry = is ?? was;
        return entry === undefined || was?.digest === is?.digest ? [] : urisOf(entry);
      }),
      ...urisOfFiles([...current.values()], written),
    ],
  };
}

function byId(snapshot: Snapshot): ReadonlyMap<string, PlaybookEntry> {
  return new Map(listedPlaybooks(snapshot).map((entry) => [entry.id, entry]));
}

/** Entries are made anew with each catalog, their playbooks only when they have changed. */
function isSame(was: PlaybookEntry | undefined, is: PlaybookEntry | undefined): boolean {
  if (was === undefined || is === undefined || was.playbook !== is.playbook) return false;
  const rest = ({ status, deprecation, shadows }: PlaybookEntry): unknown => [status, deprecation, shadows];
  return isDeepStrictEqual(rest(was), rest(is));
}

/** Every URI that a client may have for a playbook's own file, or for one of its supporting files. */
function urisOf(entry: PlaybookEntry, file?: string): readonly string[] {
  const ids = new Set([entry.id, entry.qualifiedId]);
  const uris = [...ids].flatMap((id) => spellingsOf(playbookUri(id, file)));
  return isSkill(entry) ? [...uris, skillUri(entry, file ?? 'SKILL.md')] : uris;
}

/** As `urisOf`, for those of the files that belong to a skill's folder. */
function urisOfFiles(entries: readonly PlaybookEntry[], written: readonly string[]): readonly string[] {
  const byFolder = new Map(
    entries.flatMap((entry) =>
      entry.playbook.shape === 'folder' ? [[dirname(entry.playbook.realPath), entry] as const] : [],
    ),
  );
  return written.flatMap((path) => {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const entry = byFolder.get(folder);
      if (entry === undefined) continue;
      const file = relative(folder, path).replaceAll(sep, '/');
      return entry.playbook.supportingFiles.includes(file) ? urisOf(entry, file) : [];
    }
    return [];
  });
}
