import { foldName } from './fold.ts';
import { tokenize, toTokens } from './tokenize.ts';
import { FIELDS, LIMITS } from './weights.ts';
import type { Field } from './weights.ts';

/** What search needs to know of an entry. */
export interface SearchSource {
  /** Unique in everything that is searched together; hits are told by it. */
  readonly key: string;
  /** The id to call it by. */
  readonly id: string;
  readonly name: string;
  /** Name of the upstream of a wrapped tool. */
  readonly server?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly body: string;
  /** Queries that its author expects to find it. */
  readonly examples: readonly string[];
}

/**
 * An entry, tokenized: the expensive part of building an index and independent of every other entry, so callers keep it
 * for as long as the entry's digest stays the same.
 */
export interface SearchDocument {
  readonly key: string;
  /** Folded names that find it exactly, the strongest first: id, key, name, last segment of the id. '' where there is none. */
  readonly names: readonly string[];
  /** Distinct terms of all fields. */
  readonly terms: readonly string[];
  /** Occurrences, a row per term and a column per field of `FIELDS`; 255 stands for more. */
  readonly counts: Uint8Array;
  /** Tokens per field of `FIELDS`. */
  readonly lengths: readonly number[];
  /** Name, description and each example as indexes into `terms`, in the order of the text. */
  readonly runs: readonly Uint16Array[];
  /** Distinct unstemmed words of every field but the body: what a misspelt word may have meant. */
  readonly words: readonly string[];
}

/** Tokenizes an entry. Bodies are cut at `LIMITS.body` code units, other texts at `LIMITS.field`. */
export function toSearchDocument(source: SearchSource): SearchDocument {
  const words = new Set<string>();
  const read = (text: string) => readTerms(text, words);
  const examples = source.examples.map(read);
  const termsOf: Readonly<Record<Field, readonly string[]>> = {
    name: read(source.name),
    server: read(source.server ?? ''),
    description: read(source.description),
    tags: [...source.tags.flatMap(read), ...read(foldersOf(source))],
    examples: examples.flat(),
    body: tokenize(source.body.slice(0, LIMITS.body)),
  };
  const termsByField = FIELDS.map((field) => termsOf[field]);
  const indexOf = indexTerms(termsByField);
  return {
    key: source.key,
    names: namesOf(source),
    terms: [...indexOf.keys()],
    counts: countByField(termsByField, indexOf),
    lengths: termsByField.map((terms) => terms.length),
    runs: [termsOf.name, termsOf.description, ...examples].map((terms) =>
      Uint16Array.from(terms, (term) => indexOf.get(term) ?? 0),
    ),
    words: [...words],
  };
}

function readTerms(text: string, words: Set<string>): readonly string[] {
  const terms: string[] = [];
  for (const { word, term } of toTokens(text.slice(0, LIMITS.field))) {
    if (term === '') continue;
    words.add(word);
    terms.push(term);
  }
  return terms;
}

/** The folders of an id, which its name does not say: `deploy` of `deploy/rollback`. */
function foldersOf({ id }: SearchSource): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}

function namesOf({ id, key, name, server }: SearchSource): readonly string[] {
  const lastSegment = id.split(/\/|__|:/).at(-1) ?? '';
  return [id, key, server === undefined ? name : `${server} ${name}`, name, lastSegment].map(foldName);
}

function indexTerms(termsByField: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const indexOf = new Map<string, number>();
  for (const terms of termsByField) {
    for (const term of terms) if (!indexOf.has(term)) indexOf.set(term, indexOf.size);
  }
  return indexOf;
}

function countByField(termsByField: readonly (readonly string[])[], indexOf: ReadonlyMap<string, number>): Uint8Array {
  // Clamped, so that a word repeated 256 times does not count as none.
  const counts = new Uint8ClampedArray(indexOf.size * FIELDS.length);
  for (const [field, terms] of termsByField.entries()) {
    for (const term of terms) {
      const cell = (indexOf.get(term) ?? 0) * FIELDS.length + field;
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  return new Uint8Array(counts.buffer);
}
