import { hashRun } from './shingles.ts';

/** Terms in a run that is counted: long enough that playbooks with one subject share few of them by chance. */
const RUN = 4;
/** Slots that runs are counted in; two runs in one slot make both look more frequent, which at three million runs hardly happens twice. */
const SLOTS = 1 << 22;
/** A run in more playbooks than this is a template's, not a copy's. Ten copies of one playbook are rarer than ten licence headers. */
const MOST_COPIES = 8;
/** In small catalogs a template is in fewer playbooks; four copies of one are not yet a template. */
const FEWEST_COPIES = 4;
const COPIES_SHARE = 0.1;

/** How many playbooks have each run of terms. */
export interface RunCounts {
  readonly counts: Uint8Array;
  /** A run in more playbooks than this is boilerplate. */
  readonly mostCopies: number;
}

/** Counts in how many of the texts each run of terms occurs. */
export function countRuns(texts: readonly Uint32Array[]): RunCounts {
  const counts = new Uint8ClampedArray(SLOTS);
  const lastText = new Int32Array(SLOTS).fill(-1);
  for (const [number, terms] of texts.entries()) {
    for (let start = 0; start + RUN <= terms.length; start += 1) {
      const slot = hashRun(terms, start, RUN) % SLOTS;
      if (lastText[slot] === number) continue;
      lastText[slot] = number;
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
  }
  return {
    counts: new Uint8Array(counts.buffer),
    mostCopies: Math.max(FEWEST_COPIES, Math.min(MOST_COPIES, texts.length * COPIES_SHARE)),
  };
}

/**
 * The terms that are the text's own: without licence headers, "when to use" templates and whatever else many playbooks have.
 * A text of which nothing is left stays whole: then the playbook itself has been copied that often.
 */
export function withoutBoilerplate(terms: Uint32Array, runs: RunCounts): Uint32Array {
  const own = ownTerms(terms, runs);
  return own.length === 0 ? terms : own;
}

/** Whether most of a passage is in many playbooks. */
export function isMostlyBoilerplate(terms: Uint32Array, runs: RunCounts): boolean {
  return ownTerms(terms, runs).length * 2 < terms.length;
}

function ownTerms(terms: Uint32Array, { counts, mostCopies }: RunCounts): Uint32Array {
  const isCommon = new Uint8Array(terms.length);
  for (let start = 0; start + RUN <= terms.length; start += 1) {
    if ((counts[hashRun(terms, start, RUN) % SLOTS] ?? 0) > mostCopies) isCommon.fill(1, start, start + RUN);
  }
  return terms.filter((_, at) => isCommon[at] === 0);
}
