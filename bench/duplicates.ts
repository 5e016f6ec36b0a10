/**
 * `npm run bench:duplicates`: how many copies planted among real public skills are found, how many of the pairs that are reported
 * are none, and how long it takes. Beside the limits that the project sets itself.
 *
 * The corpora are `*.tar.gz` files in the folder that PLAYBOOK_MCP_CORPORA names; without it the bench says so and ends.
 * PLAYBOOK_MCP_REWRITTEN may name a folder of playbooks rewritten by hand, each called by its original's id: `pdf.md`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildCatalog } from '../src/catalog/catalog.ts';
import { buildDuplicateIndex } from '../src/catalog/duplicates/duplicate-index.ts';
import { type DuplicatePair, findDuplicates } from '../src/catalog/duplicates/find.ts';
import { findNearDuplicates } from '../src/catalog/duplicates/nearest.ts';
import type { Playbook } from '../src/model.ts';
import { parsePlaybook } from '../src/playbooks/parse.ts';
import { tokenize } from '../src/search/tokenize.ts';
import { loadPlaybooks } from '../src/server/load.ts';
import { TRUE_PAIRS } from './duplicate-pairs.ts';
import { changeWords, randomFrom, type Random, rewrite, WAYS } from './plant.ts';
import { printFigures } from './print.ts';
import { mean } from './relevance.ts';
import { quantile } from './quantile.ts';

const SEEDS = [1, 2, 3, 4, 5];
/** Judged by their pairs; the other corpora are for time, and to be read. */
const JUDGED = ['anthropics', 'wshobson'];
const corpora = process.env['PLAYBOOK_MCP_CORPORA'] ?? '../shared/corpora';
const rewritten = process.env['PLAYBOOK_MCP_REWRITTEN'];

