/** Runs the official suite, a scenario a process, with the Node that is installed beside it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Run } from './scenarios.ts';

const modules = fileURLToPath(new URL('node_modules/', import.meta.url));
/** The Node that the suite and the Inspector need, whatever the product is tested on. */
const NODE = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const SUITE = join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

const checkSchema = z.object({
  id: z.string(),
  status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
  errorMessage: z.string().optional(),
});

export type Check = Readonly<z.infer<typeof checkSchema>>;

/** What a scenario checked, each id once with its gravest status; [] where it found itself not applicable. */
export async function runScenario(url: string, { scenario, revision }: Run): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-suite-'));
  try {
    const version = ['--spec-version', revision];
    // An extension belongs to no revision, so the suite leaves its scenarios out of each unless forced.
    const forced = scenario.startsWith('sep-2640-') ? ['--force'] : [];
    const told = await output([
      SUITE,
      'server',
      '--url',
      url,
      '--scenario',
      scenario,
      ...version,
      ...forced,
      '-o',
      folder,
    ]);
    const results = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('checks.json'),
    );
    if (results.length === 0 && !/skipp|not applicable/i.test(told))
      throw new Error(`${scenario}: no results.\n${told}`);
    return gravest(
      results.flatMap((path) => z.array(checkSchema).parse(JSON.parse(readFileSync(join(folder, path), 'utf8')))),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const GRAVITY = ['FAILURE', 'WARNING', 'SUCCESS', 'SKIPPED', 'INFO'];

function gravest(checks: readonly Check[]): readonly Check[] {
  const byId = new Map<string, Check>();
  for (const check of checks.toSorted((a, b) => GRAVITY.indexOf(a.status) - GRAVITY.indexOf(b.status))) {
    if (!byId.has(check.id)) byId.set(check.id, check);
  }
  return [...byId.values()];
}

/** The scenarios that the suite has for a server of a revision. */
export async function scenariosOf(revision: Run['revision']): Promise<readonly string[]> {
  const told = await output([SUITE, 'list', '--server', '--spec-version', revision]);
  return [...told.matchAll(/^ {2}- (?<name>\S+)/gm)].flatMap(({ groups }) => groups?.['name'] ?? []);
}

/** What a program of this folder prints, stdout and stderr together; its exit code is no matter. */
export async function output(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn(NODE, args, { env: { ...env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return told;
}
