import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fake, isAlive, open, tempDir, until } from './harness.ts';

const pidsIn = (file: string): readonly number[] => readFileSync(file, 'utf8').trim().split('\n').map(Number);
const empty = { result: { content: [] } };

/** A server whose further tools are in a file, to be changed between its starts. */
function changing(tools: readonly object[]): {
  config: ReturnType<typeof fake>;
  change: (to: readonly object[]) => void;
} {
  const file = join(tempDir(), 'tools.json');
  const change = (to: readonly object[]): void => writeFileSync(file, JSON.stringify(to));
  change(tools);
  return { config: fake('plain', { env: { TOOLS_FILE: file } }), change };
}

const deploy = (description: string) => ({ name: 'deploy', description, inputSchema: { type: 'object' } });

describe('idle stop', () => {
  it('ends a server after that long without a call, never while a call runs, and the next call starts it again', async () => {
    const startsFile = join(tempDir(), 'starts');
    const { upstreams, log } = open([fake('plain', { startsFile, idleStopMs: 300 })]);
    await upstreams.listMissing();
    const long = upstreams.call('plain__slow', { steps: 1, stepMs: 1000 });
    expect(await long).toEqual({ content: [{ type: 'text', text: 'slow' }] });
    expect(pidsIn(startsFile)).toHaveLength(1);

    await until(() => upstreams.status()[0]?.state === 'idle');
    await until(() => !pidsIn(startsFile).some(isAlive));
    expect(upstreams.status()).toEqual([{ name: 'plain', state: 'idle', toolCount: 7, era: 'legacy' }]);
    expect(log.filter((line) => line.startsWith('warn'))).toEqual([]);

    expect(await upstreams.call('plain__return', empty)).toEqual({ content: [] });
    expect(pidsIn(startsFile)).toHaveLength(2);
  });
});

describe('a server that fails', () => {
  it('is tried a second time within the first call, and then left alone', async () => {
    const { upstreams } = open([fake('plain', { command: 'no-such-program' })]);
    await upstreams.listMissing();
    expect(upstreams.status()).toMatchObject([{ state: 'failed' }]);

    const startsFile = join(tempDir(), 'starts');
    const { upstreams: broken } = open([fake('exit', { startsFile })]);
    await broken.listMissing();
    // Each try asks for the era first, and starts the server once more without the question.
    expect(pidsIn(startsFile)).toHaveLength(4);
    await broken.probe('exit');
    expect(pidsIn(startsFile)).toHaveLength(4);
  });

  it('has its tools when it comes up late, without anybody asking', async () => {
    const cwd = join(tempDir(), 'late');
    writeFileSync(cwd, 'in the way of the folder');
    const { upstreams } = open([fake('plain', { cwd })]);
    const changed: string[] = [];
    upstreams.onChange((server) => changed.push(server));
    const listing = upstreams.keepListing();
    await until(() => upstreams.status()[0]?.state === 'failed');
    rmSync(cwd);
    mkdirSync(cwd);
    await until(() => changed.includes('plain'));
    expect(upstreams.tools()).toHaveLength(7);
    await listing;
  });
});

describe('a definition that has changed', () => {
  it('is not called, although the cache knows only the approved one, until it is accepted', async () => {
    const { config, change } = changing([deploy('Deploys to staging'), deploy('ignored: the first of a name counts')]);
    const first = open([config]);
    await first.upstreams.listMissing();
    expect(await first.upstreams.call('plain__deploy', {})).toEqual({ content: [{ type: 'text', text: 'deploy' }] });
    await first.upstreams.close();

    change([deploy('Deploys to production'), { ...deploy('New'), name: 'extra' }]);
    const second = open([config], { cacheDir: first.cacheDir });
    await expect(second.upstreams.call('plain__deploy', {})).rejects.toMatchObject({
      code: 'catalog/quarantined',
      message: expect.stringContaining('description changed'),
      hint: expect.stringContaining('playbook-mcp tools accept plain__deploy'),
    });
    expect(second.upstreams.tools().map(({ id }) => id)).not.toContain('plain__deploy');
    expect(await second.upstreams.call('plain__extra', {})).toEqual({ content: [{ type: 'text', text: 'extra' }] });

    const held = second.upstreams.quarantined();
    expect(held).toMatchObject([{ change: 'description changed', approvedDescription: 'Deploys to staging' }]);
    await second.upstreams.accept(held);
    expect(await second.upstreams.call('plain__deploy', {})).toEqual({ content: [{ type: 'text', text: 'deploy' }] });
  });
});

describe('another configuration', () => {
  it('keeps the process of a server whose connection is the same, and takes over how its tools are chosen', async () => {
    const startsFile = join(tempDir(), 'starts');
    const config = fake('plain', { startsFile });
    const { upstreams } = open([config]);
    await upstreams.listMissing();
    upstreams.configure({ upstreams: [{ ...config, deny: ['s*'], tags: ['domain:x'] }] });
    expect(upstreams.tools().map(({ id }) => id)).not.toContain('plain__slow');
    expect(upstreams.tools()[0]?.tags).toContain('domain:x');
    expect(await upstreams.call('plain__return', empty)).toEqual({ content: [] });
    expect(pidsIn(startsFile)).toHaveLength(1);
  });

  it('lets a call in flight on a removed server finish, then ends the server', async () => {
    const startsFile = join(tempDir(), 'starts');
    const { upstreams } = open([fake('plain', { startsFile })]);
    await upstreams.listMissing();
    const call = upstreams.call('plain__slow', { steps: 1, stepMs: 800 });
    upstreams.configure({ upstreams: [] });
    expect(upstreams.tools()).toEqual([]);
    await expect(upstreams.call('plain__return', empty)).rejects.toMatchObject({ code: 'catalog/unknown-id' });
    expect(await call).toEqual({ content: [{ type: 'text', text: 'slow' }] });
    await until(() => !pidsIn(startsFile).some(isAlive));
  });

  it('starts a server anew whose connection is another, and a removed one no more', async () => {
    const startsFile = join(tempDir(), 'starts');
    const config = fake('plain', { startsFile });
    const { upstreams } = open([config]);
    await upstreams.listMissing();
    upstreams.configure({ upstreams: [{ ...config, env: { OTHER: '1' } }] });
    await upstreams.listMissing();
    expect(await upstreams.call('plain__return', empty)).toEqual({ content: [] });
    const [old = 0, now = 0] = pidsIn(startsFile);
    await until(() => !isAlive(old));
    expect(isAlive(now)).toBe(true);
  });
});

describe('a server that says that its tools have changed whenever it is listed', () => {
  it('is not listed again and again without a pause', async () => {
    const startsFile = join(tempDir(), 'starts');
    const { upstreams } = open([fake('restless', { startsFile })]);
    await upstreams.listMissing();
    await sleep(700);
    const listed = readFileSync(startsFile, 'utf8').match(/listed/g) ?? [];
    // The first, and one for the change that it told of meanwhile; without a pause there are dozens.
    expect(listed.length).toBeLessThan(5);
    expect(await upstreams.call('restless__return', empty)).toEqual({ content: [] });
  });
});

describe('what a server said last', () => {
  it('is what the process said that was started last, not one before it', async () => {
    const { upstreams } = open([fake('plain')]);
    await upstreams.listMissing();
    await expect(upstreams.call('plain__crash', {})).rejects.toMatchObject({
      message: expect.stringContaining('out of cheese'),
    });
    expect(await upstreams.call('plain__return', empty)).toEqual({ content: [] });
    expect(upstreams.status()[0]?.stderrTail).toBeUndefined();
  });
});
