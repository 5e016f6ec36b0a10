import { messageOf, PlaybookError } from '../errors.ts';
import { programOf } from '../tools/open-transport.ts';
import { textOfOutput } from '../tools/output-text.ts';
import { GroupGuard } from '../tools/process-groups.ts';
import { type ProgramRun, runProgram } from '../tools/run-program.ts';
import { readVerdicts, type ReviewVerdict } from './review-verdict.ts';

/** How an agent program is asked. */
export interface ReviewerOptions {
  /** Program and arguments; see `splitCommand`. Never empty. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** What is shown of what a reviewer said where it gave no verdict. */
const LONGEST_SAYING = 2_000;

/**
 * Hands a question to an agent program on stdin and reads its verdicts from stdout. The program is the person's own choice: it gets
 * their whole environment, and is run without a shell, in a process group that is ended with it.
 *
 * @param ids each must be judged
 * @returns in the order of `ids`; where an id is judged twice, the verdict against it counts
 * @throws PlaybookError `check/reviewer-failed` wherever there is no such answer: silence is no consent.
 */
export async function askReviewer(
  question: string,
  ids: readonly string[],
  options: ReviewerOptions,
): Promise<readonly ReviewVerdict[]> {
  const run = await runReviewer(question, options);
  const said = textOfOutput(run.stdout);
  const failed = failureOf(run, options.timeoutMs);
  if (failed !== undefined) throw failure(failed, run);
  const verdicts = readVerdicts(said, question);
  if (verdicts === undefined) throw failure('it gave no verdict of the form that the question asks for', run);
  const judged = ids.map((id) => {
    const own = verdicts.filter((verdict) => verdict.id === id);
    return own.find(({ verdict }) => verdict !== 'keep') ?? own[0];
  });
  const missing = ids.filter((_, at) => judged[at] === undefined);
  if (missing.length > 0) throw failure(`it said nothing about ${missing.join(', ')}`, run);
  return judged.filter((verdict) => verdict !== undefined);
}

async function runReviewer(question: string, { command, cwd, env, timeoutMs }: ReviewerOptions): Promise<ProgramRun> {
  const [program = '', ...args] = command;
  const guard = new GroupGuard(() => undefined);
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    const own = Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const signal = stop.signal;
    return await runProgram({
      ...programOf({ command: program, args }, own),
      env: own,
      cwd,
      input: question,
      timeoutMs,
      signal,
      guard,
    });
  } catch (error) {
    throw new PlaybookError(
      'check/reviewer-failed',
      `The reviewer "${program}" cannot be started: ${messageOf(error)}.`,
      {
        hint: 'Correct --reviewer, or leave it out to read the question yourself.',
        cause: error,
      },
    );
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
    guard.close();
  }
}

function failureOf({ end }: ProgramRun, timeoutMs: number): string | undefined {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? undefined : `it exited with ${end.code}`;
    case 'killed':
      return `it was ended by ${end.signal}`;
    case 'timed-out':
      return `it took longer than ${timeoutMs / 1_000} s`;
    case 'cancelled':
      return 'it was interrupted';
  }
}

function failure(why: string, { stdout, stderr }: ProgramRun): PlaybookError {
  const said = [textOfOutput(stdout).trim().slice(-LONGEST_SAYING), textOfOutput(stderr).trim().slice(-LONGEST_SAYING)];
  const shown = said.filter((text) => text !== '').join('\n');
  return new PlaybookError(
    'check/reviewer-failed',
    `The reviewer has judged nothing: ${why}. ${shown === '' ? 'It said nothing.' : `It said:\n${shown}`}`,
    { hint: 'Without --reviewer the question is printed, so that you can try it by hand.' },
  );
}
