import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVerdicts } from '../../src/server/review-verdict.ts';

const answer = (verdict: string): string =>
  JSON.stringify({ verdicts: [{ id: 'a', verdict, reason: 'it holds } and { and \\" too' }] });
const verdictIn = (said: string, question = ''): string | undefined => readVerdicts(said, question)?.[0]?.verdict;

describe('the verdicts in what a reviewer said', () => {
  it.each([
    { name: 'the bare object', said: answer('keep'), verdict: 'keep' },
    { name: 'an object in a fence', said: `Done:\n\`\`\`json\n${answer('rewrite')}\n\`\`\`\n`, verdict: 'rewrite' },
    {
      name: 'prose around it, with braces',
      said: `I {think} so { ${answer('duplicate')} } {"a": 1}`,
      verdict: 'duplicate',
    },
    { name: 'the last of several', said: `${answer('keep')} no: ${answer('unneeded')}`, verdict: 'unneeded' },
    { name: 'the last that is valid', said: `${answer('keep')} or ${answer('maybe')}`, verdict: 'keep' },
    { name: 'indentation', said: JSON.stringify(JSON.parse(answer('keep')), undefined, 2), verdict: 'keep' },
    { name: 'none', said: 'keep', verdict: undefined },
    { name: 'a list of them', said: '[{"id":"a","verdict":"keep","reason":"x"}]', verdict: undefined },
    { name: 'an object that is cut', said: answer('keep').slice(0, -2), verdict: undefined },
  ])('are read from $name', ({ said, verdict }) => {
    expect(verdictIn(said)).toBe(verdict);
  });

  it('are not those that the question holds', () => {
    const question = `| ${answer('keep')}`;
    expect(verdictIn(question, question)).toBeUndefined();
    expect(verdictIn(`${answer('rewrite')}\n${question}`, question)).toBe('rewrite');
  });

  it('are found in any text without throwing, and whatever stands before the answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', 'a', ':', '\n') }), (noise) => {
        expect(verdictIn(noise)).toBeUndefined();
        expect(verdictIn(`${noise}\n${answer('rewrite')}`)).toBe('rewrite');
      }),
    );
  });
});
