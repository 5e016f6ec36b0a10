import { PlaybookError } from '../../errors.ts';
import type { JsonObject } from '../../model.ts';
import { textOfOutput } from '../output-text.ts';
import type { ProgramRun } from '../run-program.ts';

/** Characters of each stream that an error message repeats. */
const MOST_IN_MESSAGE = 2_000;

/**
 * What a program has said, as a `tools/call` result: stdout as it is, stderr as a second block; with `isError`, the way it
 * ended and both streams where it failed.
 * @throws PlaybookError `tools/timeout`, `tools/cancelled`.
 */
export function toResult(name: string, run: ProgramRun, timeoutMs: number): JsonObject {
  const stdout = textOfOutput(run.stdout);
  const stderr = textOfOutput(run.stderr);
  const { end } = run;
  switch (end.kind) {
    case 'cancelled':
      throw new PlaybookError('tools/cancelled', `The call of ${name} was cancelled.`);
    case 'timed-out':
      throw timedOut({ name, timeoutMs, said: [stdout, stderr] });
    case 'killed':
      return failure(`${name} was ended by ${end.signal}.`, stdout, stderr);
    case 'exited':
      if (end.code !== 0) return failure(`${name} exited with code ${end.code}.`, stdout, stderr);
      return { content: success(stdout, stderr).map(toBlock) };
  }
}

function success(stdout: string, stderr: string): readonly string[] {
  const warnings = stderr.trim() === '' ? [] : [`stderr:\n${stderr}`];
  if (stdout !== '') return [stdout, ...warnings];
  return warnings.length > 0 ? warnings : ['It succeeded (exit code 0) and printed nothing.'];
}

function failure(what: string, stdout: string, stderr: string): JsonObject {
  const parts = [
    what,
    ...(stderr.trim() === '' ? [] : [`stderr:\n${stderr}`]),
    ...(stdout.trim() === '' ? [] : [`stdout:\n${stdout}`]),
  ];
  return { content: [toBlock(parts.join('\n'))], isError: true };
}

function toBlock(text: string): JsonObject {
  return { type: 'text', text };
}

function timedOut({
  name,
  timeoutMs,
  said,
}: {
  readonly name: string;
  readonly timeoutMs: number;
  readonly said: readonly string[];
}): PlaybookError {
  const last = said.filter((text) => text.trim() !== '').map((text) => text.slice(-MOST_IN_MESSAGE));
  const message = `${name} did not end within ${timeoutMs / 1000} s and was stopped, with all that it had started.`;
  return new PlaybookError(
    'tools/timeout',
    [message, ...(last.length > 0 ? ['Its last output:', ...last] : [])].join('\n'),
    {
      hint: `What it did so far may last: look before you call again. If it needs longer, raise timeoutMs of "${name}" in the configuration.`,
    },
  );
}
