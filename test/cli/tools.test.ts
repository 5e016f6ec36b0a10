import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFile, seedFolder } from '../server/product.ts';
import { fakePath } from '../tools/harness.ts';
import { type CliRun, runCli } from './run-cli.ts';

const home = seedFolder({});
const toolsFile = join(seedFolder({}), 'tools.json');
const say = (description: string): void =>
  writeFileSync(
    toolsFile,
    JSON.stringify([
      { name: 'wipe', description, inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
    ]),
  );
say('Wipes the disk');

const server = (mode: string) => ({
  command: process.execPath,
  args: [fakePath('raw-upstream.mjs'), mode],
  env: { TOOLS_FILE: toolsFile },
});
const config = configFile({ plain: server('plain'), dead: server('exit') });

const run = (...args: string[]): CliRun =>
  runCli(['--no-starter', '--config', config, ...args], { env: { PLAYBOOK_MCP_HOME: home } });

describe('tools', () => {
  it('lists every wrapped tool with server, state and marks', () => {
    const { code, stdout } = run('tools');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^plain__wipe\s+plain\s+active\s+\[destructive\] Wipes the disk$/m);
    expect(JSON.parse(run('tools', 'list', '--json').stdout)).toContainEqual(
      expect.objectContaining({ id: 'plain__return', server: 'plain', state: 'active', marks: [] }),
    );
  });

  it('tells how each server is doing and exits 5 for one that cannot be reached', () => {
    const { code, stdout } = run('tools', 'status');
    expect(code).toBe(5);
    expect(stdout).toMatch(/plain\s+ready\s+8 tools/);
    expect(stdout).toMatch(/dead\s+failed\s+tools unknown\s+it exited with code 1; it said: Error: TOKEN is not set/);
    expect(JSON.parse(run('tools', 'status', '--offline', '--json').stdout)).toMatchObject({
      upstreams: [
        { name: 'plain', state: 'idle' },
        { name: 'dead', state: 'idle' },
      ],
      quarantined: [],
    });
  });

  it.each([
    { name: 'a result', args: ['plain__wipe'], code: 0, stdout: 'wipe\n' },
    {
      name: 'a result that is an error',
      args: ['plain__return', '--arguments', '{"result":{"content":[{"type":"text","text":"no"}],"isError":true}}'],
      code: 1,
      stdout: 'no\n',
    },
    { name: 'the refusal of the server', args: ['plain__fail'], code: 1, stderr: 'closed on Sundays' },
    { name: 'a server that cannot be reached', args: ['dead__x'], code: 5, stderr: 'TOKEN is not set' },
    { name: 'an unknown tool', args: ['plain__wpie'], code: 2, stderr: 'plain__wipe' },
    { name: 'arguments that are no JSON', args: ['plain__wipe', '--arguments', '{a'], code: 2, stderr: 'not JSON' },
    {
      name: 'arguments that are no object',
      args: ['plain__wipe', '--arguments', '[]'],
      code: 2,
      stderr: 'not a JSON object',
    },
  ])('tests a tool for real: $name', ({ args, code, stdout = '', stderr = '' }) => {
    const ran = run('tools', 'test', ...args);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout });
    expect(ran.stderr).toContain(stderr);
  });

  it('shows what has changed with both texts quoted, and accepts it by server', { timeout: 120_000 }, () => {
    say('Wipes \u001B[8m every disk');
    const { code, stdout } = run('tools', 'status');
    expect(code).toBe(5);
    expect(stdout).toContain(
      'plain__wipe: description changed\n    approved: "Wipes the disk"\n    now:      "Wipes \\u001b[8m every disk"\n',
    );
    expect(run('tools').stdout).toMatch(
      /^plain__wipe\s+plain\s+quarantined\s+\[description changed\] Wipes the disk$/m,
    );
    expect(JSON.parse(run('tools', 'accept', '--server', 'plain', '--json').stdout)).toMatchObject([
      { id: 'plain__wipe' },
    ]);
    expect(run('tools', 'accept', '--all').stderr).toContain('Nothing of it is quarantined');
    expect(JSON.parse(run('tools', 'status', '--offline', '--json').stdout)).toMatchObject({ quarantined: [] });
  });

  it.each([
    { name: 'nothing to accept', args: ['accept'], stderr: 'Nothing to accept is named' },
    { name: 'an unknown id', args: ['accept', 'plain__wpie'], stderr: 'Closest: plain__wipe' },
    { name: 'an unknown server', args: ['accept', '--server', 'plian'], stderr: 'There is no upstream server "plian"' },
    { name: 'an unknown flag', args: ['status', '--offlien'], stderr: '--offline' },
    { name: 'an unknown command', args: ['acept', 'x'], stderr: 'accept' },
    { name: 'no number of seconds', args: ['status', '--timeout', 'soon'], stderr: 'not a number of seconds' },
  ])('exits 2 for $name', ({ args, stderr }) => {
    const ran = run('tools', ...args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(stderr);
  });
});
