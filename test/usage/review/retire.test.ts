import { describe, expect, it } from 'vitest';
import { text, tool } from '../../seed.ts';
import { entry } from '../seed.ts';
import { DAY, propose, read, searched, session, START, used } from '../history.ts';

const files = {
  'used.md': text('Used every week.', 'See [the helper](helper.md).'),
  'helper.md': text('Helps.', 'See [the base](base.md).'),
  'base.md': text('Helps the helper.'),
  'old.md': text('Used long ago.'),
  'never.md': text('Never used.'),
  'kept.md': text('Kept for bad days.', 'Body.', 'metadata:\n  retain: "yes"'),
  'draft.md': text('Not finished.', 'Body.', 'status: draft'),
  'seasonal.md': text('Used once a quarter.'),
};
const weekly = Array.from({ length: 30 }, (_, week) => session('w', week * 7, [used('org:used')])).flat();
const quarterly = [10, 100, 190].flatMap((day) => session('q', day, [used('org:seasonal')]));
const events = [...weekly, ...quarterly, ...session('o', 5, [used('org:old')])];

describe('retire', () => {
  it('names what was never used, and what has not been for 90 days, the longest unused first', async () => {
    const proposals = await propose('retire', { files, events, day: 210 });
    expect(proposals.map(({ entry: id, evidence }) => [id, evidence.unusedDays, evidence.uses])).toEqual([
      ['org:never', 210, 0],
      ['org:old', 205, 1],
    ]);
    expect(proposals[0]?.command).toBe('playbook-mcp retire never');
  });

  it('leaves what is younger, and counts from when it was first seen', async () => {
    const seen = [entry({ entry: 'org:never', source: 'org', firstSeen: START + 150 * DAY })];
    const named = async (day: number): Promise<readonly string[]> =>
      (await propose('retire', { files, events, seen, day })).map(({ entry: id }) => id);
    expect(await named(210)).toEqual(['org:old']);
  });

  it('says nothing of the time before the calls that were read', async () => {
    const seen = ['never', 'old'].map((id) => entry({ entry: `org:${id}`, source: 'org', firstSeen: START }));
    const reasons = async (sinceDay: number): Promise<readonly (readonly string[])[]> =>
      (await propose('retire', { files, events, seen, day: 210, sinceDay })).map((found) => [
        found.entry,
        found.reason,
      ]);
    expect(await reasons(180)).toEqual([]);
    expect(await reasons(100)).toEqual([
      ['org:never', 'Not used in the 110 days that were read.'],
      ['org:old', 'Not used in the 110 days that were read.'],
    ]);
  });

  it('names the source of an id that a command would take for an option', async () => {
    const proposals = await propose('retire', { files: { ...files, '-dash.md': text('Dashes.') }, events, day: 210 });
    expect(proposals.map(({ command }) => command)).toContain('playbook-mcp retire org:-dash');
  });

  it('takes neither a listing nor a schema for use', async () => {
    const looked = [20, 200].flatMap((day) => session('x', day, [searched('never', 'org:never'), read('org:never')]));
    const proposals = await propose('retire', { files, events: [...events, ...looked], day: 210 });
    expect(proposals.map(({ entry: id }) => id)).toContain('org:never');
  });

  it('names what only unused ones refer to, and tells which', async () => {
    const lonely = { 'a.md': text('A.', 'See [b](b.md).'), 'b.md': text('B.') };
    const proposals = await propose('retire', {
      files: { ...files, ...lonely },
      events,
      day: 210,
    });
    expect(proposals.find(({ entry: id }) => id === 'org:b')?.evidence.referencedBy).toEqual(['org:a']);
  });

  it('names unused tools, but none that a used playbook names', async () => {
    const proposals = await propose('retire', {
      files: { ...files, 'used.md': text('Used.', 'Body.', 'tools: [git__log]') },
      tools: [tool('git__log'), tool('git__blame')],
      events,
      day: 210,
    });
    expect(proposals.map(({ entry: id }) => id)).toEqual(expect.arrayContaining(['git__blame']));
    expect(proposals.map(({ entry: id }) => id)).not.toContain('git__log');
  });

  it('knows an entry by the bare id of another program’s log', async () => {
    const proposals = await propose('retire', {
      files: { 'never.md': text('Used.') },
      events: [...session('a', 0, [used('never')]), ...session('a', 200, [used('never')])],
      day: 210,
    });
    expect(proposals).toEqual([]);
  });
});
