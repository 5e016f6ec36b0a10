import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seedFolder } from '../server/product.ts';

/** The built command line. */
export const bin = fileURLToPath(new URL('../../dist/bin/playbook-mcp.js', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the built command line to its end, with no state of earlier runs and without colours. */
export function runCli(
  args: readonly string[],
  { cwd = seedFolder({}), input = '', env: more = {} }: RunOptions = {},
): CliRun {
  const env = { ...process.env, PLAYBOOK_MCP_HOME: seedFolder({}), NO_COLOR: '1', ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd, env, input, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}
