import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of a labelled set, as its `docs.jsonl` has it. */
export interface LabelledEntry {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly server?: string;
  readonly tags?: readonly string[];
  readonly text?: string;
}

export interface LabelledQuery {
  readonly query: string;
  readonly relevant: readonly string[];
  /** Any-of sets: recall counts those of which one is found. */
  readonly groups?: readonly (readonly string[])[];
  /** Relevance per id where it is more than yes or no. */
  readonly grades?: Readonly<Record<string, number>>;
}

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
      entries: readLines<LabelledEntry>(join(folder, name, 'docs.jsonl')),
      queries: readLines<LabelledQuery>(join(folder, name, 'queries.jsonl')),
      negatives: readLines<LabelledQuery>(join(folder, name, 'negatives.jsonl')),
    }));
}

function readLines<Line>(path: string): readonly Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}
