#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type ErrorCode, messageOf, PlaybookError } from '../errors.ts';
import type { CommonOptions } from './options.ts';
import { complain, exitWith, type ExitCode, remark } from './print.ts';
import { serve } from './serve.ts';

/** Failures that are no wrong use of the command line. */
const EXIT_CODES: ReadonlyMap<ErrorCode, ExitCode> = new Map([
  ['tools/unavailable', 5],
  ['tools/unauthorized', 5],
  ['tools/timeout', 5],
  ['check/reviewer-failed', 5],
  ['check/remote-unreachable', 5],
  ['tools/failed', 1],
  ['tools/cancelled', 1],
  ['catalog/quarantined', 1],
  ['catalog/referenced', 1],
  ['playbooks/uneditable', 1],
]);

const args = process.argv.slice(2);
try {
  const served = plainServe(args);
  if (served !== undefined) await serve(served);
  else await (await import('./program.ts')).runProgram(args);
} catch (error) {
  exitWith(await report(error));
}

/**
 * The options of a plain `serve`, which is what agents start: commander, which knows all commands and explains mistakes,
 * costs a twentieth of the time to the first answer. Undefined where the arguments are anything else.
 */
function plainServe(given: readonly string[]): CommonOptions | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        playbooks: { type: 'string', multiple: true, default: [] },
        workspace: { type: 'string', multiple: true, default: [] },
        config: { type: 'string' },
        'no-starter': { type: 'boolean', default: false },
      },
    });
    if (positionals.length > 1 || (positionals[0] ?? 'serve') !== 'serve') return undefined;
    const { playbooks, workspace, config, 'no-starter': noStarter } = values;
    // commander says what is wrong with a blank path.
    if ([...playbooks, ...workspace, config ?? '.'].some((path) => path.trim() === '')) return undefined;
    return { playbooks, workspace, starter: !noStarter, ...(config === undefined ? {} : { config }) };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Says what went wrong, and gives the exit code for it. */
async function report(error: unknown): Promise<ExitCode> {
  if (error instanceof PlaybookError) {
    complain(error.message, error.hint);
    return EXIT_CODES.get(error.code) ?? 2;
  }
  const usage = (await import('./program.ts')).exitCodeOfUsage(error);
  if (usage !== undefined) return usage;
  complain(`This is a bug in playbook-mcp: ${messageOf(error)}`, 'Please report it with the lines below.');
  if (error instanceof Error && error.stack !== undefined) remark(error.stack);
  return 3;
}
