import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOX_HEIGHT, layOut, type LayoutBox, type LayoutLine } from '../../../src/cli/graph-page/layout.ts';
import { nearestIn } from '../../../src/cli/graph-page/steps.ts';

const WIDTH = 100;
const boxes = (count: number): readonly LayoutBox[] =>
  Array.from({ length: count }, (_, i) => ({ key: `n${i}`, width: WIDTH }));

const graphs = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    lines: fc.array(
      fc.record({ from: fc.nat(count - 1), to: fc.nat(count - 1) }).map(({ from, to }): LayoutLine => {
        return { from: `n${from}`, to: `n${to}` };
      }),
      { maxLength: 120 },
    ),
  }),
);

describe('layOut', () => {
  it('gives every box a place of its own within the whole, whatever the lines', () => {
    fc.assert(
      fc.property(graphs, ({ count, lines }) => {
        const { places, width, height } = layOut(boxes(count), lines);
        const all = [...places.values()];
        expect(all).toHaveLength(count);
        for (const [at, a] of all.entries()) {
          expect(a.x >= 0 && a.y >= 0 && a.x + WIDTH <= width + 0.01 && a.y + BOX_HEIGHT <= height + 0.01).toBe(true);
          for (const b of all.slice(at + 1)) {
            expect(Math.abs(a.x - b.x) >= WIDTH || Math.abs(a.y - b.y) >= BOX_HEIGHT).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('places what refers left of what it refers to, where nothing leads round', () => {
    const lines = [
      { from: 'n0', to: 'n1' },
      { from: 'n1', to: 'n2' },
      { from: 'n0', to: 'n2' },
    ];
    const { places } = layOut(boxes(3), lines);
    for (const { from, to } of lines) expect(places.get(from)?.x).toBeLessThan(places.get(to)?.x ?? 0);
  });

  it('lays out a chain of 5,000 and a ball of 250 boxes with 5,000 lines', () => {
    const chain = Array.from({ length: 4999 }, (_, i) => ({ from: `n${i}`, to: `n${i + 1}` }));
    expect(layOut(boxes(5000), chain).places.size).toBe(5000);
    const ball = Array.from({ length: 5000 }, (_, i) => ({ from: `n${(i * 7) % 250}`, to: `n${(i * 31 + 3) % 250}` }));
    expect(layOut(boxes(250), ball).places.size).toBe(250);
  });
});

describe('nearestIn', () => {
  it('goes to the nearest box in a direction, and nowhere at the edge', () => {
    const places = new Map([
      ['a', { x: 0, y: 0 }],
      ['b', { x: 100, y: 0 }],
      ['c', { x: 0, y: 50 }],
    ]);
    expect(nearestIn(places, { from: 'a', step: { x: 1, y: 0 } })).toBe('b');
    expect(nearestIn(places, { from: 'a', step: { x: 0, y: 1 } })).toBe('c');
    expect(nearestIn(places, { from: 'b', step: { x: 1, y: 0 } })).toBeUndefined();
  });
});
