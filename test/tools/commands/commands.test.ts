import { mkdtempSync, readFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CommandConfig } from '../../../src/config/index.ts';
import { PlaybookError } from '../../../src/errors.ts';
import { Commands } from '../../../src/tools/commands/commands.ts';
import { isAlive, until } from '../harness.ts';
import { command, node } from './command.ts';

const required = { type: 'string', isRequired: true } as const;

function open(...commands: readonly CommandConfig[]): Commands {
  const opened = new Commands({
    commands,
    tagRules: [{ match: 'deploy*', tags: ['team:platform'] }],
    env: { ...process.env, SECRET_TOKEN: 'x' },
    log: () => undefined,
  });
  onTestFinished(() => opened.close());
  return opened;
}

interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}
async function run(argv: readonly string[], more: Partial<CommandConfig> = {}, args = {}): Promise<Result> {
  return (await open(command(argv, more)).call('tool', args)) as unknown as Result;
}
async function failure(work: Promise<unknown>): Promise<PlaybookError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof PlaybookError)) throw new Error('It did not fail as it should.', { cause: error });
  return error;
}

describe('a command tool', () => {
  it('gives what the program prints, with each value as one argument and no shell between', async () => {
    const argv = node('console.log(JSON.stringify(process.argv.slice(1)))', '{path}', 'fix ed');
    const result = await run(argv, { parameters: [{ name: 'path', ...required }] }, { path: '$(id); "a b" *' });
    expect(result).toEqual({ content: [{ type: 'text', text: '["$(id); \\"a b\\" *","fix ed"]\n' }] });
  });

  it('sees a safe environment and its own folder, and has no input', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'playbook-mcp-cwd-'));
    const script =
      'console.log(process.env.SECRET_TOKEN, typeof process.env.PATH, process.cwd(), require("fs").readFileSync(0).length)';
    expect((await run(node(script), { cwd })).content[0]?.text).toBe(`undefined string ${cwd} 0\n`);
  });

  it('tells the exit code, stderr and stdout of a failure', async () => {
    const result = await run(node('console.log("out"); console.error("why"); process.exitCode = 3'));
    expect(result).toEqual({
      content: [{ type: 'text', text: 'tool exited with code 3.\nstderr:\nwhy\n\nstdout:\nout\n' }],
      isError: true,
    });
    const killed = await run(node('process.kill(process.pid, "SIGKILL")'));
    expect(killed).toMatchObject({ content: [{ text: 'tool was ended by SIGKILL.' }], isError: true });
  });

  it('gives warnings of a success apart, and says so where nothing was printed', async () => {
    expect((await run(node('console.log("out"); console.error("warning")'))).content).toMatchObject([
      { text: 'out\n' },
      { text: 'stderr:\nwarning\n' },
    ]);
    expect((await run(node(''))).content[0]?.text).toBe('It succeeded (exit code 0) and printed nothing.');
  });

  it('keeps the beginning and the end of an output over 1 MiB, in whole lines, and says how much is missing', async () => {
    const { content } = await run(node('for (let i = 0; i < 400000; i += 1) console.log("größe " + i)'));
    const text = content[0]?.text ?? '';
    expect(text).toMatch(/^größe 0\ngröße 1\n/);
    expect(text).toMatch(/\ngröße \d+\n\[… \d+ of \d+ bytes are left out here …\]\ngröße \d+\n/);
    expect(text.endsWith('größe 399999\n')).toBe(true);
    const missing = Number(/… (\d+) of/.exec(text)?.[1]);
    const total = Number(/of (\d+) bytes/.exec(text)?.[1]);
    expect(missing + Buffer.byteLength(text.replace(/\[….*\]\n/, ''))).toBe(total);
  });

  it('shows no binary and no colours', async () => {
    const binary = await run(node('process.stdout.write(Buffer.from([137, 80, 78, 71, 0, 1, 2]))'));
    expect(binary.content[0]?.text).toBe('[Binary output of 7 bytes, not shown.]');
    const coloured = await run(node(String.raw`console.log("\u001b[31mred\u001b[0m")`));
    expect(coloured.content[0]?.text).toBe('red\n');
    const latin = await run(node('process.stdout.write(Buffer.from("an old encoding: gr\\u00f6\\u00dfe", "latin1"))'));
    expect(latin.content[0]?.text).toBe(
      'an old encoding: gr\uFFFD\uFFFDe\n[2 bytes that are not UTF-8 are shown as \uFFFD.]',
    );
  });

  it.each([
    { name: 'a program that does not exist', argv: ['no-such-program-anywhere'], more: {}, says: 'ENOENT' },
    {
      name: 'a folder that does not exist',
      argv: node(''),
      more: { cwd: '/no/such/folder' },
      says: 'its cwd /no/such/folder',
    },
  ])('cannot be started with $name', async ({ argv, more, says }) => {
    const error = await failure(run(argv, more));
    expect([error.code, error.message]).toEqual(['tools/unavailable', expect.stringContaining(says)]);
  });
});

