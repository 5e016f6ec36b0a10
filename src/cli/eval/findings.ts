import { readFile } from 'node:fs/promises';
import { isSystemError } from '../../files/places.ts';
import type { Diagnostic, Playbook } from '../../model.ts';
import { fieldLocator, type LocateField } from '../../playbooks/locate.ts';
import { hitRemedy, missedRemedy } from './remedy.ts';
import { type Evaluation, isWithin } from './summary.ts';
import { missText, placeText } from './text.ts';

/** What failed as findings with their places; misses are warnings as long as enough other examples find their playbook. */
export async function findingsOf(evaluation: Evaluation): Promise<readonly Diagnostic[]> {
  const { playbooks, totals, minRecall, k, isStrict } = evaluation;
  const severity = totals.found >= minRecall * totals.examples ? 'warning' : 'error';
  const found: Diagnostic[] = [];
  for (const { entry, examples, notExamples } of playbooks) {
    const missed = examples.filter(({ heldOut }) => !isWithin(heldOut, k));
    const hit = notExamples.filter(({ asServed }) => isWithin(asServed, k));
    const isBare = isStrict && examples.length === 0;
    if (missed.length + hit.length === 0 && !isBare) continue;
    const { path } = entry.playbook;
    const locate = await locatorOf(entry.playbook);
    const at = { path, ...locate(['examples']) };
    for (const each of missed) {
      const message = `Without itself in the index, the example "${each.query}" ${missText(each.heldOut)}.`;
      found.push({ rule: 'missed-example', severity, ...at, message, hint: missedRemedy(each) });
    }
    for (const each of hit) {
      const message = `The not-example "${each.query}" finds this playbook ${placeText(each.asServed)}.`;
      const place = { path, ...locate(['not-examples']) };
      found.push({ rule: 'hit-not-example', severity: 'error', ...place, message, hint: hitRemedy(each) });
    }
    if (isBare) {
      const hint = 'Add `examples`: what somebody would type who needs it.';
      const message = 'The playbook has no examples.';
      found.push({ rule: 'no-examples', severity: 'error', ...at, message, hint });
    }
  }
  return found;
}

async function locatorOf({ path }: Playbook): Promise<LocateField> {
  try {
    return fieldLocator((await readFile(path, 'utf8')).replace(/\r\n?/g, '\n'));
  } catch (error) {
    // It has gone since it was evaluated.
    if (isSystemError(error)) return fieldLocator('');
    throw error;
  }
}
