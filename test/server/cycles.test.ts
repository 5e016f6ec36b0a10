/* oxlint-disable vitest/no-standalone-expect -- the methods of its class run inside of tests */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rounds } from '../rounds.ts';
import { isAlive } from '../tools/harness.ts';
import { BareClient } from './bare-client.ts';
import { configFile, seedFolder } from './product.ts';

const CYCLES = rounds(100, 8);
const AT_ONCE = rounds(5, 2);
const fake = fileURLToPath(new URL('../tools/fakes/raw-upstream.mjs', import.meta.url));

/** How a cycle ends, in turn; half of them by `kill -9`. */
const ENDS = ['stdin', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGINT', 'SIGKILL', 'SIGHUP', 'SIGKILL'] as const;
/** What the product is doing then, in turn. */
const MOMENTS = ['after a call', 'in the middle of a call', 'in the middle of the start'] as const;

/** Processes, as the system tells them, that have the marker in their environment, which every child inherits. */
function processesOf(marker: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const pid = Number(name);
    return pid !== process.pid && hasMarker(pid, marker) && isAlive(pid) ? [pid] : [];
  });
}

function hasMarker(pid: number, marker: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker);
  } catch {
    // It went while it was being looked at.
    return false;
  }
}

/** What a writer leaves half done. */
function leftovers(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => {
    if (!existsSync(folder)) return [];
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return paths
      .filter((path) => /\.(tmp|lock|partial)$/.test(path) || path.includes('.tmp'))
      .map((path) => join(folder, path));
  });
}

/** A product whose upstream is started by a shell that has another child, as `npx` leaves them. */
class Cycle {
  readonly #marker: string;
  readonly #folder: string;
  readonly #config: string;

  constructor(marker: string) {
    this.#marker = marker;
    this.#folder = seedFolder({ 'tmp/empty': '' });
    const command = `sleep 600 & '${process.execPath}' '${fake}' plain; exit`;
    const server = { command: '/bin/sh', args: ['-c', command], env: { CYCLE_MARKER: marker } };
    this.#config = configFile({ npxlike: server });
  }

  async run(index: number): Promise<void> {
    const end = ENDS[index % ENDS.length] ?? 'stdin';
    const moment = MOMENTS[index % MOMENTS.length] ?? 'after a call';
    const client = this.start();
    if (moment === 'in the middle of the start') await sleep(100 + ((index * 97) % 900));
    else await this.execute(client);
    if (moment === 'in the middle of a call') client.execute('npxlike__slow', { steps: 40, stepMs: 50 });
    const exited = new Promise((resolve) => client.child.once('close', resolve));
    if (end === 'stdin') client.child.stdin.end();
    else client.child.kill(end);
    await exited;
    await expect.poll(() => processesOf(this.#marker), { timeout: 30_000, interval: 400 }).toEqual([]);
  }

  start(): BareClient {
    const env = {
      PLAYBOOK_MCP_HOME: join(this.#folder, 'home'),
      TMPDIR: join(this.#folder, 'tmp'),
      CYCLE_MARKER: this.#marker,
    };
    return new BareClient('2025', { args: ['--no-starter', '--config', this.#config], env });
  }

  /** The shell's server runs, and its sleeping child with it. */
  async execute(client: BareClient): Promise<void> {
    const { result } = await client.execute('npxlike__return', { result: { content: [] } }).answer;
    expect(result).toMatchObject({ content: [] });
    expect(processesOf(this.#marker).length).toBeGreaterThanOrEqual(4);
  }

  /** Every place that the product writes to. */
  leftovers(): readonly string[] {
    return leftovers(join(this.#folder, 'home'), join(this.#folder, 'tmp'));
  }
}

describe.runIf(existsSync('/proc/self/environ'))('a hundred starts and stops, half of them by kill -9', () => {
  it('leave no process behind, and no temporary file after the next start', { timeout: 600_000 }, async () => {
    const cycles = Array.from({ length: AT_ONCE }, (_, lane) => new Cycle(`cycle-${process.pid}-${lane}-marker`));
    await Promise.all(
      cycles.map(async (cycle, lane) => {
        for (let index = lane; index < CYCLES; index += AT_ONCE) await cycle.run(index);
        const client = cycle.start();
        await cycle.execute(client);
        // What a process left that was killed a moment ago is still as good as in use.
        await expect.poll(() => cycle.leftovers(), { timeout: 60_000, interval: 500 }).toEqual([]);
        expect(await client.end()).toBe(0);
      }),
    );
  });
});
