import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonSchema, WrappedTool } from '../../src/model.ts';
import { Approvals } from '../../src/tools/approvals.ts';
import { wrapTools } from '../../src/tools/definitions.ts';
import { fake, tempDir } from './harness.ts';

function toolOf(name: string, description = 'Does it', inputSchema: JsonSchema = { type: 'object' }): WrappedTool {
  const definition = { name, description, inputSchema, annotations: {} };
  return wrapTools([{ config: fake('plain'), definitions: [definition] }], [])[0]!;
}

const withArguments = (names: Record<string, object>): JsonSchema => ({ type: 'object', properties: names });

function openAt(path: string): { approvals: Approvals; log: string[]; conflicts: () => number } {
  const log: string[] = [];
  let count = 0;
  const approvals = new Approvals(
    path,
    (level, message) => log.push(`${level}: ${message}`),
    () => (count += 1),
  );
  return { approvals, log, conflicts: () => count };
}

const newFile = (): string => join(tempDir(), 'state', 'approved.json');
const verdict = (approvals: Approvals, tool: WrappedTool): string =>
  approvals.judge([tool]).quarantined[0]?.change ?? 'approved';

describe('a definition', () => {
  it.each([
    {
      name: 'its description',
      tool: toolOf('t', 'Does other things', withArguments({ a: {}, b: {} })),
      change: 'description changed',
    },
    {
      name: 'its arguments',
      tool: toolOf('t', 'Does it', withArguments({ a: { type: 'number' }, c: {} })),
      change: 'argument "c" added; argument "b" removed; argument "a" changed',
    },
    {
      name: 'the rest of its schema',
      tool: toolOf('t', 'Does it', { ...Object(withArguments({ a: {}, b: {} })), required: ['a'] }),
      change: 'argument schema changed',
    },
  ])(
    'is quarantined in this and every later process when $name changes, until it is accepted',
    async ({ tool, change }) => {
      const path = newFile();
      const first = openAt(path).approvals;
      const original = toolOf('t', 'Does it', withArguments({ a: {}, b: {} }));
      expect(verdict(first, original)).toBe('approved');
      expect(verdict(first, tool)).toBe(change);
      await first.settled();

      const second = openAt(path).approvals;
      expect(verdict(second, tool)).toBe(change);
      expect(verdict(second, original)).toBe('approved');
      await second.accept([tool]);
      expect(verdict(second, tool)).toBe('approved');
      expect(verdict(openAt(path).approvals, tool)).toBe('approved');
      expect(await first.reread()).toBe(true);
      expect(verdict(first, tool)).toBe('approved');
      expect(await first.reread()).toBe(false);
    },
  );

  it('is approved when its tool is new, and known again when its tool comes back', async () => {
    const path = newFile();
    const { approvals } = openAt(path);
    approvals.judge([toolOf('old')]);
    await approvals.settled();
    expect(approvals.judge([toolOf('new')]).approved).toHaveLength(1);
    expect(verdict(approvals, toolOf('old', 'Something else'))).toBe('description changed');
  });

  it('is the one that another process has seen first', async () => {
    const path = newFile();
    const [one, other] = [openAt(path), openAt(path)];
    one.approvals.judge([toolOf('t')]);
    await one.approvals.settled();
    // Loaded before the first had written.
    const late = openAt(path);
    other.approvals.judge([toolOf('t', 'Other')]);
    await other.approvals.settled();
    expect(verdict(late.approvals, toolOf('t', 'Other'))).toBe('description changed');
    expect(verdict(other.approvals, toolOf('t', 'Other'))).toBe('description changed');
  });
});

describe('the file', () => {
  it('loses nothing when many write at once, and leaves no lock and no draft', async () => {
    const path = newFile();
    const all = Array.from({ length: 20 }, (_, i) => ({ ...openAt(path), tool: toolOf(`t${i}`) }));
    for (const { approvals, tool } of all) approvals.judge([tool]);
    await Promise.all(all.map(({ approvals }) => approvals.settled()));
    expect(JSON.parse(readFileSync(path, 'utf8')).tools).toHaveLength(20);
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(all.flatMap(({ log }) => log)).toEqual([]);
  });

  it('is said to be broken where it is, and costs nobody the tools', () => {
    const path = join(tempDir(), 'approved.json');
    writeFileSync(path, '{');
    const { approvals, log } = openAt(path);
    expect(verdict(approvals, toolOf('t'))).toBe('approved');
    expect(log).toEqual([expect.stringMatching(/^error: cannot read which tools are approved/)]);
  });

  it('is not needed: where it cannot be written the tools are approved for this process', async () => {
    const blocked = join(tempDir(), 'file');
    writeFileSync(blocked, '');
    const { approvals, log } = openAt(join(blocked, 'approved.json'));
    approvals.judge([toolOf('t')]);
    await approvals.settled();
    expect(verdict(approvals, toolOf('t'))).toBe('approved');
    expect(log).toEqual([expect.stringMatching(/^warn: cannot keep which tools are approved/)]);
  });
});
