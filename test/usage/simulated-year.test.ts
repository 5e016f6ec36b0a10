import { describe, expect, it } from 'vitest';
import { HABITS } from '../../bench/simulate/habits.ts';
import { judge, KINDS, proposalsFor } from '../../bench/simulate/judge.ts';
import { simulateYear } from '../../bench/simulate/year.ts';

const habits = HABITS['usual'];
if (habits === undefined) throw new Error('no usual habits');
const year = simulateYear(7, habits);
const proposals = proposalsFor(year);

describe('review of a simulated year', () => {
  it('names nearly all of each kind, and hardly anything else', async () => {
    const verdicts = judge(year, await proposals);
    for (const kind of KINDS) {
      const { truth, found, named, isFalse, missed, wrong } = verdicts[kind];
      expect(found / truth, `${kind} missed: ${missed.join(', ')}`).toBeGreaterThanOrEqual(0.8);
      expect(isFalse / Math.max(1, named), `${kind} wrong: ${wrong.join(', ')}`).toBeLessThanOrEqual(0.15);
    }
  });

  it('says the same of the same year', async () => {
    expect(await proposalsFor(simulateYear(7, habits))).toEqual(await proposals);
  });
});
