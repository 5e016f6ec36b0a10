/**
 * `npm run bench:learned`: what search learns from use. Of each labelled set some queries are taken for past ones, in several random
 * halves, and the others are asked with and without what those have taught. What was used after a past query is made up in four ways:
 * all that is relevant, as if somebody had told (it flatters); what is relevant among the ten that the search lists without having learned
 * anything, as an agent takes it; and both with half of the uses put on an entry at random.
 */
import { join } from 'node:path';
import { buildSegment, type SearchSegment } from '../src/search/search-index.ts';
import { type LearnedPair, learnQueries } from '../src/search/learned.ts';
import type { LearnedHere } from '../src/search/learned-matches.ts';
import { search, type SearchOutcome } from '../src/search/search.ts';
import { type Random, randomFrom } from './plant.ts';
import { printFigures } from './print.ts';
import { quantile } from './quantile.ts';
import { mean, ndcgAt } from './relevance.ts';
import { type LabelledQuery, type LabelledSet, readLabelledSets, toDocument } from './retrieval-sets.ts';

const SPLITS = 5;
/** What an agent looks at. */
const SHOWN = 10;

/** Callers that asked each past query: of one, use must be doubted most, and with three it may answer what the catalog has no words for. */
const CALLERS = [1, 3];

interface Way {
  readonly name: string;
  readonly isShown: boolean;
  /** Share of the uses that are of an entry at random. */
  readonly noise: number;
}

const WAYS: readonly Way[] = [
  { name: 'shown', isShown: true, noise: 0 },
  { name: 'shown, half at random', isShown: true, noise: 0.5 },
  { name: 'gold', isShown: false, noise: 0 },
  { name: 'gold, half at random', isShown: false, noise: 0.5 },
];

const folder = process.env['PLAYBOOK_MCP_BENCH'] ?? join(import.meta.dirname, '../../shared/bench');
const sets = readLabelledSets(folder);

if (sets.length === 0) {
  console.error(`SKIPPED bench:learned: no labelled sets in ${folder}; set PLAYBOOK_MCP_BENCH to their folder.`);
} else {
  const results = CALLERS.flatMap((callers) =>
    WAYS.map((way) => ({ way, callers, measured: sets.map((set) => measure(set, way, callers)) })),
  );
  printFigures({
    bench: 'learned',
    figures: Object.fromEntries(
      results.map(({ way, callers, measured }) => [`${way.name}, callers: ${callers}`, toFigures(measured)]),
    ),
    rows: [
      [
        'used',
        'callers',
        ...sets.map(({ name }) => name),
        'mean',
        'cold',
        'worst split',
        'refused',
        'cold',
        'hits',
        'cold',
        'time',
      ],
      ...results.map(({ way, callers, measured }) => toRow(way, callers, measured)),
    ],
  });
}

interface Measured {
  readonly name: string;
  /** nDCG@10 of the future queries, refusals included. */
  readonly cold: number;
  readonly learned: number;
  /** The least gain of a split. */
  readonly worst: number;
  /** Share of the unanswerable queries that get no hits; undefined where the set has none. */
  readonly refusedCold: number | undefined;
  readonly refused: number | undefined;
  readonly hitsCold: number;
  readonly hits: number;
  /** Median time of a search beside one without. */
  readonly timeRatio: number;
}

function measure(set: LabelledSet, way: Way, callers: number): Measured {
  const segment = buildSegment(set.entries.map(toDocument));
  const segments = [segment];
  const splits = Array.from({ length: SPLITS }, (_, split) => {
    const random = randomFrom(1000 + split);
    const order = set.queries.map((query) => ({ query, at: random() })).sort((a, b) => a.at - b.at);
    const half = Math.floor(order.length / 2);
    const past = order.slice(0, half).map(({ query }) => query);
    const learned = learn(
      segment,
      past.flatMap((query) => usesOf(query, { set, segments, way, callers, random })),
    );
    const asked = order.slice(half).map(({ query }) => askBoth(segments, query, learned));
    return { asked, negatives: set.negatives.map((query) => askBoth(segments, query, learned)) };
  });
  const asked = splits.flatMap((split) => split.asked);
  const negatives = splits.flatMap((split) => split.negatives);
  const refused = (of: (both: Both) => Asked): number | undefined =>
    negatives.length === 0 ? undefined : mean(negatives.map((both) => (of(both).outcome.isGoodMatch ? 0 : 1)));
  const time = (of: (both: Both) => Asked): number =>
    quantile(
      [...asked, ...negatives].map((both) => of(both).ms),
      0.5,
    );
  return {
    name: set.name,
    cold: mean(asked.map(({ query, cold }) => gain(query, cold))),
    learned: mean(asked.map(({ query, warm }) => gain(query, warm))),
    worst: Math.min(
      ...splits.map((split) => mean(split.asked.map(({ query, cold, warm }) => gain(query, warm) - gain(query, cold)))),
    ),
    refusedCold: refused(({ cold }) => cold),
    refused: refused(({ warm }) => warm),
    hitsCold: mean(asked.map(({ cold }) => cold.outcome.hits.length)),
    hits: mean(asked.map(({ warm }) => warm.outcome.hits.length)),
    timeRatio: time(({ warm }) => warm) / time(({ cold }) => cold),
  };
}

