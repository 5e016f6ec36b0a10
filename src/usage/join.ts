import type { Catalog } from '../catalog/catalog.ts';
import { isMaintained } from '../catalog/maintained.ts';
import type { Entry } from '../model.ts';
import { BUILT_IN } from '../tools/built-in.ts';
import type { SeenEntry } from './event.ts';
import { usageKey } from './usage-key.ts';
import type { Folded } from './fold/fold.ts';
import type { EntryTally } from './fold/tally.ts';

/** An entry of the catalog and what is known of its use. */
export interface EntryUse {
  readonly entry: Entry;
  /** As events name it: `platform:deploy/rollback`, `github__create_issue`. */
  readonly id: string;
  /** Undefined where no event names it. */
  readonly tally: EntryTally | undefined;
  /**
   * Since when it could be used, milliseconds since 1970: when it was first seen, or first named by an event. Where neither is known, since
   * the first event, as if it had been there all the time. Undefined without any event.
   */
  readonly availableSince: number | undefined;
}

export interface JoinOptions {
  readonly seen: readonly SeenEntry[];
  /** The repository whose workspace the catalog shows, as events name it; null without one. */
  readonly repo: string | null;
}

/** Whether the people of this catalog can do anything about an entry: it is theirs, and no tool of our own. */
export function isOurs(entry: Entry): boolean {
  return isMaintained(entry) && !(entry.kind === 'tool' && entry.tool.server === BUILT_IN);
}

/** The id by which events name an entry. */
export function usageIdOf(entry: Entry): string {
  return entry.kind === 'tool' ? entry.id : entry.qualifiedId;
}

/** Every entry of the catalog with its use, in the catalog's order. */
export function joinCatalog(folded: Folded, catalog: Catalog, { seen, repo }: JoinOptions): readonly EntryUse[] {
  const firstSeen = new Map<string, number>();
  for (const each of seen) {
    const key = usageKey(each);
    firstSeen.set(key, Math.min(each.firstSeen, firstSeen.get(key) ?? Infinity));
  }
  return catalog.entries.map((entry) => {
    const id = usageIdOf(entry);
    const isOfWorkspace = entry.kind === 'playbook' && entry.playbook.source.kind === 'workspace';
    const own = usageKey({ entry: id, source: isOfWorkspace ? 'workspace' : '', repo });
    // A log that does not tell repositories knows one of each id.
    const key = folded.entries.has(own) ? own : id;
    const tally = folded.entries.get(key);
    const known = [firstSeen.get(own), firstSeen.get(id), tally?.firstAt].filter((time) => time !== undefined);
    return { entry, id, tally, availableSince: known.length > 0 ? Math.min(...known) : folded.span?.first };
  });
}

/** See `FoldOptions.qualify`: logs of other programs may name a playbook by its bare id. */
export function qualifierOf({ byId }: Catalog): (id: string) => string {
  return (id) => {
    const entry = byId.get(id);
    return entry === undefined ? id : usageIdOf(entry);
  };
}
