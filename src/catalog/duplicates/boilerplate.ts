import { hashRun } from './shingles.ts';

/** Terms in a run that is counted: long enough that playbooks with one subject share few of them by chance. */
const RUN = 4;
/** Slots that runs are counted in, at most; two runs in one slot make both look more frequent, which at three million runs hardly happens twice. */
const MOST_SLOTS = 1 << 22;
/** So many slots a term keep runs apart in smaller catalogs, where clearing and reading all would take most of the time. */
const SLOTS_A_TERM = 32;
/** A run in more playbooks than this is a template's, not a copy's. Ten copies of one playbook are rarer than ten licence headers. */
const MOST_COPIES = 8;
/** In small catalogs a template is in fewer playbooks; four copies of one are not yet a template. */
const FEWEST_COPIES = 4;
const COPIES_SHARE = 0.1;

/** A count beyond it stays there; it is above `MOST_COPIES`. So many bits leave room for the numbers of 16 million texts. */
const MOST_COUNTED = 255;
const COUNT_BITS = 8;

/** How many playbooks have each run of terms. */
export interface RunCounts {
  readonly counts: Uint8Array;
  /** A run in more playbooks than this is boilerplate. */
  readonly mostCopies: number;
}

/** Counts in how many of the texts each run of terms occurs. */
export function countRuns(texts: readonly Uint32Array[]): RunCounts {
  const slots = slotsFor(texts);
  const counts = new Uint8Array(slots);
  // One look into memory a run: the last text that had it, from 1, above its count. Both are far apart in two arrays of this size.
  const seen = new Uint32Array(slots);
  for (const [number, terms] of texts.entries()) {
    const mark = ((number + 1) << COUNT_BITS) >>> 0;
    for (let start = 0; start + RUN <= terms.length; start += 1) {
      const slot = hashRun(terms, start, RUN) % slots;
      const last = seen[slot] ?? 0;
      if (last >= mark) continue;
      seen[slot] = mark + Math.min(MOST_COUNTED, (last & MOST_COUNTED) + 1);
    }
  }
  for (let slot = 0; slot < slots; slot += 1) counts[slot] = (seen[slot] ?? 0) & MOST_COUNTED;
  return {
    counts,
    mostCopies: Math.max(FEWEST_COPIES, Math.min(MOST_COPIES, texts.length * COPIES_SHARE)),
  };
}

/** A power of two. */
function slotsFor(texts: readonly Uint32Array[]): number {
  const terms = texts.reduce((sum, { length }) => sum + length, 0);
  return Math.min(MOST_SLOTS, 2 ** Math.ceil(Math.log2(Math.max(1, terms * SLOTS_A_TERM))));
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
    if ((counts[hashRun(terms, start, RUN) % counts.length] ?? 0) > mostCopies) isCommon.fill(1, start, start + RUN);
  }
  const own = new Uint32Array(terms.length);
  let size = 0;
  for (let at = 0; at < terms.length; at += 1) {
    own[size] = terms[at] ?? 0;
    size += isCommon[at] === 0 ? 1 : 0;
  }
  return own.slice(0, size);
}
