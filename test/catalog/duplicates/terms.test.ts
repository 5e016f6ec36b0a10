import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTermReader, readBeside, type TermReader } from '../../../src/catalog/duplicates/terms.ts';
import { tokenize } from '../../../src/search/tokenize.ts';

/** Pieces that a text is made of: what is a word in one way by itself and in another beside its neighbour. */
const PIECES = [
  ..."deploy Deployments getUser snake_case 42 k8s C c F XMLs C++ C# _ # + . - / < = > ` '".split(' '),
  ...'é ß ½ ² ™ … — “ ﬁ Ａ 部署服务 デプロイ 배포를 API를 развёртывание ทดสอบ สวัสดี कि 🚀'.split(' '),
  ' ',
  '\n',
  '\0',
  'e\u0301',
  '\u0301',
  '\u0338',
  'и\u0306',
  '\u0306',
  '\u093f',
  '\u00a0',
  '\ufeff',
  '\u200d',
  '\ud83d',
  'a'.repeat(70),
];
const texts = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

function termsIn({ read, lexicon }: TermReader, text: string): readonly string[] {
  const numbers = read(text);
  const terms = [...lexicon.keys()];
  return Array.from(numbers, (number) => terms[number] ?? '');
}

describe('createTermReader', () => {
  it('reads the terms that the tokenizer finds in the whole text, whatever it has read before', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), (list) => {
        const reader = createTermReader(tokenize);
        for (const text of list) expect(termsIn(reader, text)).toEqual(tokenize(text));
      }),
      { numRuns: 300 },
    );
  });

  it('tokenizes a word once, and tells tens of thousands of words apart', () => {
    const asked: string[] = [];
    const reader = createTermReader((text) => {
      asked.push(text);
      return [text];
    });
    const words = Array.from({ length: 40_000 }, (_, number) => `w${number}${'x'.repeat(number % 5)}`);
    expect(termsIn(reader, words.join(' '))).toEqual(words);
    expect(termsIn(reader, words.toReversed().join('\n'))).toEqual(words.toReversed());
    expect(asked).toEqual(words);
  });
});

describe('readBeside', () => {
  it('numbers terms that the lexicon does not have behind its own', () => {
    const lexicon = new Map([
      ['deploy', 0],
      ['rollback', 1],
    ]);
    expect([...readBeside(lexicon, ['new', 'rollback', 'other', 'new'])]).toEqual([2, 1, 3, 2]);
    expect(lexicon.size).toBe(2);
  });
});
