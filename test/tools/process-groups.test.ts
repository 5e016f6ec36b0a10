import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { endGroup, GroupGuard, isGroupAlive } from '../../src/tools/process-groups.ts';
import { fake, fakePath, isAlive, tempDir, until } from './harness.ts';

const isPosix = process.platform !== 'win32';

function startGroup(script: string): number {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
  if (child.pid === undefined) throw new Error('not started');
  return child.pid;
}

it.runIf(isPosix)('ends a group whose leader is gone already', async () => {
  const pidFile = join(tempDir(), 'pid');
  const leader = startGroup(`sleep 600 & echo $! > '${pidFile}'; exit`);
  await until(() => !isAlive(leader) && existsSync(pidFile));
  const orphan = Number(readFileSync(pidFile, 'utf8'));
  expect(isGroupAlive(leader)).toBe(true);
  await endGroup(leader, 50);
  expect(isAlive(orphan)).toBe(false);
});

it.runIf(isPosix)('ends a group that ignores SIGTERM', async () => {
  const leader = startGroup("trap '' TERM; sleep 600; sleep 600");
  await endGroup(leader, 100);
  expect(isAlive(leader)).toBe(false);
});

it.runIf(isPosix)('has nothing to do for a group that is gone', async () => {
  const leader = startGroup('exit');
  await until(() => !isGroupAlive(leader));
  await expect(endGroup(leader, 10_000)).resolves.toBeUndefined();
});

it.runIf(isPosix)('ends the groups in its care when the guard is closed, but none that were taken back', async () => {
  const problems: Error[] = [];
  const guard = new GroupGuard((problem) => problems.push(problem));
  const [kept, ended] = [startGroup('sleep 600'), startGroup('sleep 600')];
  guard.add(kept);
  guard.add(ended);
  guard.remove(kept);
  guard.close();
  await until(() => !isAlive(ended));
  expect(isAlive(kept)).toBe(true);
  await endGroup(kept, 0);
  expect(problems).toEqual([]);
});

it.runIf(isPosix).each([{ signal: 'SIGKILL' }, { signal: 'SIGTERM' }, { signal: 'SIGINT' }] as const)(
  'leaves no process of an upstream behind when ours is ended by $signal',
  async ({ signal }) => {
    const startsFile = join(tempDir(), 'starts');
    const config = JSON.stringify(fake('grandchild', { startsFile }));
    const script = fakePath('gateway-process.mts');
    const gateway = spawn(process.execPath, ['--import', 'tsx', script, tempDir(), config], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(gateway.stdout, 'data');
    const pids = existsSync(startsFile) ? readFileSync(startsFile, 'utf8').trim().split('\n').map(Number) : [];
    expect(pids).toHaveLength(2);
    expect(pids.every(isAlive)).toBe(true);
    gateway.kill(signal);
    await once(gateway, 'exit');
    await until(() => !pids.some(isAlive));
  },
);
