import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { tokenize, toTokens } from '../../src/search/tokenize.ts';

describe('tokenize', () => {
  it.each([
    { name: 'snake_case', text: 'pull_request_number', terms: ['pull', 'request', 'number'] },
    { name: 'kebab-case', text: 'blue-green', terms: ['blue', 'green'] },
    {
      name: 'camelCase, with the whole word after its parts',
      text: 'pullTicket',
      terms: ['pull', 'ticket', 'pullticket'],
    },
    { name: 'an acronym before a word', text: 'XMLParser', terms: ['xml', 'parser', 'xmlparser'] },
    { name: 'a plural acronym as one word', text: 'URLs PRs', terms: ['url', 'pr'] },
    { name: 'names with digits as one word', text: 'k8s s3 oauth2 ipv6', terms: ['k8s', 's3', 'oauth2', 'ipv6'] },
    { name: 'digits that end a part', text: 's3Bucket', terms: ['s3', 'bucket', 's3bucket'] },
    { name: 'languages with a sign', text: 'C++ and C#, not C', terms: ['cpp', 'csharp', 'c'] },
    { name: 'a markdown heading as no language', text: '# Scope\n## C', terms: ['scope', 'c'] },
    { name: 'accents', text: 'naïve café Zürich', terms: ['naiv', 'cafe', 'zurich'] },
    { name: 'letters spelled in two ways', text: 'Größe Ærø', terms: ['gross', 'aero'] },
    { name: 'full-width letters', text: 'ＡＰＩ', terms: ['api'] },
    { name: 'English inflections', text: 'deploys deployed deploying', terms: ['deploy', 'deploy', 'deploy'] },
    { name: 'Russian inflections', text: 'релиз релиза релизы', terms: ['релиз', 'релиз', 'релиз'] },
    { name: 'ё as е, й as itself', text: 'ёлка йод', terms: ['елк', 'йод'] },
    { name: 'a sigma at the end of a word', text: 'ΟΔΟΣ οδος', terms: ['οδοσ', 'οδοσ'] },
    { name: 'English stop words', text: 'how do I use it for the users', terms: ['user'] },
    { name: 'Russian stop words', text: 'как мне откатить это', terms: ['откат'] },
    {
      name: 'Japanese',
      text: 'サービスを本番環境にデプロイする手順',
      terms: ['サービス', '本番', '環境', 'デプロイ', '手順'],
    },
    { name: 'Chinese', text: '把服务部署到生产环境', terms: ['服务', '部署', '生产', '环境'] },
    { name: 'Thai, its vowels kept', text: 'บริการ', terms: ['บริการ'] },
    {
      name: 'Korean in pairs of syllables',
      text: '배포를 데이터베이스',
      terms: ['배포', '포를', '데이', '이터', '터베', '베이', '이스'],
    },
    { name: 'a Korean particle on a foreign word', text: 'API를', terms: ['api'] },
    { name: 'nothing in punctuation', text: '… — ?!', terms: [] },
    { name: 'nothing in an empty text', text: '', terms: [] },
  ])('reads $name', ({ text, terms }) => {
    expect(tokenize(text)).toEqual(terms);
  });

  it('keeps the words of Object.prototype apart from their meaning', () => {
    expect(tokenize('constructor __proto__ toString')).toEqual(['constructor', 'proto', 'string', 'tostr']);
  });

  it('gives the same for its own output', () => {
    const word = fc.string({
      unit: fc.constantFrom(...Array.from('abcdeghilnorstuyzABCSXé3_-. \n\u0301йёуюаявшист배포를ΑΣς')),
    });
    fc.assert(
      fc.property(word, (text) => {
        const terms = tokenize(text);
        expect(tokenize(terms.join(' '))).toEqual(terms);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads any text, and no term has white space or capital letters in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of tokenize(text)) {
          expect(term).not.toBe('');
          expect(term).not.toMatch(/[\sA-Z]/);
        }
      }),
    );
  });

  it('ignores words that nobody can have written', () => {
    expect(tokenize(`key ${'a1'.repeat(500)} end`)).toEqual(['key', 'end']);
  });
});

describe('toTokens', () => {
  it('keeps stop words, without a term, and the unstemmed word beside its term', () => {
    expect(toTokens('the Releases')).toEqual([
      { word: 'the', term: '' },
      { word: 'releases', term: 'relea' },
    ]);
  });
});
