import { documentFrequency } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import type { Spelling } from './search-index.ts';
import { SPELLING } from './weights.ts';

/** What a word that no entry has may have meant. */
export interface Correction {
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
  const byTerm = new Map<string, Correction>();
  for (const segment of corpus.segments) {
    for (const spelling of segment.spellingsOf(word, maxEdits)) {
      const found = { word: spelling.word, term: spelling.term, weight: weightOf(spelling) };
      const known = byTerm.get(found.term);
      if (known === undefined || isBetterSpelling(found, known)) byTerm.set(found.term, found);
    }
  }
  return [...byTerm.values()]
    .map((correction) => ({ correction, frequency: documentFrequency(corpus, correction.term) }))
    .sort(
      (a, b) =>
        b.correction.weight - a.correction.weight ||
        b.frequency - a.frequency ||
        (a.correction.term < b.correction.term ? -1 : 1),
    )
    .slice(0, SPELLING.maxCandidates)
    .map(({ correction }) => correction);
}

/** Short words have too many neighbours, and one with a digit (`s3`, `v2`) is another thing when a sign changes. */
function maxEditsOf(word: string): number | undefined {
  if (word.length < 3 || /\p{N}/u.test(word)) return undefined;
  return word.length < SPELLING.oneEditFrom ? 0 : word.length < SPELLING.twoEditsFrom ? 1 : 2;
}

function weightOf({ edits }: Spelling): number {
  if (edits === 0) return SPELLING.prefix;
  return edits === 1 ? SPELLING.oneEdit : SPELLING.twoEdits;
}

function isBetterSpelling(a: Correction, b: Correction): boolean {
  return a.weight > b.weight || (a.weight === b.weight && a.word < b.word);
}
