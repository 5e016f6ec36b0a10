import type { Placing } from '../../server/evaluate.ts';
import { bold, dim, green, red, table, yellow } from '../print.ts';
import { hitRemedy, missedRemedy } from './remedy.ts';
import { type Evaluation, isWithin, type Totals, totalsOf } from './summary.ts';

/** Ids without examples that are named. */
const MOST_NAMED = 20;

/** A row for each playbook that has examples, and one for all of them. */
export function totalsTable(evaluation: Evaluation): string {
  const { k } = evaluation;
  const heads = ['PLAYBOOK', 'EXAMPLES', '1ST', ...(k > 1 ? [`2–${k}`] : []), ...(k < 10 ? [`${k + 1}–10`] : [])];
  const withExamples = evaluation.playbooks.filter(({ examples }) => examples.length > 0);
  return table([
    [...heads, 'NOT', 'AS SERVED'].map(bold),
    ...withExamples.map((each) => [each.entry.id, ...cells(totalsOf([each], evaluation), k)]),
    [`all ${withExamples.length}`, ...cells(evaluation.totals, k)].map(bold),
  ]);
}

function cells({ examples, first, found, tenth, foundAsServed }: Totals, k: number): readonly string[] {
  const middle = [...(k > 1 ? [found - first] : []), ...(k < 10 ? [tenth - found] : [])];
  return [examples, first, ...middle, examples - tenth, foundAsServed].map((count) => (count === 0 ? '·' : `${count}`));
}

/** Two lines for each example that does not find its playbook, and for each not-example that does: what happened, and what to change. */
export function missLines({ playbooks, k }: Evaluation): readonly string[] {
  return playbooks.flatMap(({ entry, examples, notExamples }) => [
    ...examples
      .filter(({ heldOut }) => !isWithin(heldOut, k))
      .flatMap((missed) => [
        `${yellow('missed')} ${entry.id}: "${missed.query}" ${missText(missed.heldOut)}${dim(`; as served ${placeText(missed.asServed)}`)}`,
        `  ${missedRemedy(missed)}`,
      ]),
    ...notExamples
      .filter(({ asServed }) => isWithin(asServed, k))
      .flatMap((hit) => [
        `${red('hit')} ${entry.id}: not-example "${hit.query}" finds it ${placeText(hit.asServed)}`,
        `  ${hitRemedy(hit)}`,
      ]),
  ]);
}

/** Where a playbook came, and what took its place. */
export function missText(placing: Placing): string {
  const { first, scoreRatio } = placing;
  if (first === undefined) return 'finds nothing';
  const percent = scoreRatio === 0 ? '' : `, with ${Math.round(scoreRatio * 100)} % of its score`;
  return `finds ${first} first, and this ${placeText(placing)}${percent}`;
}

export function placeText({ rank }: Placing): string {
  return rank === undefined ? 'not at all' : `at place ${rank}`;
}

/** What the figures mean, and the verdict. */
export function summaryLines(evaluation: Evaluation): readonly string[] {
  const { totals, k, minRecall, withoutExamples, isStrict, isPassed } = evaluation;
  const { examples, found, foundAsServed, notExamples, hitNotExamples } = totals;
  const lines = [
    `${found} of ${examples} examples (${percentOf(found, examples)}) find their playbook in the first ${k} with the example itself left out of the index; at least ${Math.round(minRecall * 100)} % must.`,
    dim(`${foundAsServed} of ${examples} (${percentOf(foundAsServed, examples)}) as served, with it.`),
  ];
  if (notExamples > 0) lines.push(`${hitNotExamples} of ${notExamples} not-examples find theirs; none may.`);
  if (withoutExamples.length > 0) {
    const ids = withoutExamples.map(({ entry }) => entry.id);
    const more = ids.length > MOST_NAMED ? `, and ${ids.length - MOST_NAMED} more` : '';
    const named = isStrict ? `: ${ids.slice(0, MOST_NAMED).join(', ')}${more}` : ' (--strict names them)';
    lines.push(`${ids.length} ${ids.length === 1 ? 'playbook has' : 'playbooks have'} no examples${named}.`);
  }
  return [...lines, isPassed ? green('passed') : red('failed')];
}

/** Rounded down, so that 100 % is all of them. */
function percentOf(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${Math.floor((100 * part) / whole)} %`;
}
