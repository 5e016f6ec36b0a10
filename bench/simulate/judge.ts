import { defaultConfig } from '../../src/config/defaults.ts';
import { DAY_MS } from '../../src/usage/day.ts';
import { foldUsage } from '../../src/usage/fold/fold.ts';
import { joinCatalog, qualifierOf } from '../../src/usage/join.ts';
import type { Proposal, ProposalKind } from '../../src/usage/review/proposal.ts';
import { reviewUsage } from '../../src/usage/review/review.ts';
import type { Fate, SimulatedPlaybook } from './library.ts';
import { readerOf } from './reader.ts';
import type { SimulatedYear } from './year.ts';

export const KINDS = [
  'retire',
  'merge',
  'rewrite',
  'fix',
  'write',
  'undeprecate',
] as const satisfies readonly ProposalKind[];

/** How much of what is true was named, and how much of what was named is true. */
export interface Verdict {
  readonly truth: number;
  readonly found: number;
  readonly named: number;
  readonly isFalse: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

const FATES: Readonly<Partial<Record<ProposalKind, readonly Fate[]>>> = {
  retire: ['dead', 'died', 'deprecated-left'],
  merge: ['copied', 'copied-unshared', 'same-use'],
  rewrite: ['vague', 'greedy', 'misleading'],
  fix: ['failing'],
  undeprecate: ['deprecated-used'],
};

/** Compares what a review of a simulated year proposes with what is true. */
export function judge(year: SimulatedYear, proposals: readonly Proposal[]): Readonly<Record<ProposalKind, Verdict>> {
  // Of some twins it is left open whether their use shows what they are.
  const twins = new Set(
    year.library.playbooks.flatMap(({ id, twin }) => (twin === undefined ? [] : [pairName(id, twin)])),
  );
  const verdicts = KINDS.map((kind) => {
    const truth = truthOf(year, kind);
    const named = proposals.filter((proposal) => proposal.kind === kind).map((proposal) => nameOf(proposal, year));
    const missed = [...truth].filter((name) => !named.includes(name));
    const wrong = named.filter((name) => !truth.has(name) && !(kind === 'merge' && twins.has(name)));
    const verdict = {
      truth: truth.size,
      found: truth.size - missed.length,
      named: named.length,
      isFalse: wrong.length,
      missed,
      wrong,
    };
    return [kind, verdict] as const;
  });
  const [retire, merge, rewrite, fix, write, undeprecate] = verdicts.map(([, verdict]) => verdict);
  if (!retire || !merge || !rewrite || !fix || !write || !undeprecate) throw new Error('a kind is missing');
  return { retire, merge, rewrite, fix, write, undeprecate };
}

/** What `review` says about a simulated year. */
export async function proposalsFor({ events, seen, catalog, now }: SimulatedYear): Promise<readonly Proposal[]> {
  const reader = readerOf(events, seen);
  const folded = await foldUsage(reader, { qualify: qualifierOf(catalog) });
  const uses = joinCatalog(folded, catalog, { seen, repo: null });
  return reviewUsage({ folded, catalog, uses, reports: [], now, thresholds: defaultConfig.review });
}

function truthOf(year: SimulatedYear, kind: ProposalKind): ReadonlySet<string> {
  const { library, missingOf } = year;
  const fates = FATES[kind];
  if (fates === undefined) return new Set([...missingOf.values()].map(({ nouns }) => nouns.join(' ')));
  const lately = kind === 'retire' ? usedOfLate(year) : new Set();
  const chosen = library.playbooks.filter(({ fate, id }) => fates.includes(fate) && !lately.has(id));
  if (kind !== 'merge') return new Set(chosen.map(({ id }) => id));
  const times = timesFound(year);
  // Texts do not show that two are for the same use; then agents must have taken both.
  const isShown = ({ fate, id, twin = '' }: SimulatedPlaybook): boolean =>
    fate !== 'same-use' || Math.min(times.get(id) ?? 0, times.get(twin) ?? 0) >= 10;
  return new Set(chosen.filter(isShown).flatMap(({ id, twin }) => (twin === undefined ? [] : [pairName(id, twin)])));
}

function nameOf(proposal: Proposal, { missingOf }: SimulatedYear): string {
  switch (proposal.kind) {
    case 'merge':
      return pairName(...proposal.entries);
    case 'write':
      return missingOf.get(proposal.query)?.nouns.join(' ') ?? `query ${proposal.query}`;
    default:
      return proposal.entry;
  }
}

/** What is dead and was taken by mistake in the last 90 days looks alive to everybody. */
function usedOfLate({ events, now }: SimulatedYear): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ time, operation, entry }) =>
      operation === 'execute' && entry !== null && time >= now - 90 * DAY_MS ? [entry] : [],
    ),
  );
}

/** How often each was used that a search had listed. */
function timesFound({ events }: SimulatedYear): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { operation, entry, query } of events) {
    if (operation === 'execute' && entry !== null && query !== null) times.set(entry, (times.get(entry) ?? 0) + 1);
  }
  return times;
}

function pairName(a: string, b: string): string {
  return [a, b].sort().join(' + ');
}
