import { PlaybookError } from '../errors.ts';
import type { Diagnostic } from '../model.ts';
import { checkChange, type CheckOutcome } from '../server/check.ts';
import { askReviewer } from '../server/reviewer.ts';
import { type ReviewRound, reviewRounds, whyNear } from '../server/review-question.ts';
import type { ReviewVerdict } from '../server/review-verdict.ts';
import { splitCommand } from './check/split-command.ts';
import { checkLines, deletedLine, verdictLine } from './check/text.ts';
import { githubLines } from './lint-formats/github.ts';
import { shownPath } from './lint-formats/shown-path.ts';
import { type CommonOptions, runtimeOptions, secondsToMs } from './options.ts';
import { exitWith, green, print, printJson, progress, remark } from './print.ts';

/** `check`'s own flags, as commander reads them. */
export interface CheckOptions {
  readonly paths: readonly string[];
  readonly base?: string;
  readonly includeUntracked: boolean;
  readonly reviewer?: string;
  readonly timeout: string;
  readonly format: 'text' | 'json' | 'github';
  readonly json?: boolean;
}

/**
 * Reviews the playbooks that a change touches: prints what lint says of them, their neighbours, and a reviewer's verdicts, or the
 * question to one. Exits 1 on a lint error or a verdict against one.
 *
 * @throws PlaybookError `cli/usage`, `check/no-repository`, `check/no-base`, `check/remote-unreachable`, `check/reviewer-failed`.
 */
export async function checkCommand(common: CommonOptions, options: CheckOptions): Promise<void> {
  const { base, includeUntracked, paths, json = false } = options;
  const command = options.reviewer === undefined ? undefined : splitCommand(options.reviewer);
  const timeoutMs = secondsToMs(options.timeout);
  if (timeoutMs > LONGEST_TIMEOUT_MS)
    throw new PlaybookError('cli/usage', `--timeout is at most ${LONGEST_TIMEOUT_MS / 1_000} seconds.`);
  const outcome = await check();
  const rounds = reviewRounds(outcome.playbooks);
  const isAsked = rounds.length > 0 && command !== undefined;
  const verdicts = isAsked ? await askInRounds(rounds, command, timeoutMs) : undefined;
  report({ outcome, rounds, verdicts }, json ? 'json' : options.format);
  const hasErrors = outcome.diagnostics.some(({ severity }) => severity === 'error');
  if (hasErrors || verdicts?.some(({ verdict }) => verdict !== 'keep') === true) exitWith(1);

  async function check(): Promise<CheckOutcome> {
    try {
      return await checkChange({
        options: { ...runtimeOptions(common), log: () => undefined },
        paths,
        base,
        includeUntracked,
        onProgress: (step, done, total) => progress(`${step} ${done}${total === 0 ? '' : ` of ${total}`} playbooks`),
      });
    } finally {
      progress('');
    }
  }
}

/** One question after the other: an agent program may not bear a second one beside it. */
async function askInRounds(
  rounds: readonly ReviewRound[],
  command: readonly string[],
  timeoutMs: number,
): Promise<readonly ReviewVerdict[]> {
  const options = { command, cwd: process.cwd(), env: process.env, timeoutMs };
  const verdicts: ReviewVerdict[] = [];
  for (const [at, { question, ids }] of rounds.entries()) {
    const which = rounds.length === 1 ? '' : `, question ${at + 1} of ${rounds.length}`;
    if (process.stderr.isTTY) remark(`Asking ${command[0] ?? ''} about ${ids.length} playbooks${which}…`);
    verdicts.push(...(await askReviewer(question, ids, options)));
  }
  return verdicts;
}

/** What a timer can count. */
const LONGEST_TIMEOUT_MS = 86_400_000;

interface Report {
  readonly outcome: CheckOutcome;
  readonly rounds: readonly ReviewRound[];
  /** Undefined where nobody was asked. */
  readonly verdicts: readonly ReviewVerdict[] | undefined;
}

function report({ outcome, rounds, verdicts }: Report, format: 'text' | 'json' | 'github'): void {
  const cwd = process.cwd();
  if (format === 'json') return printJson(toJson({ outcome, rounds, verdicts }, cwd));
  if (format === 'github') {
    for (const line of githubLines([...outcome.diagnostics, ...asDiagnostics(outcome, verdicts)], cwd)) print(line);
  } else {
    for (const line of checkLines(outcome, cwd)) print(line);
    for (const verdict of verdicts ?? []) print(verdictLine(verdict));
    for (const [at, { question }] of verdicts === undefined ? rounds.entries() : []) {
      const which = rounds.length === 1 ? 'The question' : `Question ${at + 1} of ${rounds.length}`;
      print(`\n${which} to a reviewer:\n\n${question}`);
    }
  }
  for (const note of outcome.notes) remark(`note: ${note}`);
  if (outcome.playbooks.length > 0) return;
  const since = `${outcome.changes.ref} (${outcome.changes.base.slice(0, 10)})`;
  remark(green(`No playbook was added or changed since ${since}.`) + deletedLine(outcome.deleted));
}

/** Neighbours that repeat a playbook, and verdicts, where GitHub shows findings. */
function asDiagnostics({ playbooks }: CheckOutcome, verdicts: Report['verdicts']): readonly Diagnostic[] {
  return playbooks.flatMap(({ id, path, neighbours }) => {
    const at = { path, line: 1, column: 1 };
    const repeated = neighbours
      .filter(({ repetition }) => repetition !== undefined)
      .map((neighbour): Diagnostic => {
        const message = `${neighbour.entry.id} is near: ${whyNear(neighbour)}.`;
        return { ...at, rule: 'neighbour', severity: 'info', message };
      });
    const judged = verdicts?.find((verdict) => verdict.id === id);
    if (judged === undefined) return repeated;
    const severity = judged.verdict === 'keep' ? 'info' : 'error';
    const of = judged.of === undefined ? '' : ` of ${judged.of}`;
    return [...repeated, { ...at, rule: 'review', severity, message: `${judged.verdict}${of}: ${judged.reason}` }];
  });
}

function toJson({ outcome, rounds, verdicts }: Report, cwd: string): object {
  const { changes, playbooks, deleted, diagnostics, notes } = outcome;
  return {
    base: { ref: changes.ref, commit: changes.base },
    playbooks: playbooks.map(({ id, change, path, oldId, neighbours }) => ({
      id,
      change,
      path: shownPath(path, cwd),
      ...(oldId === undefined ? {} : { oldId }),
      neighbours: neighbours.map((neighbour) => ({
        id: neighbour.entry.id,
        kind: neighbour.repetition?.kind ?? null,
        overlapRatio: neighbour.repetition?.overlapRatio ?? null,
        vocabularyRatio: neighbour.vocabularyRatio,
        why: whyNear(neighbour),
      })),
      ...(verdicts === undefined ? {} : { verdict: verdicts.find((verdict) => verdict.id === id) ?? null }),
    })),
    deleted,
    findings: diagnostics.map((diagnostic) => ({ ...diagnostic, path: shownPath(diagnostic.path, cwd) })),
    notes,
    ...(verdicts === undefined ? { questions: rounds.map(({ question }) => question) } : {}),
  };
}
