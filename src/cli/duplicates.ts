import { type DuplicatePair, findDuplicates } from '../catalog/duplicates/find.ts';
import { KIND_WORDS } from '../catalog/duplicates/kind.ts';
import type { SharedPassage } from '../catalog/duplicates/passage.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { findEntry } from '../catalog/lookup.ts';
import { PlaybookError } from '../errors.ts';
import type { PlaybookEntry } from '../model.ts';
import { tokenize } from '../search/tokenize.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { bold, dim, exitWith, green, print, printJson, remark, yellow } from './print.ts';

export interface DuplicatesOptions {
  /** A number from 0 to 1, as written. */
  readonly minOverlap?: string;
  /** Id of the only playbook to compare. */
  readonly of?: string;
  readonly json?: boolean;
}

/** Letters of a shared passage that are shown: enough to recognise it. */
const LONGEST_PASSAGE = 160;

/** Prints the pairs of playbooks that repeat each other, most alike first; exits 1 where there are any. */
export async function duplicatesCommand(common: CommonOptions, options: DuplicatesOptions): Promise<void> {
  const minOverlapRatio = options.minOverlap === undefined ? undefined : ratioOf(options.minOverlap);
  await withRuntime({ ...common, listsUpstreams: false, isSearched: false }, async (runtime) => {
    const { catalog } = await runtime.snapshot();
    const count = catalog.entries.filter(({ kind }) => kind === 'playbook').length;
    const of = options.of === undefined ? undefined : findPlaybook(catalog, options.of);
    if (process.stderr.isTTY) remark(dim(`Comparing ${count} playbooks…`));
    const pairs = findDuplicates(catalog, { tokenize, of, minOverlapRatio });
    if (pairs.length > 0) exitWith(1);
    if (options.json === true) return printJson({ playbooks: count, pairs: pairs.map(toJson) });
    for (const pair of pairs) printPair(pair);
    if (pairs.length > 0)
      return remark(dim(`${pairs.length} ${pairs.length === 1 ? 'pair' : 'pairs'} among ${count} playbooks`));
    return remark(green(`No duplicates${of === undefined ? '' : ` of ${of.id}`} among ${count} playbooks.`));
  });
}

/** @throws PlaybookError `cli/usage` for a tool, and as `findEntry`. */
function findPlaybook(catalog: Catalog, id: string): PlaybookEntry {
  const entry = findEntry(catalog, id);
  if (entry.kind === 'playbook') return entry;
  throw new PlaybookError('cli/usage', `"${id}" is a tool; only playbooks are compared.`);
}

/** @throws PlaybookError `cli/usage`. */
function ratioOf(written: string): number {
  const ratio = Number(written);
  if (written.trim() !== '' && ratio >= 0 && ratio <= 1) return ratio;
  throw new PlaybookError('cli/usage', `"${written}" is not a share of text.`, {
    hint: 'Give one from 0 to 1, as 0.5.',
  });
}

function printPair({ a, b, kind, overlapRatio, passage, keep }: DuplicatePair): void {
  print(`${yellow(percent(overlapRatio))} ${bold(a.id)} and ${bold(b.id)}: ${KIND_WORDS[kind]}`);
  if (passage !== undefined) {
    print(`  ${passage.wordCount} words: "${shorten(passage)}"`);
    print(dim(`    ${a.playbook.path}:${passage.lineInA}\n    ${b.playbook.path}:${passage.lineInB}`));
  }
  print(`  keep ${keep.id}: ${keep.reason}`);
}

function percent(ratio: number): string {
  return `${Math.floor(ratio * 100)} %`.padStart(5);
}

function shorten({ text }: SharedPassage): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= LONGEST_PASSAGE) return line;
  return `${line.slice(0, line.lastIndexOf(' ', LONGEST_PASSAGE))} …`;
}

function toJson({ a, b, kind, overlapRatio, passage, keep }: DuplicatePair): object {
  return {
    a: a.id,
    b: b.id,
    kind,
    overlapRatio,
    passage: passage ?? null,
    paths: { a: a.playbook.path, b: b.playbook.path },
    keep,
  };
}
