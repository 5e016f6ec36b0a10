import type {
  Deprecation,
  Diagnostic,
  Entry,
  JsonSchema,
  Playbook,
  PlaybookEntry,
  QuarantinedTool,
  ToolEntry,
  WrappedTool,
} from '../model.ts';
import { toJsonSchema } from '../playbooks/parameters.ts';
import { groupBy } from './group.ts';
import { compareIds } from './order.ts';

/** What a snapshot is made of. */
export interface CatalogParts {
  /** Most specific source first: the first of two playbooks with one id wins the bare id. */
  readonly playbooks: readonly Playbook[];
  readonly tools: readonly WrappedTool[];
  /** Tools that nobody may find or execute, but whose ids are theirs. */
  readonly quarantined?: readonly QuarantinedTool[];
  /** Entries that the configuration retires, by id. */
  readonly retired?: ReadonlyMap<string, Deprecation>;
  /** Beginnings of ids that belong to tools, known yet or not: `github__` of a configured server. */
  readonly toolPrefixes?: readonly string[];
}

/** One immutable state of everything that can be found and executed. */
export interface Catalog {
  /** Ordered by kind, then id; retired entries included. */
  readonly entries: readonly Entry[];
  /** Every id that names exactly one entry: bare ids, `source:id`, tool ids. */
  readonly byId: ReadonlyMap<string, Entry>;
  /** Entries that share a name, for calls by bare name; keys in lower case. */
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  /** By id; none of them is an entry. */
  readonly quarantined: ReadonlyMap<string, QuarantinedTool>;
  /** Collisions between sources. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The id of a playbook that is unambiguous everywhere: `platform:deploy/rollback`. */
export function qualifiedIdOf({ source, id }: Pick<Playbook, 'source' | 'id'>): string {
  return `${source.name}:${id}`;
}

/**
 * Builds a snapshot: decides who wins each bare id, and indexes entries by every id that calls them.
 *
 * A tool's id is never taken by a playbook, and a workspace that nobody trusts wins a bare id only where nobody else
 * wants it: text that a repository ships must not stand in for what the organisation wrote.
 */
export function buildCatalog(parts: CatalogParts): Catalog {
  const playbooks = uniqueByFile(parts.playbooks);
  const isToolId = toolIdTest(parts);
  const trustedNames = new Set(playbooks.filter(({ source }) => source.isTrusted).map(nameKey));
  const contenders = groupBy(playbooks, (playbook) => playbook.id);
  const entries: Entry[] = parts.tools.map((tool) => toToolEntry(tool, parts.retired?.get(tool.id)));
  const diagnostics: Diagnostic[] = [];
  for (const [id, rivals] of contenders) {
    const winner = isToolId(id) ? undefined : winnerOf(rivals, trustedNames);
    const losers = rivals.filter((rival) => rival !== winner);
    for (const playbook of rivals) {
      const isWinner = playbook === winner;
      const shadows = isWinner ? losers.map(qualifiedIdOf) : [];
      entries.push(toPlaybookEntry(playbook, { id: isWinner ? id : qualifiedIdOf(playbook), shadows, parts }));
    }
    for (const loser of losers) diagnostics.push(shadowed(loser, winner));
  }
  entries.sort((a, b) => compareIds(a.kind, b.kind) || compareIds(a.id, b.id));
  return {
    entries,
    byId: indexIds(entries),
    byName: groupBy(nameable(entries), nameKey),
    quarantined: new Map((parts.quarantined ?? []).map((held) => [held.tool.id, held])),
    diagnostics,
  };
}

/** Key of `Catalog.byName`. */
export function nameKey(entry: Pick<Entry, 'name'>): string {
  return entry.name.toLowerCase();
}

function toolIdTest({ tools, quarantined = [], toolPrefixes = [] }: CatalogParts): (id: string) => boolean {
  const ids = new Set([...tools, ...quarantined.map(({ tool }) => tool)].map(({ id }) => id));
  return (id) => ids.has(id) || toolPrefixes.some((prefix) => id.startsWith(prefix));
}

/** The first trusted one; of a workspace that nobody trusts only where no trusted playbook is called by that id or name. */
function winnerOf(rivals: readonly Playbook[], trustedNames: ReadonlySet<string>): Playbook | undefined {
  const [first] = rivals;
  const trusted = rivals.find(({ source }) => source.isTrusted);
  return trusted ?? (first !== undefined && !trustedNames.has(first.id.toLowerCase()) ? first : undefined);
}

/** What can be called by its name: an untrusted playbook neither takes a trusted one's name nor makes it ambiguous. */
function nameable(entries: readonly Entry[]): readonly Entry[] {
  const isTrusted = (entry: Entry): boolean => entry.kind === 'tool' || entry.playbook.source.isTrusted;
  const trustedNames = new Set(entries.filter(isTrusted).map(nameKey));
  return entries.filter((entry) => isTrusted(entry) || !trustedNames.has(nameKey(entry)));
}

/**
 * The same file reached through two sources is one playbook: of the more specific source, but of a trusted one before an
 * untrusted, so that a repository cannot take over what the person has of their own.
 */
function uniqueByFile(playbooks: readonly Playbook[]): readonly Playbook[] {
  const owners = new Map<string, Playbook>();
  for (const playbook of playbooks) {
    const owner = owners.get(playbook.realPath);
    if (owner === undefined || (playbook.source.isTrusted && !owner.source.isTrusted))
      owners.set(playbook.realPath, playbook);
  }
  return playbooks.filter((playbook) => owners.get(playbook.realPath) === playbook);
}

function indexIds(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const byId = new Map<string, Entry>(entries.map((entry) => [entry.id, entry]));
  for (const entry of entries) if (entry.kind === 'playbook') byId.set(entry.qualifiedId, entry);
  return byId;
}

/** A playbook as an entry of no catalog: under its own id, shadowing nothing. */
export function entryAlone(playbook: Playbook): PlaybookEntry {
  return toPlaybookEntry(playbook, { id: playbook.id, shadows: [], parts: { playbooks: [], tools: [] } });
}

function toPlaybookEntry(
  playbook: Playbook,
  { id, shadows, parts }: { id: string; shadows: readonly string[]; parts: CatalogParts },
): PlaybookEntry {
  const retired = parts.retired?.get(id) ?? parts.retired?.get(qualifiedIdOf(playbook));
  const deprecation = retired ?? playbook.deprecation;
  return {
    kind: 'playbook',
    id,
    qualifiedId: qualifiedIdOf(playbook),
    name: playbook.name,
    description: playbook.description,
    tags: playbook.tags,
    source: playbook.source.label,
    status: retired === undefined ? playbook.status : 'retired',
    ...(deprecation === undefined ? {} : { deprecation }),
    inputSchema: toJsonSchema(playbook.parameters),
    digest: playbook.digest,
    playbook,
    shadows,
  };
}

function toToolEntry(tool: WrappedTool, retired: Deprecation | undefined): ToolEntry {
  return {
    kind: 'tool',
    id: tool.id,
    name: tool.name,
    description: tool.description,
    tags: tool.tags,
    source: tool.server,
    status: retired === undefined ? 'active' : 'retired',
    ...(retired === undefined ? {} : { deprecation: retired }),
    inputSchema: tool.inputSchema satisfies JsonSchema,
    digest: tool.digest,
    tool,
  };
}

function shadowed(loser: Playbook, winner: Playbook | undefined): Diagnostic {
  const by = winner === undefined ? 'a tool or a trusted playbook' : qualifiedIdOf(winner);
  return {
    rule: 'shadowed',
    severity: 'info',
    path: loser.path,
    line: 1,
    column: 1,
    message: `The id "${loser.id}" means ${by}; this playbook is called as ${qualifiedIdOf(loser)}.`,
    hint: 'Rename one of the two, or call this one by its full id.',
  };
}
