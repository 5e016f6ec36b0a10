import { resolve } from 'node:path';
import { findEntry } from '../catalog/lookup.ts';
import { isMaintained } from '../catalog/maintained.ts';
import { PlaybookError } from '../errors.ts';
import { isInside, realPathOf } from '../files/places.ts';
import type { PlaybookEntry } from '../model.ts';
import { evaluatePlaybook, isEvaluated } from '../server/evaluate.ts';
import type { Snapshot } from '../server/snapshot.ts';
import { findingsOf } from './eval/findings.ts';
import { toEvalJson } from './eval/json.ts';
import { type Evaluation, summarize } from './eval/summary.ts';
import { missLines, summaryLines, totalsTable } from './eval/text.ts';
import { githubLines } from './lint-formats/github.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { dim, exitWith, print, printJson, remark } from './print.ts';

/** `eval`'s own flags, as commander reads them. */
export interface EvalOptions {
  /** Ids of playbooks, and files or folders of some; none for all that the workspace and central sources have. */
  readonly wanted: readonly string[];
  readonly minRecall: string;
  readonly k: string;
  readonly format: 'text' | 'json' | 'github';
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly all?: boolean;
}

/**
 * Searches for every `examples` and `not-examples` of the playbooks and prints where each comes; exits 1 where fewer examples than
 * asked for find their playbook among the first, where a not-example does, and with `strict` where a playbook has no examples.
 *
 * @throws PlaybookError `cli/usage`, `catalog/unknown-id`, `catalog/ambiguous-id`.
 */
export async function evalCommand(common: CommonOptions, options: EvalOptions): Promise<void> {
  const limits = { k: wholeNumber(options.k), minRecall: share(options.minRecall), isStrict: options.strict === true };
  await withRuntime(common, async (runtime) => {
    const snapshot = await runtime.snapshot();
    const chosen = (await choosePlaybooks(snapshot, options)).filter(isEvaluated);
    if (process.stderr.isTTY) remark(dim(`Searching for the examples of ${chosen.length} playbooks…`));
    const evaluation = summarize(
      chosen.map((entry) => evaluatePlaybook(snapshot, entry)),
      limits,
    );
    await report(evaluation, options.json === true ? 'json' : options.format);
    if (!evaluation.isPassed) exitWith(1);
  });
}

async function report(evaluation: Evaluation, format: EvalOptions['format']): Promise<void> {
  switch (format) {
    case 'json':
      return printJson(toEvalJson(evaluation));
    case 'github':
      for (const line of githubLines(await findingsOf(evaluation), process.cwd())) print(line);
      break;
    case 'text':
      if (evaluation.totals.examples > 0) print(totalsTable(evaluation));
      for (const line of missLines(evaluation)) print(line);
  }
  for (const line of summaryLines(evaluation)) remark(line);
}

async function choosePlaybooks({ catalog }: Snapshot, { wanted, all }: EvalOptions): Promise<readonly PlaybookEntry[]> {
  const playbooks = catalog.entries.filter((entry) => entry.kind === 'playbook');
  if (wanted.length === 0) return playbooks.filter((entry) => all === true || isMaintained(entry));
  const chosen = new Set<PlaybookEntry>();
  for (const each of wanted) {
    const real = await realPathOf(resolve(each));
    const below = real === undefined ? [] : playbooks.filter(({ playbook }) => isInside(playbook.realPath, real));
    const found = below.length > 0 ? below : [playbookNamed(each, catalog, real !== undefined)];
    for (const entry of found) chosen.add(entry);
  }
  return playbooks.filter((entry) => chosen.has(entry));
}

function playbookNamed(written: string, catalog: Snapshot['catalog'], isPath: boolean): PlaybookEntry {
  if (isPath && !catalog.byId.has(written)) {
    throw new PlaybookError('cli/usage', `No playbook of the catalog lies in ${written}.`, {
      hint: 'Give the folder with --playbooks as well; `playbook-mcp doctor` tells where playbooks are looked for.',
    });
  }
  const entry = findEntry(catalog, written);
  if (entry.kind === 'playbook') return entry;
  throw new PlaybookError('cli/usage', `"${written}" is a tool; only playbooks have examples.`);
}

/** @throws PlaybookError `cli/usage`. */
function share(written: string): number {
  const value = Number(written);
  if (written.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new PlaybookError('cli/usage', `"${written}" is not a share of examples.`, {
    hint: 'Give one from 0 to 1, as --min-recall 0.9.',
  });
}

/** @throws PlaybookError `cli/usage`. */
function wholeNumber(written: string): number {
  if (/^[1-9]\d{0,2}$/.test(written)) return Number(written);
  throw new PlaybookError('cli/usage', `"${written}" is not a number of places.`, { hint: 'Give one such as --k 3.' });
}
