import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { LineReader } from '../../src/tools/line-reader.ts';

function read(chunks: readonly Buffer[]): readonly string[] {
  const lines: string[] = [];
  const reader = new LineReader((line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.flush();
  return lines;
}

it('gives the same lines however the bytes are cut, within a character too', () => {
  const text = fc.array(
    fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, '')),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(text, fc.array(fc.nat(20)), (lines, sizes) => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      const chunks: Buffer[] = [];
      let at = 0;
      for (const size of sizes) {
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      chunks.push(bytes.subarray(at));
      expect(read(chunks)).toEqual(lines);
    }),
  );
});

it('takes CRLF for a line end and gives out an unfinished last line', () => {
  expect(read([Buffer.from('a\r\nb\r'), Buffer.from('\nc')])).toEqual(['a', 'b', 'c']);
});
