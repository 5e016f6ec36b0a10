/**
 * `npm run bench:retrieval`: how well labelled queries find their entries, beside plain BM25. It goes through what the
 * product goes through: every entry tokenized whole, hits as they would be listed, refusals included.
 */
import { join } from 'node:path';

import { buildSegment, type SearchSegment } from '../src/search/search-index.ts';
import { search } from '../src/search/search.ts';
import type { SearchOutcome } from '../src/search/search.ts';
import { printFigures } from './print.ts';
import { quantile } from './quantile.ts';
import { mean, ndcgAt, recallAt } from './relevance.ts';
import { floorRanking, STATED_FLOOR } from './retrieval-floor.ts';
import { readLabelledSets, toDocument } from './retrieval-sets.ts';
import type { LabelledQuery, LabelledSet } from './retrieval-sets.ts';

const folder = process.env['PLAYBOOK_MCP_BENCH'] ?? join(import.meta.dirname, '../../shared/bench');
const sets = readLabelledSets(folder);

if (sets.length === 0) {
  console.error(`SKIPPED bench:retrieval: no labelled sets in ${folder}; set PLAYBOOK_MCP_BENCH to their folder.`);
} else {
  const results = sets.map(measure);
  const overall = mean(results.map(({ figures }) => figures.ndcg10));
  printFigures({
    bench: 'retrieval',
    figures: { ...Object.fromEntries(results.map(({ name, figures }) => [name, figures])), mean: overall },
    rows: toRows(results),
  });
}

interface Result {
  readonly name: string;
  readonly figures: Figures;
}

interface Figures {
  readonly r1: number;
  readonly r5: number;
  readonly ndcg10: number;
  /** The same without refusals. */
  readonly r5Unrefused: number;
  readonly ndcg10Unrefused: number;
  readonly floorR5: number;
  readonly floorNdcg10: number;
  /** Share of the unanswerable queries that get no hits; null where the set has none. */
  readonly refused: number | null;
  readonly hits: number;
  readonly buildMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function measure(set: LabelledSet): Result {
  const started = performance.now();
  const segments = [buildSegment(set.entries.map(toDocument))];
  const buildMs = performance.now() - started;
  const asked = set.queries.map((query) => ask(segments, query));
  const unanswerable = set.negatives.map((query) => ask(segments, query));
  const floor = floorRanking(set.entries);
  const latencies = [...asked, ...unanswerable].map(({ ms }) => ms);
  const listed = rank(asked, ({ outcome }) => keysOf(outcome.hits));
  const unrefused = rank(asked, ({ outcome }) => keysOf([...outcome.hits, ...outcome.nearest]));
  const plain = rank(asked, ({ query }) => floor(query.query));
  return {
    name: set.name,
    figures: {
      r1: listed(recallAt, 1),
      r5: listed(recallAt, 5),
      ndcg10: listed(ndcgAt, 10),
      r5Unrefused: unrefused(recallAt, 5),
      ndcg10Unrefused: unrefused(ndcgAt, 10),
      floorR5: plain(recallAt, 5),
      floorNdcg10: plain(ndcgAt, 10),
      refused:
        unanswerable.length === 0 ? null : mean(unanswerable.map(({ outcome }) => (outcome.isGoodMatch ? 0 : 1))),
      hits: mean(asked.map(({ outcome }) => outcome.hits.length)),
      buildMs,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
    },
  };
}

interface Asked {
  readonly query: LabelledQuery;
  readonly outcome: SearchOutcome;
  readonly ms: number;
}

function ask(segments: readonly SearchSegment[], query: LabelledQuery): Asked {
  const started = performance.now();
  const outcome = search(segments, query.query);
  return { query, outcome, ms: performance.now() - started };
}

/** The mean of a measure over queries whose answers are the ids that `idsOf` gives. */
function rank(asked: readonly Asked[], idsOf: (asked: Asked) => readonly string[]) {
  const answers = asked.map((one) => ({ query: one.query, ids: idsOf(one) }));
  return (measureOf: typeof recallAt, count: number) =>
    mean(answers.map(({ query, ids }) => measureOf(count, ids, query)));
}

function keysOf(hits: SearchOutcome['hits']): readonly string[] {
  return hits.map(({ key }) => key);
}

function toRows(results: readonly Result[]): readonly (readonly string[])[] {
  const heading = ['set', 'R@1', 'R@5', 'nDCG@10', 'floor here: R@5', 'nDCG', 'floor stated: R@5', 'nDCG'];
  const rest = ['refused', 'R@5 lost', 'nDCG unrefused', 'hits', 'build ms', 'p50 ms', 'p99 ms'];
  const meanOf = (key: 'r1' | 'r5' | 'ndcg10' | 'floorR5' | 'floorNdcg10' | 'r5Unrefused' | 'ndcg10Unrefused') =>
    mean(results.map(({ figures }) => figures[key]));
  return [
    [...heading, ...rest],
    ...results.map(({ name, figures }) => [
      name,
      ...[figures.r1, figures.r5, figures.ndcg10, figures.floorR5, figures.floorNdcg10].map(ratio),
      ratio(STATED_FLOOR[name]?.r5),
      ratio(STATED_FLOOR[name]?.ndcg10),
      ratio(figures.refused ?? undefined),
      lost(figures.r5, figures.r5Unrefused),
      ratio(figures.ndcg10Unrefused),
      ...[figures.hits, figures.buildMs, figures.p50Ms, figures.p99Ms].map((value) => value.toFixed(1)),
    ]),
    [
      'mean',
      ...[meanOf('r1'), meanOf('r5'), meanOf('ndcg10'), meanOf('floorR5'), meanOf('floorNdcg10')].map(ratio),
      '',
      '',
      '',
      lost(meanOf('r5'), meanOf('r5Unrefused')),
      ratio(meanOf('ndcg10Unrefused')),
    ],
  ];
}

/** `.685`; empty for what a set does not have. */
function ratio(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3).replace(/^0/, '');
}

function lost(kept: number, all: number): string {
  return `${((100 * (all - kept)) / Math.max(all, Number.EPSILON)).toFixed(1)} %`;
}
