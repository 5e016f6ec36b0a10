import type { Entry } from '../../model.ts';
import { tokenize } from '../../search/tokenize.ts';

/** Letters of a text's opening: a heading and a sentence or two. */
const OPENING = 200;
const OFTEN = 3;

/** Below this coverage even what is taken has nothing in common with what was asked: the words are hashed, or of another language. */
export const LEAST_TOLD = 0.3;

/** A term and how much it weighs. */
export type WeighedTerms = Iterable<readonly [term: string, weight: number]>;

const NOTHING: ReadonlySet<string> = new Set();
const termsOfEntry = new WeakMap<Entry, { readonly head: ReadonlySet<string>; readonly all: ReadonlySet<string> }>();

/** What share of the terms, by weight, an entry has in what describes it: 0..1. */
export function headCoverageOf(terms: WeighedTerms, entry: Entry): number {
  const { head: own } = readTerms(entry);
  let [total, head] = [0, 0];
  for (const [term, weight] of terms) {
    total += weight;
    if (own.has(term)) head += weight;
  }
  return total === 0 ? 0 : head / total;
}

/** What share of the terms, by weight, an entry has in what describes it, and in that and what its text is about: 0..1. */
export function coverageOf(
  terms: WeighedTerms,
  entry: Entry,
  learned: ReadonlySet<string> = NOTHING,
): { readonly head: number; readonly all: number } {
  const own = readTerms(entry);
  let [total, head, all] = [0, 0, 0];
  for (const [term, weight] of terms) {
    total += weight;
    if (own.head.has(term)) head += weight;
    if (own.all.has(term) || learned.has(term)) all += weight;
  }
  return total === 0 ? { head: 0, all: 0 } : { head: head / total, all: all / total };
}

function readTerms(entry: Entry): { readonly head: ReadonlySet<string>; readonly all: ReadonlySet<string> } {
  const known = termsOfEntry.get(entry);
  if (known !== undefined) return known;
  const { name, description, tags, id } = entry;
  const examples = entry.kind === 'playbook' ? entry.playbook.examples : [];
  const head = new Set(tokenize([id, name, description, ...tags.map(withoutPrefix), ...examples].join('\n')));
  let all: ReadonlySet<string> | undefined;
  const read = {
    head,
    // Texts are long, and of most entries nobody asks what is in them.
    get all(): ReadonlySet<string> {
      all ??= new Set([...head, ...(entry.kind === 'playbook' ? subjectOf(entry.playbook.body) : [])]);
      return all;
    },
  };
  termsOfEntry.set(entry, read);
  return read;
}

/** What a text is about: the words that it opens with and those that it comes back to. Whatever else it mentions is beside the point. */
function subjectOf(body: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const term of tokenize(body)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count >= OFTEN).map(([term]) => term);
  return [...tokenize(body.slice(0, OPENING)), ...repeated];
}

/** `domain:` and `action:` say what kind of tag it is, not what the entry is about. */
function withoutPrefix(tag: string): string {
  return tag.replace(/^\w+:/, '');
}