describe('the processes of a command', () => {
  /** Prints its own id and that of a grandchild that ignores SIGTERM, and stays. */
  const family = (file: string): readonly string[] =>
    node(
      `const c = require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdout.write("ready")']);
       c.stdout.once('data', () => { console.log('begun'); require('fs').writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + c.pid); });
       setInterval(() => {}, 1000);`,
    );
  const pidsIn = (file: string): readonly number[] => readFileSync(file, 'utf8').split(' ').map(Number);
  const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'playbook-mcp-family-')), 'pids');

  it('are all ended when the time is up, and what was printed is told', async () => {
    const file = newFile();
    const error = await failure(run(family(file), { timeoutMs: 3_000 }));
    expect([error.code, error.message]).toEqual(['tools/timeout', expect.stringContaining('begun')]);
    await until(() => pidsIn(file).every((pid) => !isAlive(pid)));
  });

  it('are all ended when the caller cancels', async () => {
    const file = newFile();
    const cancel = new AbortController();
    const call = failure(open(command(family(file))).call('tool', {}, { signal: cancel.signal }));
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    cancel.abort();
    expect((await call).code).toBe('tools/cancelled');
    expect(pidsIn(file).filter(isAlive)).toEqual([]);
  });

  it('are all ended when the commands are closed, and when the program leaves something behind', async () => {
    const [file, left] = [newFile(), newFile()];
    const commands = open(command(family(file)));
    const call = failure(commands.call('tool', {}));
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    await commands.close();
    await call;
    expect(pidsIn(file).filter(isAlive)).toEqual([]);
    const script = `const c = require('child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(left)}, String(c.pid)); c.unref(); console.log('done')`;
    expect((await run(node(script))).content[0]?.text).toBe('done\n');
    expect(pidsIn(left).filter(isAlive)).toEqual([]);
  });
});

describe('the list of command tools', () => {
  it('has ids that no server can have, schemas, annotations and tags', () => {
    const commands = open(
      command(['kubectl', 'get', '{kind}'], {
        name: 'get_pods',
        readOnly: true,
        parameters: [{ name: 'kind', ...required }],
      }),
      command(['./deploy.sh'], { name: 'deploy app' }),
      command(['du'], { name: 'deploy_app', tags: ['domain:system'] }),
      command(['du'], { name: 'github__create_issue' }),
    );
    const tools = commands.tools();
    expect(tools.map(({ id }) => id.replace(/[0-9a-f]{8}$/, '<hash>'))).toEqual([
      'deploy_app',
      'deploy_app_<hash>',
      'get_pods',
      'github_create_issue',
    ]);
    expect(tools[2]).toMatchObject({
      inputSchema: { type: 'object', required: ['kind'], additionalProperties: false },
      annotations: { readOnlyHint: true },
      tags: ['domain:kubectl', 'action:read'],
    });
    expect(tools[0]?.tags).toEqual(['domain:system', 'team:platform', 'action:run']);
    expect(commands.diagnostics.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'info command-renamed',
      'info command-renamed',
    ]);
  });

  it.each([
    {
      name: 'a program that the caller chooses',
      argv: ['{path}', '-v'],
      rule: 'command-program-parameter',
      isOff: true,
    },
    {
      name: 'a parameter in the text of a shell',
      argv: ['bash', '-euc', 'ls {path}'],
      rule: 'command-shell-parameter',
      isOff: true,
    },
    { name: 'a parameter that is never used', argv: ['ls'], rule: 'command-unused-parameter', isOff: false },
    {
      name: 'a parameter written wrong',
      argv: ['ls', '{path}', '{paht}'],
      rule: 'command-unknown-parameter',
      isOff: false,
    },
  ])('tells of $name', ({ argv, rule, isOff }) => {
    const commands = open(command(argv, { parameters: [{ name: 'path', ...required }] }));
    expect(commands.diagnostics.map((diagnostic) => diagnostic.rule)).toContain(rule);
    expect(commands.tools()).toHaveLength(isOff ? 0 : 1);
  });

  it('finds nothing wrong with a shell that gets its values as arguments, nor with braces of its own', () => {
    const shell = command(['sh', '-c', 'du "$1" | awk \'{print $1}\'', 'sh', '{path}'], {
      parameters: [{ name: 'path', ...required }],
    });
    expect(open(shell).diagnostics).toEqual([]);
  });
});