interface Past {
  readonly set: LabelledSet;
  readonly segments: readonly SearchSegment[];
  readonly way: Way;
  readonly callers: number;
  readonly random: Random;
}

function usesOf(
  query: LabelledQuery,
  { set, segments, way, callers, random }: Past,
): readonly Omit<LearnedPair, 'callersOfEntry'>[] {
  const shown = search(segments, query.query, { limit: SHOWN }).hits.map(({ key }) => key);
  const { relevant, grades } = query;
  const wanted = grades === undefined ? relevant : Object.keys(grades).filter((id) => (grades[id] ?? 0) > 0);
  const used = way.isShown ? shown.filter((id) => wanted.includes(id)) : wanted;
  const others = way.isShown ? shown : set.entries.map(({ id }) => id);
  return used.map((id) => {
    const other = random() < way.noise ? others[Math.floor(random() * others.length)] : undefined;
    return { query: query.query, key: other ?? id, callers };
  });
}

function learn(segment: SearchSegment, uses: readonly Omit<LearnedPair, 'callersOfEntry'>[]): LearnedHere {
  const callersOf = new Map<string, number>();
  for (const { key, callers } of uses) callersOf.set(key, (callersOf.get(key) ?? 0) + callers);
  const queries = learnQueries(uses.map((use) => ({ ...use, callersOfEntry: callersOf.get(use.key) ?? 0 })));
  const documents = new Map(segment.keys.map((key, document) => [key, document]));
  const places = queries.keys.map((key) => {
    const document = documents.get(key);
    return document === undefined ? undefined : { segment, document };
  });
  return { queries, places };
}

interface Asked {
  readonly outcome: SearchOutcome;
  readonly ms: number;
}

interface Both {
  readonly query: LabelledQuery;
  readonly cold: Asked;
  readonly warm: Asked;
}

function askBoth(segments: readonly SearchSegment[], query: LabelledQuery, learned: LearnedHere): Both {
  // Whoever asks a query second finds its words ready.
  search(segments, query.query);
  const cold = ask(() => search(segments, query.query));
  return { query, cold, warm: ask(() => search(segments, query.query, { learned })) };
}

function ask(find: () => SearchOutcome): Asked {
  const started = performance.now();
  const outcome = find();
  return { outcome, ms: performance.now() - started };
}

function gain(query: LabelledQuery, { outcome }: Asked): number {
  return ndcgAt(
    10,
    outcome.hits.map(({ key }) => key),
    query,
  );
}

function toFigures(measured: readonly Measured[]) {
  return {
    ...Object.fromEntries(measured.map(({ name, ...figures }) => [name, figures])),
    cold: mean(measured.map(({ cold }) => cold)),
    learned: mean(measured.map(({ learned }) => learned)),
  };
}

function toRow({ name }: Way, callers: number, measured: readonly Measured[]): readonly string[] {
  const meanOf = (of: (one: Measured) => number | undefined): number => mean(measured.flatMap((one) => of(one) ?? []));
  return [
    name,
    String(callers),
    ...measured.map(({ cold, learned }) => signed(learned - cold)),
    meanOf(({ learned }) => learned).toFixed(3),
    meanOf(({ cold }) => cold).toFixed(3),
    signed(Math.min(...measured.map(({ worst }) => worst))),
    meanOf(({ refused }) => refused).toFixed(3),
    meanOf(({ refusedCold }) => refusedCold).toFixed(3),
    meanOf(({ hits }) => hits).toFixed(1),
    meanOf(({ hitsCold }) => hitsCold).toFixed(1),
    meanOf(({ timeRatio }) => timeRatio).toFixed(2),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
