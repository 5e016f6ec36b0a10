import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GrepRecord, GrepReader } from '../../../src/tools/code/records.ts';

const output = Buffer.from(
  ['a.ts|1|5|hé needle\r', 'a.ts|2|after', '--', 'odd\nname|7|1|x', ''].join('\n').replaceAll('|', '\0'),
);

it('reads the same records however the output is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(output.length)), (cuts) => {
      const records: GrepRecord[] = [];
      const reader = new GrepReader((record) => records.push(record));
      const places = [0, ...cuts.toSorted((a, b) => a - b), output.length];
      for (const [index, end] of places.entries()) reader.push(output.subarray(places[index - 1] ?? 0, end));
      expect(records).toEqual([
        { path: 'a.ts', line: 1, isMatch: true, text: 'hé needle' },
        { path: 'a.ts', line: 2, isMatch: false, text: 'after' },
        { path: 'odd\nname', line: 7, isMatch: true, text: 'x' },
      ]);
    }),
  );
});
