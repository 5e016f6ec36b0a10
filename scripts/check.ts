/** Runs every static check, two at a time, and prints what each says as it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What stands in one line is run in turn, up to the first that fails; the lines are run beside each other, since most checks use one core. */
const LINES = [
  ['check:types'],
  [
    'check:lint',
    'check:format',
    'check:boundaries',
    'check:unused',
    'build',
    'check:package',
    'check:playbooks',
    'check:examples',
  ],
];

async function run(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  process.stderr.write(Buffer.concat(said));
  if (code !== 0) process.stderr.write(`check: ${script} failed\n`);
  return code === 0;
}

async function runLine(scripts: readonly string[]): Promise<boolean> {
  for (const script of scripts) if (!(await run(script))) return false;
  return true;
}

const outcomes = await Promise.all(LINES.map(runLine));
if (outcomes.includes(false)) process.exitCode = 1;
