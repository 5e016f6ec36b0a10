/** A hash of a run of terms, 32 bits. @see Appleby 2011, MurmurHash3: its final mix. */
export function hashRun(terms: Uint32Array, start: number, length: number): number {
  let hash = length;
  for (let at = start; at < start + length; at += 1) {
    hash = Math.imul(hash ^ (terms[at] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/**
 * Terms in a run that is compared. Of runs of three, a third survives when three words of ten are changed; of runs of
 * five, a sixth. Runs of two are shared by playbooks that merely have the same subject.
 */
const RUN = 3;

/** So many runs of the smaller text count as not shared, so that one command that two short playbooks quote is no likeness. */
const UNSHARED = 6;

/**
 * The share of the smaller text's runs that the other one has too, 0..1.
 * @see Broder 1997, On the resemblance and containment of documents.
 */
export function sharedShingleRatio(a: Uint32Array, b: Uint32Array): number {
  const inA = runsOf(a);
  const inB = runsOf(b);
  const [few, many] = inA.size <= inB.size ? [inA, inB] : [inB, inA];
  let shared = 0;
  for (const run of few) if (many.has(run)) shared += 1;
  return few.size === 0 ? 0 : shared / (few.size + (shared === few.size ? 0 : UNSHARED));
}

const runs = new WeakMap<Uint32Array, ReadonlySet<number>>();

function runsOf(terms: Uint32Array): ReadonlySet<number> {
  const known = runs.get(terms);
  if (known !== undefined) return known;
  const found = new Set<number>();
  for (let start = 0; start + RUN <= terms.length; start += 1) found.add(hashRun(terms, start, RUN));
  runs.set(terms, found);
  return found;
}
