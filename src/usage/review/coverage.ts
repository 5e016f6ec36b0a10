import type { Entry } from '../../model.ts';
import { tokenize } from '../../search/tokenize.ts';

/** Letters of a text's opening: a heading and a sentence or two. */
const OPENING = 200;
const OFTEN = 3;

/** Below this coverage even what is taken has nothing in common with what was asked: the words are hashed, or of another language. */
export const LEAST_TOLD = 0.3;

/** Terms and how much each weighs; a list or a map, since they are gone through more than once. */
export type WeighedTerms = Iterable<readonly [term: string, weight: number]>;

const termsOfEntry = new WeakMap<Entry, { readonly head: ReadonlySet<string>; readonly all: ReadonlySet<string> }>();

/** What share of the terms, by weight, an entry has in what describes it: 0..1. */
export function headCoverageOf(terms: WeighedTerms, entry: Entry): number {
  return shareIn(readTerms(entry).head, terms);
}

/** What share of the terms, by weight, an entry has in what describes it, and in that and what its text is about: 0..1. */
export function coverageOf(terms: WeighedTerms, entry: Entry): { readonly head: number; readonly all: number } {
  const own = readTerms(entry);
  return { head: shareIn(own.head, terms), all: shareIn(own.all, terms) };
}

function shareIn(own: ReadonlySet<string>, terms: WeighedTerms): number {
  let [total, held] = [0, 0];
  for (const [term, weight] of terms) {
    total += weight;
    if (own.has(term)) held += weight;
  }
  return total === 0 ? 0 : held / total;
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
