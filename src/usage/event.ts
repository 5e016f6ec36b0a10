import * as z from 'zod';

/**
 * What is kept of one call, and one line of `usage export` and `usage import`. Never argument values.
 *
 * `get_schema` of several ids is one event an id; the first of them carries the call's latency, the others 0.
 */
export const usageEvent = z.strictObject({
  /** Unique across machines (UUID); what is imported twice counts once. */
  id: z.string().min(1),
  /** When the call came, milliseconds since 1970. */
  time: z.int(),
  /** The calls of one piece of work: of one connection, or of one stateless client within 30 minutes. */
  session: z.string(),
  /** What the client calls itself; null where it does not. */
  client: z.string().nullable(),
  /** Who called, where several people share the store; null where that is unknown or not to be kept. */
  user: z.string().nullable(),
  /** The workspace's repository: its remote without scheme and credentials, else its folder's name; null without a workspace. */
  repo: z.string().nullable(),
  operation: z.enum(['search', 'get_schema', 'execute', 'prompt', 'resource']),
  /** Qualified id of the entry (`platform:deploy/rollback`, `github__create_issue`); as asked for where nothing has that id; null for a search. */
  entry: z.string().nullable(),
  kind: z.enum(['playbook', 'tool']).nullable(),
  /** Name of the playbook's source or the tool's server; `workspace` for a playbook of `repo`. */
  source: z.string().nullable(),
  /** SHA-256 of what was served, hex. */
  digest: z.string().nullable(),
  /** A search that listed nothing is `empty`. */
  outcome: z.enum(['ok', 'empty', 'error']),
  /** Code of the error (`tools/timeout`); null where there is none. */
  code: z.string().nullable(),
  /** Latency, milliseconds. */
  ms: z.number().nonnegative(),
  /** Tokens that the client was given (an estimate). */
  tokens: z.int().nonnegative(),
  /** 1-based rank at which the session's latest search that listed the entry had it; null where none did. */
  rank: z.int().positive().nullable(),
  /** Words of a search, and of the search that led to this entry; a hash or null where the configuration says so. */
  query: z.string().nullable(),
  /** Qualified ids that a search listed, best first; null for other operations. */
  shown: z.array(z.string()).nullable(),
  /** Trace id of the caller's `traceparent`; null where it sent none. */
  trace: z.string().nullable(),
});

export type UsageEvent = Readonly<z.infer<typeof usageEvent>>;

/** An entry and since when it can be used: the clock of "unused" starts there. Also a line of the export. */
export const seenEntry = z.strictObject({
  entry: z.string(),
  kind: z.enum(['playbook', 'tool']),
  source: z.string(),
  /** See `UsageEvent.repo`; null but for playbooks of a workspace. */
  repo: z.string().nullable(),
  /** Milliseconds since 1970. */
  firstSeen: z.int(),
  lastSeen: z.int(),
});

export type SeenEntry = Readonly<z.infer<typeof seenEntry>>;

/** What an agent said is wrong or outdated in a playbook (`playbooks__report`). Also a line of the export. */
export const stepReport = z.strictObject({
  id: z.string().min(1),
  time: z.int(),
  entry: z.string(),
  repo: z.string().nullable(),
  /** Digest of the playbook that it is about: a report about an older text is settled. */
  digest: z.string(),
  /** The step at fault, as the agent names it; null where it is about the whole. */
  step: z.string().nullable(),
  problem: z.string(),
  client: z.string().nullable(),
  user: z.string().nullable(),
});

export type StepReport = Readonly<z.infer<typeof stepReport>>;

/**
 * An event as it is counted. Texts that are many times there are one string in all events, whose hash is made once: of a million events
 * with texts of their own, hashing them was much of the work. Sessions and people are many and are only told apart.
 */
export interface CodedEvent extends Omit<UsageEvent, 'id' | 'session' | 'user' | 'rank' | 'shown' | 'trace'> {
  /** Below 0, and no other event's, where the session is not known. */
  readonly session: number;
  /** A person and a session of one name have one number. */
  readonly user: number | null;
  /** Of the words of `query`, one for all events that have them; 0 for none. */
  readonly queryNumber: number;
  /** One list for all searches that were answered alike. */
  readonly shown: readonly string[] | null;
}

/** Milliseconds since 1970; `since` included, `until` not. */
export interface TimeRange {
  readonly since?: number;
  readonly until?: number;
}

/** What is read of a store: events in the order of time, in batches, since a million of them are not held at once. */
export interface UsageReader {
  readonly events: (range?: TimeRange) => AsyncIterable<readonly UsageEvent[]>;
  /** The same events, for whoever counts them, once. A large store is read from this call on; `close` ends that. */
  readonly codedEvents: (range?: TimeRange) => AsyncIterable<readonly CodedEvent[]>;
  readonly seenEntries: () => Promise<readonly SeenEntry[]>;
  readonly reports: () => Promise<readonly StepReport[]>;
  readonly close: () => Promise<void>;
}
