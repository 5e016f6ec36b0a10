import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seedFolder } from '../../server/product.ts';
import { runCli } from '../run-cli.ts';
import { eventsOf } from './seed.ts';

describe('report', () => {
  it('writes the page of what was imported, readable by its owner only', () => {
    const home = seedFolder({});
    const folder = seedFolder({});
    const log = join(folder, 'events.jsonl');
    writeFileSync(
      log,
      eventsOf()
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    const env = { PLAYBOOK_MCP_HOME: home };
    expect(runCli(['usage', 'import', log], { env, cwd: folder })).toMatchObject({ code: 0 });
    const out = join(folder, 'usage.html');
    expect(runCli(['report', '--out', out], { env, cwd: folder })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(out, 'utf8')).toContain('central:deploy/roll-back');
    expect(statSync(out).mode & 0o077).toBe(0);
    expect(runCli(['report', '--since', '2020-01-01', '--until', '2020-02-01'], { env, cwd: folder })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing was recorded'),
    });
    expect(runCli(['report', '--since', 'yesterday'], { env, cwd: folder })).toMatchObject({ code: 2 });
  });
});
