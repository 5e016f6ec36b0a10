import { describe, expect, it } from 'vitest';
import { cutText } from '../../src/tools/cut-text.ts';
import { type HeldResult, HeldResults } from '../../src/tools/held-results.ts';
import { ResultReader } from '../../src/tools/result-reader.ts';

const MINUTE = 60_000;
const text = Array.from({ length: 300 }, (_, index) => `line ${index}\n`).join('');
const result = (bytes = 1): HeldResult => ({
  texts: [cutText(text, 100)],
  pageTokens: 100,
  second: { text: 0, position: 7 },
  totalTokens: 900,
  bytes,
});

describe('HeldResults', () => {
  it('keeps a result for ten minutes after it was last read', () => {
    let now = 0;
    const held = new HeldResults(() => now);
    const [read, unread] = [held.hold(result()), held.hold(result())];
    now += 9 * MINUTE;
    expect(held.get(read)).toBeDefined();
    now += 9 * MINUTE;
    expect(held.get(read)).toBeDefined();
    expect(held.get(unread)).toBeUndefined();
    now += 10 * MINUTE;
    expect(held.get(read)).toBeUndefined();
  });

  it('lets go of the least recently read when there are many, or they are large', () => {
    const held = new HeldResults();
    const [first, second] = [held.hold(result()), held.hold(result())];
    held.get(first);
    for (let count = 0; count < 99; count += 1) held.hold(result());
    expect(held.get(second)).toBeUndefined();
    expect(held.get(first)).toBeDefined();
    const large = held.hold(result(100 * 1024 * 1024));
    expect(held.get(first)).toBeUndefined();
    expect(held.get(large)).toBeDefined();
    held.close();
    expect(held.get(large)).toBeUndefined();
  });
});

describe('results__read', () => {
  const held = new HeldResults();
  const reader = new ResultReader(held);

  it('reads on from the second page where no cursor is given', async () => {
    const answer = await reader.call('results__read', { handle: held.hold(result()) });
    expect(JSON.stringify(answer)).toContain('"line 1\\n');
  });

  it('says that a handle is unknown or has expired, and what to do', async () => {
    await expect(reader.call('results__read', { handle: 'nonsense' })).rejects.toMatchObject({
      code: 'tools/unknown-handle',
      hint: expect.stringContaining('Execute the tool again'),
    });
  });

  it.each(['nonsense', '0', '1.0', `0.${text.length}`, '-1.2', '0.99999999999'])(
    'refuses the cursor %s',
    async (cursor) => {
      await expect(reader.call('results__read', { handle: held.hold(result()), cursor })).rejects.toMatchObject({
        code: 'tools/bad-cursor',
      });
    },
  );
});
