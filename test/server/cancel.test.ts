/* oxlint-disable vitest/no-standalone-expect -- the methods of its class run inside of tests */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rounds } from '../rounds.ts';
import { BareClient, type Received } from './bare-client.ts';
import { configFile, seedFolder } from './product.ts';

const script = fileURLToPath(new URL('../tools/fakes/recording-upstream.mjs', import.meta.url));
const SERVERS = ['old', 'new', 'old-http', 'new-http'] as const;
type Server = (typeof SERVERS)[number];

/** Longer than the test waits: a cancellation that does not arrive leaves the call running. */
const FOR_EVER_MS = 10 ** 6;

interface RecordedEvent {
  readonly event: 'call' | 'answer' | 'cancel';
  readonly id: number;
  readonly key?: string;
}

interface Plan {
  readonly server: Server;
  /** How long the upstream works; for ever where only a cancellation ends it. */
  readonly ms: number;
  /** When it is cancelled, if it has not been answered long since. */
  readonly cancelMs: number;
  readonly isCancelledTwice: boolean;
  /** Whether the upstream asks the person something first, and whether anybody answers. */
  readonly asks: 'nothing' | 'and is answered' | 'and is left waiting';
}

const plans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    server: fc.constantFrom(...SERVERS),
    ms: fc.oneof({ arbitrary: fc.integer({ min: 0, max: 40 }), weight: 3 }, fc.constant(FOR_EVER_MS)),
    cancelMs: fc.integer({ min: 0, max: 60 }),
    isCancelledTwice: fc.boolean(),
    asks: fc.constantFrom('nothing', 'nothing', 'and is answered', 'and is left waiting'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** What became of one call, on the side of its caller. */
interface Outcome {
  readonly key: string;
  readonly isAnsweredFirst: boolean;
}

/** One product, its caller, and the upstreams that record what they receive. */
class Stage {
  readonly client: BareClient;
  readonly #folder: string;
  /** How many events each server had seen before. */
  readonly #earlier: ReadonlyMap<Server, number>;
  readonly #left = new Set<string>();
  readonly #open = new Set<number | string>();
  #lastKey = 0;

  constructor(caller: '2025' | '2026-07-28', folder: string, config: string) {
    this.#folder = folder;
    this.#earlier = new Map(SERVERS.map((server) => [server, recordedBy(folder, server).length]));
    const env = { PLAYBOOK_MCP_HOME: join(folder, 'home') };
    this.client = new BareClient(caller, { args: ['--no-starter', '--config', config], env });
    this.client.onRequest = (message) => this.#answer(message);
  }

  /** Makes the calls, all at once, and cancels each at its moment. Settles when every one is cancelled or answered. */
  async run(batch: readonly Plan[]): Promise<readonly Outcome[]> {
    return Promise.all(batch.map((plan) => this.#runOne(plan)));
  }

  /** A call that nobody cancels. */
  async works(server: Server): Promise<void> {
    const key = this.#key(server);
    const { result } = await this.client.execute(`${server}__run`, { key, ms: 0 }).answer;
    expect(result?.content).toEqual([{ type: 'text', text: key }]);
  }

  events(server: Server): readonly RecordedEvent[] {
    // An earlier product has called the same server, with ids of its own, and has cancelled calls that had not come yet, which have no key.
    const all = recordedBy(this.#folder, server).slice(this.#earlier.get(server));
    return all.filter(({ key }) => key?.includes(`-${this.client.child.pid}-`) ?? true);
  }

  /** Questions of the product that it has neither taken back nor seen answered. */
  get openQuestions(): number {
    return this.#open.size;
  }

  async #runOne({ server, ms, cancelMs, isCancelledTwice, asks }: Plan): Promise<Outcome> {
    const key = this.#key(server);
    if (asks === 'and is left waiting') this.#left.add(key);
    const args = { key, ms, asks: asks !== 'nothing' };
    let { id, answer } = this.client.execute(`${server}__run`, args);
    let isAnswered = false;
    let isGivenUp = false;
    const follow = (received: Promise<Received>): Promise<void> =>
      received.then(({ result }) => {
        if (result?.['resultType'] !== 'input_required') return void (isAnswered = true);
        if (isGivenUp) return;
        const inputResponses = Object.fromEntries(
          Object.keys(result['inputRequests'] as object).map((question) => [
            question,
            { action: 'accept', content: {} },
          ]),
        );
        ({ id, answer } = this.client.execute(`${server}__run`, args, {
          inputResponses,
          requestState: result['requestState'],
        }));
        return follow(answer);
      });
    const done = follow(answer);
    await sleep(cancelMs);
    const isAnsweredFirst = isAnswered;
    isGivenUp = true;
    this.client.cancel(id);
    if (isCancelledTwice) this.client.cancel(id);
    void done;
    return { key, isAnsweredFirst };
  }

  #answer({ id, method, params }: Received): void {
    if (method === 'notifications/cancelled') this.#open.delete(params!['requestId'] as number);
    if (method !== 'elicitation/create' || id === undefined) return;
    if (this.#left.has(params!['message'] as string)) return void this.#open.add(id);
    this.client.send({ id, result: { action: 'accept', content: {} } });
  }

  #key(server: Server): string {
    this.#lastKey += 1;
    return `${server}-${this.client.child.pid}-${this.#lastKey}`;
  }
}

function recordedBy(folder: string, server: Server): readonly RecordedEvent[] {
  const file = recordOf(folder, server);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
  return lines.map((line): RecordedEvent => JSON.parse(line));
}

const recordOf = (folder: string, server: Server): string => join(folder, `${server}.jsonl`);

/** The four upstreams; the two over stdio are started by the product, slowly. */
async function seed(): Promise<{ folder: string; config: string }> {
  const folder = seedFolder({});
  const local = (era: string, server: Server) => ({
    command: process.execPath,
    args: [script, era, 'stdio', recordOf(folder, server)],
    env: { START_DELAY_MS: '200' },
  });
  const remote = async (era: string, server: Server): Promise<{ url: string }> => {
    const child = spawn(process.execPath, [script, era, 'http', recordOf(folder, server)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = await once(createInterface({ input: child.stdout }), 'line');
    return { url: `http://127.0.0.1:${port}/mcp` };
  };
  const servers = {
    old: local('2025', 'old'),
    new: local('2026', 'new'),
    'old-http': await remote('2025', 'old-http'),
    'new-http': await remote('2026', 'new-http'),
  };
  return { folder, config: configFile(servers) };
}

/** Waits until nothing is running any more on any upstream, and compares what they saw with what their callers did. */
async function judge(stage: Stage, outcomes: readonly Outcome[]): Promise<void> {
  for (const server of SERVERS) await stage.works(server);
  const byKey = new Map(outcomes.map((outcome) => [outcome.key, outcome]));
  for (const server of SERVERS) {
    await expect.poll(() => runningOn(stage.events(server)), { timeout: 10_000 }).toEqual([]);
    const events = stage.events(server);
    const cancels = events.filter(({ event }) => event === 'cancel').map(({ id }) => id);
    expect(new Set(cancels).size, 'a request is cancelled once').toBe(cancels.length);
    for (const id of cancels) {
      const call = events.find((each) => each.event === 'call' && each.id === id);
      // It was given up before it was sent.
      if (server === 'old-http' && call === undefined) continue;
      expect(call, `${server} received what is cancelled`).toBeDefined();
      const outcome = byKey.get(call?.key ?? '');
      if (outcome) expect(outcome.isAnsweredFirst, 'nothing is cancelled that had been answered').toBe(false);
    }
  }
  await expect.poll(() => stage.openQuestions, { timeout: 10_000 }).toBe(0);
}

/** The requests that were received and neither answered nor cancelled. */
function runningOn(events: readonly RecordedEvent[]): readonly number[] {
  const ended = new Set(events.filter(({ event }) => event !== 'call').map(({ id }) => id));
  return events.filter(({ event, id }) => event === 'call' && !ended.has(id)).map(({ id }) => id);
}

describe.each([{ caller: '2025' as const }, { caller: '2026-07-28' as const }])(
  'a client of $caller that cancels at any moment',
  ({ caller }) => {
    it(
      'has its cancellation reach exactly those upstreams of either era that are at work for it, and nothing stays behind',
      { timeout: 120_000 },
      async () => {
        const { folder, config } = await seed();
        // The first time nothing is known of the servers; the second time they are known and not running.
        for (const numRuns of [rounds(20, 8), rounds(5, 3)]) {
          const stage = new Stage(caller, folder, config);
          const run = async (batch: readonly Plan[]): Promise<void> => judge(stage, await stage.run(batch));
          await fc.assert(fc.asyncProperty(plans, run), { numRuns, endOnFailure: true });
          expect(await stage.client.end()).toBe(0);
          expect(stage.client.stderr).not.toMatch(/Unhandled|MaxListeners|"level":(50|60)/);
        }
      },
    );
  },
);
