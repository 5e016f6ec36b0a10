import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textOf, type ToolResult } from '../../scripts/demo/path.ts';
import { text } from '../seed.ts';
import { until } from '../tools/harness.ts';
import { parameters, seedFolder } from './product.ts';

interface Served {
  readonly pid: number;
  readonly execute: (id: string) => Promise<string>;
  /** Of every playbook, by a listing. */
  readonly names: () => Promise<readonly string[]>;
}

async function serve(cwd: string): Promise<Served> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const transport = new StdioClientTransport(parameters({ args: ['--no-starter'], cwd }));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    pid: transport.pid ?? 0,
    execute: async (id) => textOf((await client.callTool({ name: 'execute', arguments: { id } })) as ToolResult),
    names: async () => {
      const uris: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        uris.push(...page.resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('playbook:')));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return uris.toSorted();
    },
  };
}

/** A repository with a hundred playbooks and one that is called `okapi`. */
function repository(): { readonly root: string; readonly at: (path: string) => string } {
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`.playbooks/many/p${at}.md`, text(`Does thing ${at}.`)]),
  );
  const root = seedFolder({ '.git/HEAD': 'ref: refs/heads/main\n', '.playbooks/okapi.md': okapi('leaves'), ...many });
  return { root, at: (path) => join(root, '.playbooks', path) };
}

/** Its description is in quotes: half of it is not YAML. */
const okapi = (food: string): string => text('"Feed the okapi. Use when it is hungry."', `Give it ${food}.`);

/** Clock ticks that a process has worked. @see proc_pid_stat(5) */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Resolves once a process does next to nothing for a second. */
async function idle(pid: number): Promise<void> {
  await until(async () => {
    const before = ticksOf(pid);
    await delay(1_000);
    return ticksOf(pid) - before <= 10;
  });
}

describe.skipIf(process.platform !== 'linux')(
  'a repository whose files are saved in hostile ways while it is served',
  () => {
    it('is served whole: files written in parts, swapped, renamed by the thousand', async () => {
      const { root, at } = repository();
      const served = await serve(root);
      expect(await served.names()).toHaveLength(101);

      // Half of it is never served in place of the whole.
      for (let round = 0; round < 20; round += 1) {
        writeFileSync(at('okapi.md'), okapi('fruit').slice(0, 20 + round));
        await delay(30);
        expect(await served.execute('okapi')).toMatch(/Give it (?:leaves|fruit)\./);
        writeFileSync(at('okapi.md'), okapi('fruit'));
      }
      await until(async () => (await served.execute('okapi')).includes('Give it fruit.'));

      for (let round = 0; round < 2_000; round += 1) {
        renameSync(at('okapi.md'), at('zebra.md'));
        renameSync(at('zebra.md'), at('okapi.md'));
        if (round % 100 === 0) await delay(10);
      }
      renameSync(at('okapi.md'), at('zebra.md'));
      await until(async () => (await served.execute('zebra')).includes('Give it fruit.'));
      expect(await served.execute('okapi')).toContain('There is no entry');

      for (let round = 0; round < 10; round += 1) {
        for (let file = 0; file < 100; file += 1) {
          renameSync(at(`many/p${file}${round === 0 ? '' : `r${round}`}.md`), at(`many/p${file}r${round + 1}.md`));
        }
        await delay(20);
      }
      renameSync(at('many'), at('moved'));
      renameSync(at('zebra.md'), at('Zebra.md'));
      const fresh = await serve(root);
      const now = await fresh.names();
      expect(now).toHaveLength(101);
      await until(async () => JSON.stringify(await served.names()) === JSON.stringify(now));
      expect(now).toContain('playbook://Zebra');
      await idle(served.pid);
    });

    it('keeps the last good copy of a file that becomes too large, and reads what is saved after it', async () => {
      const { root, at } = repository();
      const served = await serve(root);
      expect(await served.execute('okapi')).toContain('Give it leaves.');
      truncateSync(at('okapi.md'), 50 * 1024 * 1024);
      writeFileSync(at('other.md'), text('Wash the okapi.', 'With a sponge.'));
      await until(async () => (await served.execute('other')).includes('sponge'));
      expect(await served.execute('okapi')).toContain('Give it leaves.');
      await idle(served.pid);
      writeFileSync(at('okapi.md'), okapi('water'));
      await until(async () => (await served.execute('okapi')).includes('Give it water.'));
    });

    it('loses a folder that becomes a link out of it, and has it again when it is a folder', async () => {
      const { root, at } = repository();
      const outside = seedFolder({ 'secret.md': text('Tell the secret.', 'It is 42.') });
      const served = await serve(root);
      expect(await served.names()).toHaveLength(101);
      renameSync(at('many'), join(root, 'aside'));
      symlinkSync(outside, at('many'));
      await until(async () => (await served.names()).length === 1);
      expect(await served.execute('many/secret')).not.toContain('42');
      rmSync(at('many'));
      renameSync(join(root, 'aside'), at('many'));
      await until(async () => (await served.names()).length === 101);
      renameSync(at('.'), join(root, 'aside'));
      symlinkSync(outside, join(root, '.playbooks'));
      await until(async () => (await served.names()).length === 0);
      await idle(served.pid);
    });

    it.skipIf(process.getuid?.() === 0)('keeps what it cannot read any more, and takes it up when it can', async () => {
      const { root, at } = repository();
      const served = await serve(root);
      expect(await served.execute('okapi')).toContain('Give it leaves.');
      writeFileSync(at('okapi.md'), okapi('fruit'));
      chmodSync(at('okapi.md'), 0o000);
      chmodSync(at('many'), 0o000);
      onTestFinished(() => chmodSync(at('many'), 0o755));
      writeFileSync(at('other.md'), text('Wash the okapi.', 'With a sponge.'));
      await until(async () => (await served.execute('other')).includes('sponge'));
      expect(await served.execute('okapi')).toMatch(/Give it (?:leaves|fruit)\./);
      await idle(served.pid);
      chmodSync(at('many'), 0o755);
      chmodSync(at('okapi.md'), 0o644);
      await until(async () => (await served.execute('okapi')).includes('Give it fruit.'));
      await until(async () => (await served.names()).length === 102);
    });

    it('follows a folder of playbooks that is taken away and made again many times', async () => {
      const { root, at } = repository();
      const served = await serve(root);
      for (let round = 0; round < 30; round += 1) {
        rmSync(at('.'), { recursive: true });
        mkdirSync(at('deep'), { recursive: true });
        writeFileSync(at('deep/okapi.md'), okapi(`food ${round}`));
        await delay(round * 5);
      }
      await until(async () => (await served.execute('deep/okapi')).includes('Give it food 29.'));
      expect(await served.names()).toHaveLength(1);
      await idle(served.pid);
    });
  },
);
