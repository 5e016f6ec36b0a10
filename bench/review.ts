/**
 * `npm run bench:review`: what `review` finds in simulated years of which the truth is known, by kind of proposal and by what the people
 * do otherwise (`simulate/habits.ts`). Every threshold comes from the field, none from here. `--seeds 3` plays fewer years of each habit,
 * `--habits "usual"` one of them, `--verbose` names what was missed and what is wrong.
 */
import { parseArgs } from 'node:util';
import { printFigures } from './print.ts';
import { HABITS } from './simulate/habits.ts';
import { judge, KINDS, proposalsFor, type Verdict } from './simulate/judge.ts';
import { simulateYear } from './simulate/year.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    habits: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

interface Sum {
  truth: number;
  found: number;
  named: number;
  wrong: number;
}

const figures: Record<string, Record<string, object>> = {};
const rows: string[][] = [['habits: share found / share wrong', ...KINDS]];
const overall = newSums();
for (const [name, habits] of Object.entries(HABITS)) {
  if (values.habits !== undefined && values.habits !== name) continue;
  const sums = newSums();
  let events = 0;
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
    const year = simulateYear(seed, habits);
    events += year.events.length;
    const verdicts = judge(year, await proposalsFor(year));
    for (const kind of KINDS) {
      add(sums[kind], verdicts[kind]);
      add(overall[kind], verdicts[kind]);
      if (values.verbose) tell(`${name} ${seed} ${kind}`, verdicts[kind]);
    }
  }
  console.error(`${name}: ${KINDS.map((kind) => `${kind} ${cell(sums[kind])}`).join(', ')}`);
  figures[name] = { events: { mean: events / Number(values.seeds) }, ...toShares(sums) };
  rows.push([name, ...KINDS.map((kind) => cell(sums[kind]))]);
}
figures['all'] = toShares(overall);
rows.push(['all', ...KINDS.map((kind) => cell(overall[kind]))]);
printFigures({ bench: 'review', figures, rows });

function newSums(): Record<(typeof KINDS)[number], Sum> {
  const sum = (): Sum => ({ truth: 0, found: 0, named: 0, wrong: 0 });
  return { retire: sum(), merge: sum(), rewrite: sum(), fix: sum(), write: sum(), undeprecate: sum() };
}

function add(sum: Sum, { truth, found, named, isFalse }: Verdict): void {
  sum.truth += truth;
  sum.found += found;
  sum.named += named;
  sum.wrong += isFalse;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function toShares(sums: ReturnType<typeof newSums>): Record<string, object> {
  return Object.fromEntries(
    KINDS.map((kind) => {
      const { truth, found, named, wrong } = sums[kind];
      return [kind, { recall: share(found, truth), falseShare: share(wrong, named), truth, named }];
    }),
  );
}

function cell({ truth, found, named, wrong }: Sum): string {
  return `${share(found, truth).toFixed(2)} / ${share(wrong, named).toFixed(2)}`;
}

function tell(title: string, { missed, wrong }: Verdict): void {
  if (missed.length > 0) console.error(`${title} missed: ${missed.join(' | ')}`);
  if (wrong.length > 0) console.error(`${title} wrong: ${wrong.join(' | ')}`);
}
