import { buildCatalog, type Catalog } from '../../src/catalog/catalog.ts';
import { defaultConfig } from '../../src/config/defaults.ts';
import type { WrappedTool } from '../../src/model.ts';
import type { SeenEntry, StepReport, UsageEvent } from '../../src/usage/event.ts';
import { type Folded, foldUsage } from '../../src/usage/fold/fold.ts';
import { joinCatalog, qualifierOf } from '../../src/usage/join.ts';
import type { Proposal, ProposalKind, ReviewInput } from '../../src/usage/review/proposal.ts';
import { reviewUsage } from '../../src/usage/review/review.ts';
import { readerOf } from '../../bench/simulate/reader.ts';
import { seed, source } from '../seed.ts';
import { event } from './seed.ts';

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 1);

/** Calls of one session, a second apart, on a day of the history. */
export function session(id: string, day: number, calls: readonly Partial<UsageEvent>[]): readonly UsageEvent[] {
  return calls.map((call, at) =>
    event({ session: id, time: START + day * DAY + at * 1000, user: id, ...(isSearch(call) && NO_ENTRY), ...call }),
  );
}

const NO_ENTRY = { entry: null, kind: null, source: null, digest: null } as const;

function isSearch({ operation }: Partial<UsageEvent>): boolean {
  return operation === 'search';
}

export function searched(query: string, ...shown: string[]): Partial<UsageEvent> {
  return { operation: 'search', query, shown, outcome: shown.length === 0 ? 'empty' : 'ok' };
}

export function used(entry: string, more: Partial<UsageEvent> = {}): Partial<UsageEvent> {
  return { operation: 'execute', entry, source: entry.split(':')[0] ?? null, ...more };
}

export function read(entry: string): Partial<UsageEvent> {
  return { operation: 'get_schema', entry };
}

export async function fold(events: readonly UsageEvent[]): Promise<Folded> {
  return foldUsage(readerOf([...events].sort((a, b) => a.time - b.time)));
}

/** A library, what was recorded of it, and the day of the review. */
export interface History {
  /** Path → text, of the source `org`. */
  readonly files: Readonly<Record<string, string>>;
  readonly tools?: readonly WrappedTool[];
  readonly events: readonly UsageEvent[];
  readonly seen?: readonly SeenEntry[];
  readonly reports?: readonly StepReport[];
  readonly day: number;
  /** As `review --since` reads: only the calls from that day on. */
  readonly sinceDay?: number;
}

export async function inputOf({
  files,
  tools = [],
  events,
  seen = [],
  reports = [],
  day,
  sinceDay,
}: History): Promise<ReviewInput> {
  const since = sinceDay === undefined ? undefined : START + sinceDay * DAY;
  const catalog: Catalog = buildCatalog({ playbooks: seed(files, source('org')), tools });
  const reader = readerOf(events.filter(({ time }) => time >= (since ?? time)).sort((a, b) => a.time - b.time));
  const folded = await foldUsage(reader, { qualify: qualifierOf(catalog) });
  const uses = joinCatalog(folded, catalog, { seen, repo: null });
  const range = since === undefined ? {} : { since };
  return { folded, catalog, uses, reports, now: START + day * DAY, thresholds: defaultConfig.review, ...range };
}

/** The proposals of one kind. */
export async function propose<Kind extends ProposalKind>(
  kind: Kind,
  history: History,
): Promise<readonly Extract<Proposal, { readonly kind: Kind }>[]> {
  const isOfKind = (proposal: Proposal): proposal is Extract<Proposal, { readonly kind: Kind }> =>
    proposal.kind === kind;
  return reviewUsage(await inputOf(history)).filter(isOfKind);
}
