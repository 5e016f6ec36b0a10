import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type SearchDocument, toSearchDocument } from '../src/search/document.ts';

const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().default(''),
  server: z.string().optional(),
  tags: z.array(z.string()).default([]),
  text: z.string().default(''),
});

const querySchema = z.object({
  query: z.string(),
  relevant: z.array(z.string()),
  /** Any-of sets: recall counts those of which one is found. */
  groups: z.array(z.array(z.string())).optional(),
  /** Relevance per id where it is more than yes or no. */
  grades: z.record(z.string(), z.number()).optional(),
});

/** An entry of a labelled set, as its `docs.jsonl` has it. */
export type LabelledEntry = z.infer<typeof entrySchema>;
export type LabelledQuery = z.infer<typeof querySchema>;

export interface LabelledSet {
  readonly name: string;
  readonly entries: readonly LabelledEntry[];
  readonly queries: readonly LabelledQuery[];
  /** Queries that no entry answers. */
  readonly negatives: readonly LabelledQuery[];
}

/** The sets below a folder, one a subfolder with `docs.jsonl` and `queries.jsonl`, by name; [] where there is no such folder. */
export function readLabelledSets(folder: string): readonly LabelledSet[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'docs.jsonl')))
    .sort()
    .map((name) => ({
      name,
      entries: readLines(join(folder, name, 'docs.jsonl')).map((line) => entrySchema.parse(line)),
      queries: readLines(join(folder, name, 'queries.jsonl')).map((line) => querySchema.parse(line)),
      negatives: readLines(join(folder, name, 'negatives.jsonl')).map((line) => querySchema.parse(line)),
    }));
}

/** The words of an entry, as the product reads them. */
export function toDocument({ id, name, server, description, tags, text }: LabelledEntry): SearchDocument {
  return toSearchDocument({
    key: id,
    id,
    name,
    ...(server === undefined ? {} : { server }),
    description,
    tags,
    body: text,
    examples: [],
  });
}

function readLines(path: string): readonly unknown[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}
