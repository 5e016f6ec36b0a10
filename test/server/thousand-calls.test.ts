import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BareClient } from './bare-client.ts';
import { configFile, seedFolder } from './product.ts';

const CALLS = 1000;
const IN_FLIGHT = 64;
const script = fileURLToPath(new URL('../tools/fakes/recording-upstream.mjs', import.meta.url));

it.each([{ caller: '2025' as const }, { caller: '2026-07-28' as const }])(
  '1,000 calls of a $caller client, 64 in flight on two upstreams of either era that answer out of order, each get their own answer',
  async ({ caller }) => {
    const folder = seedFolder({});
    const server = (era: string) => ({
      command: process.execPath,
      args: [script, era, 'stdio', join(folder, `${era}.jsonl`)],
    });
    const config = configFile({ old: server('2025'), new: server('2026') });
    const client = new BareClient(caller, { args: ['--no-starter', '--config', config] });
    const progress = new Map<unknown, number>();
    client.onRequest = ({ params }) => {
      const token = params?.['progressToken'];
      progress.set(token, (progress.get(token) ?? 0) + 1);
    };
    const wrong: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < CALLS) {
        const index = next;
        next += 1;
        const key = `call ${index} ${'x'.repeat(index % 7 === 0 ? 5000 : index % 30)}`;
        // Many answer at once, some late: the order of the answers is not that of the calls.
        const ms = (index * 7919) % 3 === 0 ? 0 : (index * 7919) % 40;
        const { answer } = client.execute(`${index % 2 === 0 ? 'old' : 'new'}__run`, { key, ms });
        const { result } = await answer;
        if (result?.content?.length !== 1 || result.content[0]?.text !== key) wrong.push({ index, result });
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    expect(wrong).toEqual([]);
    // Progress came under the tokens of calls that were made, and of no others.
    expect([...progress.keys()].every((token) => typeof token === 'number' && token > 10 && token <= CALLS + 10)).toBe(
      true,
    );
    expect(progress.size).toBeGreaterThan(0);
    expect(await client.end()).toBe(0);
  },
);
