import { type DuplicatePair, findDuplicates } from '../../catalog/duplicates/find.ts';
import { suggestKeep } from '../../catalog/duplicates/keep.ts';
import { buildGraph } from '../../catalog/graph.ts';
import { isMaintained } from '../../catalog/maintained.ts';
import { compareIds } from '../../catalog/order.ts';
import type { Entry, PlaybookEntry } from '../../model.ts';
import { tokenize } from '../../search/tokenize.ts';
import type { EntryUse } from '../join.ts';
import { choiceRates, choicesOf, ratioOf } from '../position-bias.ts';
import type { UnservedNeed } from './unserved.ts';
import { coverageOf } from './coverage.ts';
import { counted, type MergeProposal, quoted, type ReviewInput } from './proposal.ts';
import { findSubstitutes, type Substitutes, toSharedUse } from './substitutes.ts';

/** Likeness of the queries that alone tells two equals. */
const SAME_QUERIES = 0.9;
/** The share of what an entry has of the words that lead to it that an equal of it must have. */
const SAME_SUBJECT = 0.75;

/** A pair to merge, with what speaks for it. */
interface Found {
  readonly a: PlaybookEntry;
  readonly b: PlaybookEntry;
  readonly text: DuplicatePair | undefined;
  readonly use: Substitutes | undefined;
}

/**
 * Playbooks that repeat each other, by their texts (`findDuplicates`) or by their use (`findSubstitutes`), the most alike texts first. A
 * common name alone is no repetition.
 */
export function findMergeable(input: ReviewInput, unserved: readonly UnservedNeed[]): readonly MergeProposal[] {
  const useOf = new Map(input.uses.map((use) => [use.entry, use]));
  const byId = new Map(input.uses.map((use) => [use.entry.id, use]));
  const timesUsed = (id: string): number => usesOf(byId.get(id));
  const firstSeenOf = (id: string): number | undefined => byId.get(id)?.availableSince;
  const texts = findDuplicates(input.catalog, { tokenize, useOf: timesUsed, firstSeenOf });
  const found = new Map<string, Found>();
  for (const text of texts) {
    if (text.kind !== 'same-name') found.set(keyOf(text.a, text.b), { ...text, text, use: undefined });
  }
  // What is taken for want of an answer is no answer, nor is what is hardly ever taken.
  const unanswerable = new Set(unserved.flatMap(({ group }) => group.queries));
  const queries = input.folded.queries.filter((query) => !unanswerable.has(query));
  const choices = choicesOf(queries, choiceRates(queries));
  const least = input.thresholds.maxChoiceRatio / 2;
  for (const use of findSubstitutes(queries)) {
    const [a, b] = [entryOf(use.a.key, input), entryOf(use.b.key, input)];
    if (a === undefined || b === undefined || !answersSame(use, a, b)) continue;
    if ([use.a, use.b].some((each) => ratioOf(choices.get(each)) < least)) continue;
    const known = found.get(keyOf(a, b));
    found.set(keyOf(a, b), known === undefined ? { a, b, text: undefined, use } : { ...known, use });
  }
  const { parents } = buildGraph(input.catalog);
  const referencesTo = (entry: PlaybookEntry): number => parents.get(entry)?.length ?? 0;
  return [...found.values()]
    .filter(({ a, b }) => isMaintained(a) && isMaintained(b))
    .map((pair) => {
      const keep = suggestKeep(pair.a, pair.b, { useOf: timesUsed, firstSeenOf, referencesTo });
      return toProposal(pair, { keep, useOf });
    })
    .sort(
      (x, y) =>
        (y.evidence.text?.overlapRatio ?? 0) - (x.evidence.text?.overlapRatio ?? 0) ||
        compareIds(x.entries.join('\n'), y.entries.join('\n')),
    );
}

/** Queries of one kind lead to both; or of nearly one, and what leads to either is about what the other is about, too. */
function answersSame({ likenessRatio, termsOfA, termsOfB }: Substitutes, a: PlaybookEntry, b: PlaybookEntry): boolean {
  if (likenessRatio >= SAME_QUERIES) return true;
  const covers = (terms: ReadonlyMap<string, number>, own: PlaybookEntry, other: PlaybookEntry): boolean =>
    coverageOf(terms, other).all >= SAME_SUBJECT * coverageOf(terms, own).all;
  return covers(termsOfA, a, b) && covers(termsOfB, b, a);
}

function keyOf(a: PlaybookEntry, b: PlaybookEntry): string {
  return [a.qualifiedId, b.qualifiedId].sort(compareIds).join('\n');
}

/** The playbook of a tally, unless somebody has dealt with it already. */
function entryOf(key: string, { uses }: ReviewInput): PlaybookEntry | undefined {
  const entry = uses.find(({ tally }) => tally?.key === key)?.entry;
  const isOpen = entry?.kind === 'playbook' && (entry.status === 'active' || entry.status === 'draft');
  return isOpen ? entry : undefined;
}

function usesOf(use: EntryUse | undefined): number {
  return use?.tally === undefined ? 0 : use.tally.executes + use.tally.reads;
}

interface Decided {
  readonly keep: { readonly id: string; readonly reason: string };
  readonly useOf: ReadonlyMap<Entry, EntryUse>;
}

function toProposal({ a, b, text, use }: Found, { keep, useOf }: Decided): MergeProposal {
  const [kept, other] = keep.id === a.id ? [a, b] : [b, a];
  const shared = toSharedUse(use, useOf.get(kept)?.tally);
  const reasons = [
    ...(text === undefined ? [] : [`Their texts share ${Math.floor(text.overlapRatio * 100)} %.`]),
    ...(shared === null
      ? []
      : [
          `For the same queries one was taken ${counted(shared.chosen[0], 'time')} and the other one ${counted(shared.chosen[1], 'time')}.`,
        ]),
  ];
  return {
    kind: 'merge',
    entries: [kept.qualifiedId, other.qualifiedId],
    keep: kept.qualifiedId,
    reason: reasons.join(' '),
    command: `playbook-mcp deprecate ${quoted(other.id)} --replace ${quoted(kept.id)}`,
    evidence: {
      text: text === undefined ? null : { kind: text.kind, overlapRatio: text.overlapRatio },
      use: shared,
      uses: [usesOf(useOf.get(kept)), usesOf(useOf.get(other))],
      keepReason: keep.reason,
    },
  };
}
