import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { configFile, seedFolder } from '../server/product.ts';
import { startOAuthServer } from '../tools/fakes/oauth-server.ts';

const bin = fileURLToPath(new URL('../../dist/bin/playbook-mcp.js', import.meta.url));

interface Running {
  readonly stdin: NodeJS.WritableStream;
  /** The address that it prints. */
  readonly address: Promise<string>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

async function stage(): Promise<(...args: string[]) => Running> {
  const server = await startOAuthServer();
  onTestFinished(() => server.close());
  const env = { ...process.env, PLAYBOOK_MCP_HOME: seedFolder({}), NO_COLOR: '1' };
  const config = configFile({ wiki: { url: server.url }, local: { command: 'true' } });
  return (...args) => {
    const child = spawn(process.execPath, [bin, '--no-starter', '--config', config, 'tools', ...args], {
      env,
      cwd: seedFolder({}),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    const address = new Promise<string>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += String(chunk);
        const found = /http:\S+\/authorize\S+(?=\n)/.exec(stderr);
        if (found) resolve(found[0]);
      });
    });
    child.stdout.on('data', (chunk: Buffer) => (stdout += String(chunk)));
    const ended = once(child, 'close').then(([code]) => ({ code: Number(code), stdout, stderr }));
    return { stdin: child.stdin, address, ended };
  };
}

/** Where the browser ends, without going there: the machine that waits is another one. */
async function endOf(address: string): Promise<string> {
  return (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
}

it('logs in by the browser, tests a tool and logs out', async () => {
  const tools = await stage();
  const status = await tools('status').ended;
  expect(status).toMatchObject({ code: 5, stdout: expect.stringMatching(/wiki\s+needs authorization/) });
  const login = tools('login', 'wiki', '--no-open');
  expect((await fetch(await login.address)).status).toBe(200);
  expect(await login.ended).toMatchObject({ code: 0, stdout: 'wiki: authorized, 2 tools\n' });
  expect(await tools('test', 'wiki__echo').ended).toMatchObject({ code: 0, stdout: 'echo done\n' });
  expect(await tools('login', 'wiki').ended).toMatchObject({ code: 0, stderr: expect.stringContaining('no login') });
  expect(await tools('logout', 'wiki').ended).toMatchObject({ code: 0, stdout: 'wiki: logged out\n' });
  expect(await tools('test', 'wiki__echo').ended).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('tools login'),
  });
});

it('takes the address that the browser ended at elsewhere, pasted or by --code, once', async () => {
  const tools = await stage();
  const pasted = tools('login', 'wiki', '--no-open');
  const end = await endOf(await pasted.address);
  pasted.stdin.write('what?\n');
  pasted.stdin.write(`${end}\n`);
  expect(await pasted.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('not the address') });
  await tools('logout', 'wiki').ended;
  const waiting = tools('login', 'wiki', '--no-open');
  const other = await endOf(await waiting.address);
  expect(await tools('login', 'wiki', '--code', other).ended).toMatchObject({ code: 0 });
  expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'wiki: authorized, 2 tools\n' });
  expect(await tools('login', 'wiki', '--code', other).ended).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('not the answer to a login'),
  });
});

it.each([
  { name: 'an unknown server', server: 'wikki', code: 2, stderr: 'Closest: wiki' },
  { name: 'a local program', server: 'local', code: 2, stderr: 'Nobody can log in' },
])('refuses $name', async ({ server, code, stderr }) => {
  const tools = await stage();
  expect(await tools('login', server).ended).toMatchObject({ code, stderr: expect.stringContaining(stderr) });
});
