import { documentFrequency } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import type { Spelling } from './search-index.ts';
import { SPELLING } from './weights.ts';

/** What a word that no entry has may have meant. */
interface Correction {
  /** As some entry spells it. */
  readonly word: string;
  readonly term: string;
  /** What it counts beside the word as written, 0..1. */
  readonly weight: number;
}

/** The likeliest corrections of a word, best first: nearest, then most used; [] where nothing is near. */
export function correct(word: string, corpus: Corpus): readonly Correction[] {
  const maxEdits = maxEditsOf(word);
  if (maxEdits === undefined) return [];
  const bestOfTerm = new Map<string, Candidate>();
  for (const spelling of corpus.segments.flatMap((segment) => segment.spellingsOf(word, maxEdits))) {
    const candidate = { ...spelling, frequency: documentFrequency(corpus, spelling.term) };
    const known = bestOfTerm.get(spelling.term);
    if (known === undefined || byLikelihood(candidate, known) < 0) bestOfTerm.set(spelling.term, candidate);
  }
  return [...bestOfTerm.values()]
    .sort(byLikelihood)
    .slice(0, SPELLING.maxCandidates)
    .map((candidate) => ({ word: candidate.word, term: candidate.term, weight: weightOf(candidate) }));
}

interface Candidate extends Spelling {
  readonly frequency: number;
}

function byLikelihood(a: Candidate, b: Candidate): number {
  return a.edits - b.edits || b.frequency - a.frequency || (a.word < b.word ? -1 : 1);
}

/** Short words have too many neighbours, and one with a digit (`s3`, `v2`) is another thing when a sign changes. */
function maxEditsOf(word: string): number | undefined {
  if (word.length < SPELLING.prefixFrom || /\p{N}/u.test(word)) return undefined;
  if (word.length < SPELLING.oneEditFrom) return 0;
  return word.length < SPELLING.twoEditsFrom ? 1 : 2;
}

function weightOf({ edits }: Spelling): number {
  if (edits === 0) return SPELLING.prefix;
  return edits === 1 ? SPELLING.oneEdit : SPELLING.twoEdits;
}
