import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LearnedHere } from '../../src/search/learned-matches.ts';
import { type LearnedPair, learnQueries } from '../../src/search/learned.ts';
import { search, type SearchOptions } from '../../src/search/search.ts';
import type { SearchSegment } from '../../src/search/search-index.ts';
import { CATALOG, idsOf, toSegment } from './seed.ts';

const segment = toSegment(CATALOG);

type Use = readonly [query: string, id: string, callers?: number];

/** Uses by callers who did nothing else. */
function pairsOf(uses: readonly Use[]): readonly LearnedPair[] {
  const callersOf = (id: string): number =>
    uses.reduce((sum, [, used, callers = 1]) => (used === id ? sum + callers : sum), 0);
  return uses.map(([query, id, callers = 1]) => ({
    query,
    key: `central:${id}`,
    callers,
    callersOfEntry: callersOf(id),
  }));
}

function placed(pairs: readonly LearnedPair[], segments: readonly SearchSegment[] = [segment]): LearnedHere {
  const queries = learnQueries(pairs);
  const places = queries.keys.map((key) =>
    segments
      .flatMap((each) => (each.keys.includes(key) ? [{ segment: each, document: each.keys.indexOf(key) }] : []))
      .at(0),
  );
  return { queries, places };
}

const askTaught = (query: string, uses: readonly Use[], options: SearchOptions = {}) =>
  search([segment], query, { ...options, learned: placed(pairsOf(uses)) });

const QUERIES = ['roll back the release', 'remove a flag', 'zorp', 'deploy', 'crashing pod limits', 'create issue', ''];

describe('search that has learned nothing', () => {
  it.each(QUERIES)('answers "%s" exactly as without', (query) => {
    const cold = search([segment], query);
    expect(search([segment], query, { learned: placed([]) })).toEqual(cold);
    expect(askTaught(query, [['xylophone wardrobe', 'debug-pod', 9]])).toEqual(cold);
  });
});

describe('search that has learned of use', () => {
  const release = 'new release for the customers gone wrong';

  it('puts first what several callers used after the query', () => {
    expect(idsOf(search([segment], release))[0]).toBe('deploy/release');
    const taught = askTaught(release, [[release, 'deploy/rollback', 3]]);
    expect(idsOf(taught).slice(0, 2)).toEqual(['deploy/rollback', 'deploy/release']);
  });

  it('puts it first for a query nearly in those words', () => {
    const taught = askTaught('a release gone wrong for new customers', [[release, 'deploy/rollback', 3]]);
    expect(idsOf(taught)[0]).toBe('deploy/rollback');
  });

  it('finds what no word of the entry would', () => {
    const query = 'release went kaputt';
    expect(idsOf(search([segment], query))).not.toContain('ci/flaky-test');
    expect(idsOf(askTaught(query, [[query, 'ci/flaky-test', 5]]))).toContain('ci/flaky-test');
  });

  it('goes by what most used', () => {
    const taught = askTaught(release, [
      [release, 'deploy/rollback', 20],
      [release, 'debug-pod', 1],
    ]);
    expect(idsOf(taught)[0]).toBe('deploy/rollback');
    expect(taught.hits.find(({ key }) => key === 'central:debug-pod')?.score ?? 0).toBeLessThan(
      taught.hits[0]!.score / 2,
    );
  });

  it('takes one caller’s many wordings for one caller', () => {
    const words = ['new', 'release', 'customers', 'wrong', 'gone'];
    const pairs = words.map((word) => ({
      query: `${release} ${word} ${word}ish`,
      key: 'central:deploy/rollback',
      callers: 1,
      callersOfEntry: 1,
    }));
    const once = search([segment], release, { learned: placed(pairs.slice(0, 1)) });
    const often = search([segment], release, { learned: placed(pairs) });
    const scoreIn = ({ hits }: typeof once): number =>
      hits.find(({ key }) => key === 'central:deploy/rollback')?.score ?? 0;
    const cold = scoreIn(search([segment], release));
    // What all of them say may be more than what one says, but not five times as much.
    expect(scoreIn(often) - cold).toBeLessThan(2 * (scoreIn(once) - cold));
  });

  it('hides nothing that it lists without', () => {
    const uses: readonly Use[] = [
      [release, 'debug-pod', 50],
      ['customers of a release', 'ci/flaky-test', 50],
    ];
    const taught = idsOf(askTaught(release, uses));
    for (const id of idsOf(search([segment], release))) expect(taught).toContain(id);
  });

  it('lists nothing that may not be listed', () => {
    const uses: readonly Use[] = [[release, 'deploy/rollback', 9]];
    const accept = (key: string): boolean => key !== 'central:deploy/rollback';
    expect(askTaught(release, uses, { accept })).toEqual(search([segment], release, { accept }));
    expect(idsOf(askTaught('release went kaputt', uses, { accept: () => false }))).toEqual([]);
  });

  it('passes over entries that are not here', () => {
    const elsewhere = toSegment([{ id: 'elsewhere', description: 'Nothing of this.' }]);
    const learned = placed(
      pairsOf([
        [release, 'elsewhere', 9],
        [release, 'gone', 9],
      ]),
      [elsewhere],
    );
    expect(search([segment], release, { learned })).toEqual(search([segment], release));
  });

  it('ranks what is deprecated lower than an equal one that is not', () => {
    const uses: readonly Use[] = [
      [release, 'deploy/rollback', 3],
      [release, 'deploy/release', 3],
    ];
    const weightOf = (key: string): number | undefined => (key === 'central:deploy/release' ? 0.5 : undefined);
    expect(idsOf(askTaught(release, uses, { weightOf: (key) => weightOf(key) ?? 1 }))[0]).toBe('deploy/rollback');
    const both = askTaught(release, uses);
    const halved = askTaught(release, uses, { weightOf: (key) => weightOf(key) ?? 1 });
    const scoreOf = (outcome: typeof both) => outcome.hits.find(({ key }) => key === 'central:deploy/release')!.score;
    expect(scoreOf(halved)).toBeCloseTo(scoreOf(both) / 2);
  });

  it('puts an entry whose name the query is first', () => {
    expect(idsOf(askTaught('debug pod', [['debug pod', 'ci/flaky-test', 1_000]]))[0]).toBe('debug-pod');
  });

  it('teaches nothing by a query without a word', () => {
    expect(
      learnQueries(
        pairsOf([
          ['the of and', 'debug-pod'],
          ['…', 'debug-pod'],
          ['', 'debug-pod'],
        ]),
      ).keys,
    ).toEqual([]);
  });

  it('ranks the same whatever the order of segments', () => {
    const [first, second] = [toSegment(CATALOG.slice(0, 3)), toSegment(CATALOG.slice(3))];
    const pairs = pairsOf([
      [release, 'deploy/rollback', 2],
      [release, 'debug-pod', 2],
    ]);
    const whole = askTaught(release, [
      [release, 'deploy/rollback', 2],
      [release, 'debug-pod', 2],
    ]);
    const parts = [first, second];
    expect(search(parts, release, { learned: placed(pairs, parts) }).hits).toEqual(whole.hits);
  });
});