if (!existsSync(corpora)) {
  console.error(`SKIPPED: there are no corpora at ${corpora}; name their folder in PLAYBOOK_MCP_CORPORA.`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-duplicates-'));
try {
  const all = await loadCorpora();
  const judged = all.filter(({ source }) => JUDGED.includes(source.name));
  const trials = SEEDS.map((seed) => plantAndFind(judged, randomFrom(seed)));
  const figures = {
    ...averageOf(trials),
    ...timesOf(all),
    pairsByCorpus: Object.fromEntries(
      [...new Set(all.map(({ source }) => source.name))].map((name) => [
        name,
        find(all.filter(({ source }) => source.name === name)).length,
      ]),
    ),
  };
  printFigures({
    bench: 'duplicates',
    figures,
    rows: [
      ['figure', 'measured', 'limit'],
      ['found of 100 with 10–20 % of the words changed', figures.found15.toFixed(1), '95'],
      ['found of 100 with 30 % of the words changed', figures.found30.toFixed(1), '80'],
      ['found of 50 rewritten by a table of synonyms', figures.foundRewritten.toFixed(1), '25'],
      ['share found of those rewritten by hand', figures.foundByHandRatio?.toFixed(2) ?? 'none given', '0.50'],
      ['share of the reported that is neither planted nor listed', figures.falseRatio.toFixed(3), '0.05'],
      ['the same in the worst of the runs', figures.worstFalseRatio.toFixed(3), ''],
      [`all pairs of ${figures.files} files, s`, (figures.allPairsMs / 1000).toFixed(1), '5'],
      ['the same, processor time, s', (figures.allPairsCpuMs / 1000).toFixed(1), ''],
      ['one text against them, p50 ms', figures.oneTextP50Ms.toFixed(1), ''],
      ['one text against them, p99 ms', figures.oneTextP99Ms.toFixed(1), ''],
      ...Object.entries(figures.pairsByCorpus).map(([name, pairs]) => [`pairs reported in ${name}`, String(pairs), '']),
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function loadCorpora(): Promise<readonly Playbook[]> {
  const sources = readdirSync(corpora)
    .filter((name) => name.endsWith('.tar.gz'))
    .map((file) => {
      const name = basename(file, '.tar.gz');
      execFileSync('tar', ['xzf', join(corpora, file), '-C', folder]);
      return { name, kind: 'central' as const, label: name, folders: [join(folder, name)], isTrusted: true };
    });
  return (await loadPlaybooks(sources)).playbooks;
}

function find(playbooks: readonly Playbook[]): readonly DuplicatePair[] {
  return findDuplicates(buildCatalog({ playbooks, tools: [] }), { tokenize });
}

type Group = 'changed by 10–20 %' | 'changed by 30 %' | 'rewritten' | 'by hand';

interface Planted {
  readonly playbook: Playbook;
  readonly originalId: string;
  readonly group: Group;
}

interface Trial {
  readonly found: Readonly<Record<Group, number>>;
  readonly byHandCount: number;
  readonly falseRatio: number;
}

function plantAndFind(originals: readonly Playbook[], random: Random): Trial {
  const planted = [...plant(originals, random), ...rewrittenByHand()];
  const reported = find([...originals, ...planted.map(({ playbook }) => playbook)]);
  const originalOf = new Map([
    ...originals.map((playbook): [Playbook, string] => [playbook, playbook.id]),
    ...planted.map(({ playbook, originalId }): [Playbook, string] => [playbook, originalId]),
  ]);
  const idsOf = ({ a, b }: DuplicatePair): readonly string[] =>
    [a, b].map(({ playbook }) => originalOf.get(playbook) ?? '').sort();
  const partners = reported.map(({ a, b }) => new Set([a.playbook, b.playbook]));
  const byId = new Map(originals.map((playbook) => [playbook.id, playbook]));
  const isFound = ({ playbook, originalId }: Planted): boolean =>
    partners.some((pair) => pair.has(playbook) && pair.has(byId.get(originalId)!));
  const countFound = (group: Group): number => planted.filter((each) => each.group === group && isFound(each)).length;
  const wrong = reported
    .map(idsOf)
    .filter(([a, b]) => a !== b && !TRUE_PAIRS.some((pair) => pair[0] === a && pair[1] === b));
  if (process.argv.includes('--wrong'))
    for (const [a, b] of wrong) console.error(`neither planted nor listed: ${a}, ${b}`);
  return {
    found: {
      'changed by 10–20 %': countFound('changed by 10–20 %'),
      'changed by 30 %': countFound('changed by 30 %'),
      rewritten: countFound('rewritten'),
      'by hand': countFound('by hand'),
    },
    byHandCount: planted.filter(({ group }) => group === 'by hand').length,
    falseRatio: wrong.length / Math.max(1, reported.length),
  };
}

function plant(originals: readonly Playbook[], random: Random): readonly Planted[] {
  const words = originals.flatMap(({ body }) => body.match(/[\p{L}\p{N}_]+/gu) ?? []);
  const changed = (group: Group, shareOf: () => number): readonly Planted[] =>
    sample(originals, 100, random).map((original, i) => {
      const way = WAYS[i % WAYS.length] ?? 'mixed';
      return toPlanted(changeWords(original, { share: shareOf(), way, random, words }), original, group);
    });
  return [
    ...changed('changed by 10–20 %', () => 0.1 + random() * 0.1),
    ...changed('changed by 30 %', () => 0.3),
    ...sample(originals, 50, random).map((each) => toPlanted(rewrite(each, random, words), each, 'rewritten')),
  ];
}

/** A planted playbook is a file of its own: the catalog takes one path for one playbook. */
function toPlanted(copy: Playbook, { id }: Playbook, group: Group): Planted {
  const realPath = `${copy.realPath}#${group}`;
  return { playbook: { ...copy, id: `${copy.id} (${group})`, realPath }, originalId: id, group };
}

function rewrittenByHand(): readonly Planted[] {
  if (rewritten === undefined) return [];
  return readdirSync(rewritten).flatMap((file): readonly Planted[] => {
    const path = join(rewritten, file);
    const id = `by-hand/${basename(file, '.md')}`;
    const source = {
      name: 'by-hand',
      kind: 'central' as const,
      label: 'by-hand',
      folders: [rewritten],
      isTrusted: true,
    };
    const bytes = readFileSync(path);
    const outcome = parsePlaybook({ source, path, realPath: path, id, shape: 'file', bytes, supportingFiles: [] });
    if (outcome.kind !== 'playbook') throw new Error(`${path} is no playbook.`);
    return [{ playbook: outcome.playbook, originalId: basename(file, '.md'), group: 'by hand' }];
  });
}

function sample<Item>(items: readonly Item[], count: number, random: Random): readonly Item[] {
  const rest = [...items];
  return Array.from({ length: count }, () => rest.splice(Math.floor(random() * rest.length), 1)).flat();
}

function averageOf(trials: readonly Trial[]): {
  readonly found15: number;
  readonly found30: number;
  readonly foundRewritten: number;
  readonly foundByHandRatio: number | undefined;
  readonly falseRatio: number;
  readonly worstFalseRatio: number;
} {
  const averageFound = (group: Group): number => mean(trials.map(({ found }) => found[group]));
  const byHandCount = trials[0]?.byHandCount ?? 0;
  return {
    found15: averageFound('changed by 10–20 %'),
    found30: averageFound('changed by 30 %'),
    foundRewritten: averageFound('rewritten'),
    foundByHandRatio: byHandCount === 0 ? undefined : averageFound('by hand') / byHandCount,
    falseRatio: mean(trials.map(({ falseRatio }) => falseRatio)),
    worstFalseRatio: Math.max(...trials.map(({ falseRatio }) => falseRatio)),
  };
}

function timesOf(playbooks: readonly Playbook[]): {
  readonly files: number;
  readonly allPairsMs: number;
  readonly allPairsCpuMs: number;
  readonly oneTextP50Ms: number;
  readonly oneTextP99Ms: number;
} {
  const catalog = buildCatalog({ playbooks, tools: [] });
  const cpu = process.cpuUsage();
  const began = performance.now();
  findDuplicates(catalog, { tokenize });
  const allPairsMs = performance.now() - began;
  const used = process.cpuUsage(cpu);
  const index = buildDuplicateIndex(playbooks, tokenize);
  const oneTextMs = playbooks
    .filter((_, i) => i % 10 === 0)
    .map((playbook) => {
      const sent = performance.now();
      findNearDuplicates(playbook, index, (other) => other === playbook);
      return performance.now() - sent;
    });
  return {
    files: playbooks.length,
    allPairsMs,
    allPairsCpuMs: (used.user + used.system) / 1000,
    oneTextP50Ms: quantile(oneTextMs, 0.5),
    oneTextP99Ms: quantile(oneTextMs, 0.99),
  };
}
