import { type DuplicatePair, findDuplicates } from '../../catalog/duplicates/find.ts';
import { suggestKeep } from '../../catalog/duplicates/keep.ts';
import { buildGraph } from '../../catalog/graph.ts';
import { isMaintained } from '../../catalog/maintained.ts';
import { compareIds } from '../../catalog/order.ts';
import type { Entry, PlaybookEntry } from '../../model.ts';
import { tokenize } from '../../search/tokenize.ts';
import type { QueryTally } from '../fold/query-tally.ts';
import type { EntryTally } from '../fold/tally.ts';
import type { EntryUse } from '../join.ts';
import { choiceRates, choicesOf, ratioOf } from '../position-bias.ts';
import { type Vector, vectorsOf } from '../query-vectors.ts';
import { usesOf } from '../totals.ts';
import type { UnservedNeed } from './unserved.ts';
import { coverageOf, LEAST_TOLD } from './coverage.ts';
import { counted, type MergeProposal, idArgument, type ReviewInput } from './proposal.ts';
import { queriesLeadingTo, type QuerySum, SAME_QUERIES } from './query-likeness.ts';
import { withoutRefuted } from './repeated.ts';
import { findSubstitutes, type Substitutes, toSharedUse } from './substitutes.ts';

/** Queries of one kind tell two equals alone where each was taken so often. */
const OFTEN = 15;
/** Likeness × shared subject: two entries with a noun and a verb in common stay below .45. */
const SAME_SUBJECT = 0.5;

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
  const timesUsed = (id: string): number => usesOf(byId.get(id)?.tally);
  const firstSeenOf = (id: string): number | undefined => byId.get(id)?.availableSince;
  const texts = findDuplicates(input.catalog, { tokenize, useOf: timesUsed, firstSeenOf });
  // What is taken for want of an answer is no answer, nor is what is hardly ever taken.
  const unanswerable = new Set(unserved.flatMap(({ group }) => group.queries));
  const ignored = new Set(unserved.map(({ answer }) => answer?.tally));
  const queries = input.folded.queries.filter((query) => !unanswerable.has(query));
  const vectorOf = vectorsOf(queries, 'apart');
  const found = new Map<string, Found>();
  for (const text of repeatedOf(texts, { queries, vectorOf, useOf })) {
    found.set(keyOf(text.a, text.b), { a: text.a, b: text.b, text, use: undefined });
  }
  const choices = choicesOf(queries, choiceRates(queries));
  const least = input.thresholds.maxChoiceRatio / 2;
  const byKey = new Map(input.uses.map(({ tally, entry }) => [tally?.key, entry]));
  const isCandidate = (tally: EntryTally): boolean => {
    const entry = openOf(byKey.get(tally.key));
    return entry !== undefined && isMaintained(entry) && !ignored.has(tally) && ratioOf(choices.get(tally)) >= least;
  };
  for (const use of findSubstitutes(queries, vectorOf, isCandidate)) {
    const [a, b] = [openOf(byKey.get(use.a.key)), openOf(byKey.get(use.b.key))];
    if (a === undefined || b === undefined || !answersSame(use, a, b)) continue;
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

interface KnownUse {
  readonly queries: readonly QueryTally[];
  readonly vectorOf: (query: QueryTally) => Vector;
  readonly useOf: ReadonlyMap<Entry, EntryUse>;
}

function repeatedOf(texts: readonly DuplicatePair[], { queries, vectorOf, useOf }: KnownUse): readonly DuplicatePair[] {
  const pairs = texts.filter(({ kind }) => kind !== 'same-name');
  const tallyOf = (entry: PlaybookEntry): EntryTally | undefined => useOf.get(entry)?.tally;
  const sums = queriesLeadingTo(new Set(pairs.flatMap(({ a, b }) => [tallyOf(a), tallyOf(b)])), queries, vectorOf);
  const sumOf = (entry: PlaybookEntry): QuerySum | undefined => {
    const tally = tallyOf(entry);
    return tally === undefined ? undefined : sums.get(tally);
  };
  return withoutRefuted(pairs.map((text) => ({ text, a: sumOf(text.a), b: sumOf(text.b) })));
}

/** Queries of one kind lead to both, so often that it is no accident; or less clearly so, and what leads to either is about the other, too. */
function answersSame(found: Substitutes, a: PlaybookEntry, b: PlaybookEntry): boolean {
  const { likenessRatio, termsOfA, termsOfB, chosenOfA, chosenOfB } = found;
  const isOften = Math.min(chosenOfA, chosenOfB) >= OFTEN;
  if (likenessRatio >= SAME_QUERIES && isOften) return true;
  const shared = sharedSubject(termsOfA, a, b) * sharedSubject(termsOfB, b, a);
  return likenessRatio * shared >= SAME_SUBJECT;
}

/** How much of what an entry has of the words that lead to it the other one has: 0..1; 0 where words do not tell. */
function sharedSubject(terms: ReadonlyMap<string, number>, own: PlaybookEntry, other: PlaybookEntry): number {
  const ofOwn = coverageOf(terms, own).all;
  return ofOwn < LEAST_TOLD ? 0 : Math.min(1, coverageOf(terms, other).all / ofOwn);
}

function keyOf(a: PlaybookEntry, b: PlaybookEntry): string {
  return [a.qualifiedId, b.qualifiedId].sort(compareIds).join('\n');
}

/** An entry as a playbook, unless somebody has dealt with it already. */
function openOf(entry: Entry | undefined): PlaybookEntry | undefined {
  const isOpen = entry?.kind === 'playbook' && (entry.status === 'active' || entry.status === 'draft');
  return isOpen ? entry : undefined;
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
    command: `playbook-mcp deprecate ${idArgument(other)} --replace ${idArgument(kept)}`,
    evidence: {
      text: text === undefined ? null : { kind: text.kind, overlapRatio: text.overlapRatio },
      use: shared,
      uses: [usesOf(useOf.get(kept)?.tally), usesOf(useOf.get(other)?.tally)],
      keepReason: keep.reason,
    },
  };
}
