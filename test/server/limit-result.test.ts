import type { CallToolResult } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { tokenCountOf } from '../../src/catalog/tokens.ts';
import { limitResult } from '../../src/server/limit-result.ts';
import { HeldResults } from '../../src/tools/held-results.ts';
import { ResultReader } from '../../src/tools/result-reader.ts';

const LIMIT = 500;
const held = new HeldResults();
const limited = (result: CallToolResult): CallToolResult => limitResult(result, { limit: LIMIT, held });
const textsOf = ({ content }: CallToolResult): readonly string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

/** The texts of every page after the first, less the notes. */
async function restOf(cut: CallToolResult): Promise<readonly string[]> {
  const reader = new ResultReader(held);
  const texts: string[] = [];
  let call: { arguments: Record<string, string> } | undefined = callIn(textsOf(cut).at(-1) ?? '');
  while (call !== undefined) {
    const page = (await reader.call('results__read', call.arguments)) as CallToolResult;
    const all = textsOf(page);
    expect(tokenCountOf(all.join('\n'))).toBeLessThanOrEqual(LIMIT);
    texts.push(...all.slice(0, -1));
    call = callIn(all.at(-1) ?? '');
  }
  return texts;
}

function callIn(note: string): { id: string; arguments: Record<string, string> } | undefined {
  const [, json] = /execute (\{.*\})\]$/.exec(note) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as ReturnType<typeof callIn>);
}

const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join('');
const items = Array.from({ length: 400 }, (_, id) => ({ id, name: `item ${id}` }));
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });

describe('limitResult', () => {
  it('gives a result within the limit as it is', () => {
    const result: CallToolResult = {
      content: [text(' short '), { type: 'image', data: 'AAAA'.repeat(100_000), mimeType: 'image/png' }],
      structuredContent: { a: 1 },
      isError: true,
      _meta: { kept: 1 },
    };
    expect(limited(result)).toBe(result);
  });

  it('cuts a long text at a line, tells how much there is, and keeps every other field', async () => {
    const cut = limited({
      content: [{ ...text(lines), annotations: { priority: 1 } }],
      structuredContent: { count: 1_000 },
      isError: true,
      _meta: { 'example.com/kept': true },
    });
    expect(cut).toMatchObject({
      isError: true,
      structuredContent: { count: 1_000 },
      _meta: { 'example.com/kept': true, 'playbook-mcp/cut': { handle: expect.any(String) } },
      content: [{ annotations: { priority: 1 } }, {}],
    });
    const [first = '', note = ''] = textsOf(cut);
    expect(note).toMatch(
      /^\[Cut: lines 1–\d+ of 1,000; about [\d,]+ tokens in all\. Next page: execute \{.*"results__read"/,
    );
    expect(tokenCountOf(first + note)).toBeLessThanOrEqual(LIMIT);
    expect([first, ...(await restOf(cut))].join('')).toBe(lines);
  });

  it('lets images and binary pass where they stand, and cuts embedded text', async () => {
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const blob = { type: 'resource' as const, resource: { uri: 'file:///b', blob: 'AAAA' } };
    const cut = limited({
      content: [image, { type: 'resource', resource: { uri: 'file:///a', text: lines } }, text('after'), blob],
    });
    expect(cut.content).toMatchObject([image, { type: 'resource', resource: { uri: 'file:///a' } }, blob, {}]);
    const [, resource] = cut.content;
    const first = resource?.type === 'resource' && 'text' in resource.resource ? resource.resource.text : '';
    const rest = await restOf(cut);
    expect(rest.at(-1)).toBe('after');
    expect([first, ...rest.slice(0, -1)].join('')).toBe(lines);
  });

  it('cuts JSON between elements, each page JSON of its own', async () => {
    const cut = limited({ content: [text(JSON.stringify({ total: 400, items }, null, 2))] });
    const [first = ''] = textsOf(cut);
    const start = JSON.parse(first) as { total: number; items: unknown[] };
    expect(start.total).toBe(400);
    const rest = (await restOf(cut)).flatMap((page) => JSON.parse(page) as unknown[]);
    expect([...start.items, ...rest]).toEqual(items);
  });

  it.each([
    { name: 'its JSON', structuredContent: { items }, texts: [JSON.stringify({ items }, null, 1)] },
    { name: 'its only member', structuredContent: { content: lines }, texts: [lines] },
  ])('leaves structured content out where it is too long and a text says $name', ({ structuredContent, texts }) => {
    const cut = limited({ content: texts.map(text), structuredContent });
    expect(cut).not.toHaveProperty('structuredContent');
    expect(textsOf(cut)[1]).toContain('structuredContent is left out');
    expect(textsOf(cut)).toHaveLength(3);
  });

  it('gives structured content that is too long as text where no text says the same', async () => {
    const cut = limited({ content: [text('400 items')], structuredContent: { items } });
    const [summary, first = '', , note] = textsOf(cut);
    expect(summary).toBe('400 items');
    expect(note).toContain('elements 1–');
    const start = JSON.parse(first) as { items: unknown[] };
    const rest = (await restOf(cut)).flatMap((page) => JSON.parse(page) as unknown[]);
    expect([...start.items, ...rest]).toEqual(items);
  });

  it('counts the texts of a result together', () => {
    const many = Array.from({ length: 60 }, (_, index) => text(`text ${index} of several words, none of them long\n`));
    const cut = limited({ content: many });
    expect(cut.content.length).toBeLessThan(60);
    expect(textsOf(cut).at(-1)).toMatch(/of text \d+ of 60/);
  });
});
