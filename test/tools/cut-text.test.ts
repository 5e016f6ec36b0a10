import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenCountOf } from '../../src/catalog/tokens.ts';
import { type CutText, cutText } from '../../src/tools/cut-text.ts';
import { BEGINNING, type Page, pageAt } from '../../src/tools/pages.ts';

function pagesOf(texts: readonly CutText[], pageTokens: number): readonly Page[] {
  const pages = [pageAt(texts, BEGINNING, pageTokens)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(pageAt(texts, next, pageTokens));
  }
  return pages;
}

const piecesOf = (text: string, pageTokens: number): readonly string[] =>
  pagesOf([cutText(text, pageTokens)], pageTokens).flatMap(({ pieces }) => pieces.map((piece) => piece.text));

const pageTokens = fc.integer({ min: 20, max: 200 });
/** Text of many scripts, with lines of every length. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom('\n', '\r\n', '  ', ';\n  ', ' 日本語 ', '😀☀️'),
    ),
    {
      maxLength: 120,
    },
  )
  .map((parts) => parts.join(''));

describe('the pages of a text', () => {
  it('joined give the whole text, each within the limit', () => {
    fc.assert(
      fc.property(anyText, pageTokens, (text, tokens) => {
        // JSON is cut in another way.
        fc.pre(!/^\s*[[{]/.test(text));
        const pieces = piecesOf(text, tokens);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(tokenCountOf(piece)).toBeLessThanOrEqual(tokens);
      }),
    );
  });

  it('end at lines where no line is longer than a page', () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index} of the log\n`).join('');
    for (const piece of piecesOf(text, 100)) expect(piece).toMatch(/^line [^]*\n$/);
  });

  it('never part a pair of surrogates', () => {
    for (const piece of piecesOf('😀'.repeat(1_000), 50)) expect(Buffer.from(piece).toString()).toBe(piece);
  });

  it('end at rows of CSV, whose fields may hold lines, and know the header', () => {
    const rows = Array.from({ length: 200 }, (_, index) => `${index},"two\nlines, ""quoted""",x\n`);
    const text = `id,text,more\n${rows.join('')}`;
    const pieces = piecesOf(text, 100);
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(5);
    for (const piece of pieces.slice(1)) expect(piece).toMatch(/^\d+,"two\nlines[^]*,x\n$/);
    expect(cutText(text, 100)).toMatchObject({ header: 'id,text,more' });
  });

  it('know the header of a markdown table', () => {
    const text = `| a | b |\n|---|:-:|\n${'| 1 | 2 |\n'.repeat(300)}`;
    expect(cutText(text, 100)).toMatchObject({ header: '| a | b |' });
    expect(pageAt([cutText(text, 100)], BEGINNING, 100).pieces[0]?.where).toMatch(/^rows 1–\d+ of 302$/);
  });
});

describe('the pages of a JSON text', () => {
  const item = fc.oneof(
    fc.integer(),
    fc.string({ maxLength: 20 }),
    fc.record({
      id: fc.nat(),
      'na"me\\': fc.string({ unit: 'grapheme', maxLength: 10 }),
      list: fc.array(fc.boolean()),
    }),
  );
  const spacing = fc.constantFrom(undefined, 2, '\t');

  it('are each JSON, and their elements together are those of the array', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 100 }), spacing, (array, space) => {
        const pieces = piecesOf(` ${JSON.stringify(array, null, space)}\n`, 400);
        for (const piece of pieces) expect(tokenCountOf(piece)).toBeLessThanOrEqual(400);
        expect(pieces.flatMap((piece) => JSON.parse(piece) as unknown[])).toEqual(array);
      }),
    );
  });

  it('keep what is around the largest array on the first page', () => {
    const items = Array.from({ length: 300 }, (_, id) => ({ id, name: `item ${id}` }));
    const whole = { total: 300, data: { few: [1, 2], items, more: null }, url: 'https://x' };
    const [first = '', ...later] = piecesOf(JSON.stringify(whole, null, 2), 500);
    const start = JSON.parse(first) as typeof whole;
    expect({ ...start, data: { ...start.data, items: [] } }).toEqual({ ...whole, data: { ...whole.data, items: [] } });
    expect([...start.data.items, ...later.flatMap((page) => JSON.parse(page) as typeof items)]).toEqual(items);
    expect(pageAt([cutText(JSON.stringify(whole), 500)], BEGINNING, 500).pieces[0]?.where).toMatch(
      /^elements 1–\d+ of 300 of "data\.items"$/,
    );
  });

  it('keep numbers as they are written', () => {
    const pieces = piecesOf(`[${'1.0, 12345678901234567890, '.repeat(200)}2e3]`, 100);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.map((piece) => piece.slice(1, -1)).join(', ')).toBe(
      `${'1.0, 12345678901234567890, '.repeat(200)}2e3`,
    );
  });

  it.each([
    { name: 'an element is longer than half a page', text: JSON.stringify(['a', 'long '.repeat(200), 'b'], null, 1) },
    { name: 'most of it is not in an array', text: JSON.stringify({ a: 'long '.repeat(200), b: [1] }) },
    { name: 'it is not JSON after all', text: `[${'1, '.repeat(300)}` },
  ])('are pieces of plain text where $name', ({ text }) => {
    expect(piecesOf(text, 100).join('')).toBe(text);
  });
});

describe('the pages of several texts', () => {
  it('hold short ones together, and give each its part in turn', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), pageTokens, (texts, tokens) => {
        fc.pre(texts.every((text) => !/^\s*[[{]/.test(text)));
        const cuts = texts.map((text) => cutText(text, tokens));
        const joined = texts.map(() => '');
        for (const { pieces } of pagesOf(cuts, tokens)) {
          for (const { from, text } of pieces) joined[from.text] = `${joined[from.text]}${text}`;
          const sum = pieces.reduce((total, { text }) => total + tokenCountOf(text), 0);
          expect(sum).toBeLessThanOrEqual(tokens);
        }
        expect(joined).toEqual(texts);
      }),
    );
  });
});