describe('a query for which the catalog has no words', () => {
  const query = 'zorp the quux';

  it('is answered by what two callers used after these very words, and by nothing else', () => {
    const taught = askTaught(query, [[query, 'debug-pod', 2]]);
    expect(taught).toMatchObject({ isGoodMatch: true, nearest: [] });
    expect(idsOf(taught)).toEqual(['debug-pod']);
  });

  it.each<{ name: string; asked: string; uses: readonly Use[] }>([
    { name: 'one caller alone did', asked: query, uses: [[query, 'debug-pod', 1]] },
    {
      name: 'it shares a word with what many asked',
      asked: 'zorp of the elephants in the garden',
      uses: [[query, 'debug-pod', 99]],
    },
    { name: 'only a word of many was asked', asked: 'zorp', uses: [['zorp the quux by the blurb', 'debug-pod', 99]] },
    {
      name: 'few of those callers used it',
      asked: query,
      uses: [
        [query, 'gone', 99],
        [query, 'debug-pod', 2],
      ],
    },
  ])('has no good match where $name', ({ asked, uses }) => {
    const taught = askTaught(asked, uses);
    expect(taught).toEqual(search([segment], asked));
    expect(taught.isGoodMatch).toBe(false);
  });
});

describe('what is learned', () => {
  it('is the same for words in another order and case', () => {
    const one = learnQueries(pairsOf([['Roll BACK releases', 'debug-pod', 4]]));
    const two = learnQueries([
      { query: 'roll back release', key: 'central:debug-pod', callers: 2, callersOfEntry: 4 },
      { query: 'releases, roll back', key: 'central:debug-pod', callers: 2, callersOfEntry: 4 },
    ]);
    expect(two).toEqual(one);
  });

  it('survives the way from thread to thread', () => {
    const learned = learnQueries(
      pairsOf([
        ['roll back', 'debug-pod', 2],
        ['roll on', 'flag-cleanup'],
      ]),
    );
    expect(structuredClone(learned)).toEqual(learned);
  });

  it('never costs a hit, whatever is asked and taught', () => {
    const word = fc.constantFrom('deploy', 'release', 'flag', 'pod', 'zorp', 'issue', 'the', 'customers', 'test');
    const words = fc.array(word, { maxLength: 6 }).map((some) => some.join(' '));
    const use = fc.tuple(words, fc.constantFrom(...CATALOG.map(({ id }) => id)), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(words, fc.array(use, { maxLength: 20 }), (query, uses) => {
        const cold = search([segment], query);
        const taught = askTaught(query, uses);
        const keys = new Set(taught.hits.map(({ key }) => key));
        expect(keys.size).toBe(taught.hits.length);
        expect(cold.hits.every(({ key }) => keys.has(key))).toBe(true);
        expect(taught.hits.every(({ score }) => score > 0 && Number.isFinite(score))).toBe(true);
      }),
    );
  });
});
