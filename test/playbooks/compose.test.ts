import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { composeFrontMatter } from '../../src/playbooks/compose.ts';
import { parseText } from './parse-text.ts';

const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '').trim())
  .filter((text) => text.trim() !== '' && !/\p{Cs}/u.test(text));
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((each) => each.join('\n'));
const list = fc.uniqueArray(line, { maxLength: 3 });

describe('composed front matter', () => {
  it('reads back as what was given, whatever characters are in it', () => {
    fc.assert(
      fc.property(fc.record({ description: lines, tags: list, examples: list, owner: line }), (fields) => {
        const outcome = parseText(composeFrontMatter(fields));
        expect(outcome).toMatchObject({
          kind: 'playbook',
          playbook: fields,
          diagnostics: [],
        });
      }),
    );
  });
});
