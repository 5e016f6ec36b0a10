import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Code } from '../../../src/tools/code/code.ts';
import { PlaybookError } from '../../../src/errors.ts';
import { git, seedRepository, tempRoot, writeFiles } from './repositories.ts';

const root = tempRoot();
const code = new Code({ roots: [root], tagRules: [], env: process.env });

beforeAll(() => {
  const api = seedRepository(join(root, 'team/api'), {
    '.gitignore': '.env\ngenerated/\n',
    'src/flags.ts':
      "import { read } from './read';\n\nexport const checkout = read('new-checkout');\n\n\n\nread('end');\n",
    'src/flags.py': "checkout = read('new-checkout')\n",
    'docs/flags.md': 'The flag new-checkout.\n',
    'bin/tool': Buffer.from([0, 1, 2, ...Buffer.from('new-checkout')]),
    'long.ts': `${'x'.repeat(5_000)}new-checkout${'y'.repeat(5_000)}\n`,
  });
  writeFiles(api, {
    'src/new.ts': 'new-checkout, not committed\n',
    '.env': 'SECRET=new-checkout\n',
    'generated/a.ts': 'new-checkout\n',
  });
  symlinkSync(join(root, 'lonely/a.go'), join(api, 'outside'));
  symlinkSync('src/flags.py', join(api, 'inside.py'));
  seedRepository(join(root, 'team/web'), { 'app.ts': 'one new-checkout\ntwo new-checkout\nthree new-checkout\n' });
  seedRepository(join(root, 'lonely'), { 'a.go': 'package a\n' });
  git(root, 'init', '-q', '--bare', 'mirror.git');
});

const call = async (id: string, args: Record<string, unknown>): Promise<string> => {
  const { content } = (await code.call(id, args)) as { content: { text: string }[] };
  return content[0]?.text ?? '';
};
const search = async (args: Record<string, unknown>): Promise<string> => call('code__search', args);
const failure = async (work: Promise<unknown>): Promise<PlaybookError> => {
  const error: unknown = await work.then(
    () => new Error('It did not fail.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlaybookError)) throw error;
  return error;
};

describe('code__search', () => {
  it('finds committed and new files of all repositories, grouped, and says what it does not look at', async () => {
    const text = await search({ query: 'new-checkout' });
    expect(text).toContain('# team/api\ndocs/flags.md\n  1: The flag new-checkout.\nlong.ts\n');
    expect(text).toContain(
      "src/flags.ts\n  3: export const checkout = read('new-checkout');\nsrc/new.ts\n  1: new-checkout, not committed",
    );
    expect(text).toContain('# team/web\napp.ts\n  1: one new-checkout\n  2: two new-checkout\n  3: three new-checkout');
    expect(text).not.toMatch(/SECRET|generated|bin\/tool/);
    expect(text).toMatch(/8 matching lines in 6 files of 2 repositories\.\nSearched 3 of 3 repositories\./);
    expect(text).toContain('Not searched: files that .gitignore excludes, binary files');
    expect(text).toContain(`Without a working tree, not searched: ${join(root, 'mirror.git')}.`);
  });

  it.each([
    { name: 'a language', args: { language: 'Python' }, files: ['src/flags.py'] },
    { name: 'an extension as language', args: { language: '.md' }, files: ['docs/flags.md'] },
    { name: 'a folder by name', args: { path: 'docs' }, files: ['docs/flags.md'] },
    { name: 'a glob from the top', args: { path: 'src/*.ts' }, files: ['src/flags.ts', 'src/new.ts'] },
    {
      name: 'a glob of file names',
      args: { path: 'flags.*' },
      files: ['docs/flags.md', 'src/flags.py', 'src/flags.ts'],
    },
    {
      name: 'path and language together',
      args: { path: 'src', language: 'ts' },
      files: ['src/flags.ts', 'src/new.ts'],
    },
    { name: 'a repository', args: { repository: 'web' }, files: ['app.ts'] },
    { name: 'a glob of repositories', args: { repository: '*/web' }, files: ['app.ts'] },
  ])('narrows by $name', async ({ args, files }) => {
    const lines = (await search({ query: 'new-checkout', ...args })).split('\n');
    expect(lines.filter((line) => /^[a-z/]+\.[a-z]+$/.test(line))).toEqual(files);
  });

  it('takes a text as it is, and a regular expression with Perl classes when asked', async () => {
    expect(await search({ query: 'read(.*)' })).toContain('Nothing found.');
    expect(await search({ query: String.raw`read\('new-\w+'\)`, regex: true })).toContain('2 matching lines');
    expect(await search({ query: 'NEW-CHECKOUT', ignoreCase: true, path: 'docs' })).toContain('1 matching line in');
    expect(await search({ query: '-new', path: 'docs' })).toContain('Nothing found.');
  });

  it('gives lines around a match, and a gap where lines are left out', async () => {
    const text = await search({ query: 'read(', contextLines: 1, path: 'flags.ts' });
    expect(text).toContain(
      "src/flags.ts\n  2-\n  3: export const checkout = read('new-checkout');\n  4-\n  …\n  6-\n  7: read('end');\n",
    );
  });

  it('shows of an endless line what is around the match', async () => {
    const line = (await search({ query: 'new-checkout', path: 'long.ts' })).split('\n')[2];
    expect(line).toMatch(/^ {2}1: …x{100}new-checkouty+… \(10012 characters\)$/);
  });

  it('pages through every match once, in order, whatever the size of a page', async () => {
    const whole = (await search({ query: 'new-checkout' })).match(/^ {2}\d+: .*/gm);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ query: 'new-checkout', limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...(page.match(/^ {2}\d+: .*/gm) ?? []));
      cursor = /cursor "([^"]+)"/.exec(page)?.[1];
    } while (cursor !== undefined);
    expect(paged).toEqual(whole);
  });

  it('goes on by the cursor where the time was up, and gives up on a repository that takes all of it', async () => {
    const hasty = new Code({ roots: [root], tagRules: [], env: process.env, budgetMs: 0 });
    const { content } = (await hasty.call('code__search', { query: 'new-checkout' })) as {
      content: { text: string }[];
    };
    expect(content[0]?.text).toMatch(
      /Searched 1 of 3 repositories before the time was up\.\nMore: cursor "0\.\w+\.team\/api"/,
    );
    expect(content[0]?.text).toContain('Failed: lonely (it took longer than 0 s).');
  });

  it.each([
    { name: 'a broken expression', args: { query: '(', regex: true }, code: 'tools/invalid-arguments' },
    { name: 'several lines', args: { query: 'a\nb' }, code: 'tools/invalid-arguments' },
    { name: 'an unknown language', args: { query: 'a', language: 'klingon' }, code: 'tools/invalid-arguments' },
    { name: 'a path that leads out', args: { query: 'a', path: '../x' }, code: 'tools/invalid-arguments' },
    { name: 'an unknown repository', args: { query: 'a', repository: 'nope' }, code: 'code/unknown-repository' },
    { name: "another search's cursor", args: { query: 'a', cursor: '1.abcdef.team/api' }, code: 'search/bad-cursor' },
  ])('refuses $name', async ({ args, code: expected }) => {
    expect((await failure(search(args))).code).toBe(expected);
  });

  it('ends when the caller cancels', async () => {
    const signal = AbortSignal.abort();
    expect((await failure(code.call('code__search', { query: 'a' }, { signal }))).code).toBe('tools/cancelled');
  });

  it('names a repository that git cannot read, and searches the others', async () => {
    const folder = tempRoot();
    seedRepository(join(folder, 'good'), { 'a.txt': 'here\n' });
    rmSync(join(seedRepository(join(folder, 'broken'), { 'a.txt': 'here\n' }), '.git/HEAD'));
    const own = new Code({ roots: [folder, join(folder, 'absent')], tagRules: [], env: process.env });
    const { content } = (await own.call('code__search', { query: 'here' })) as { content: { text: string }[] };
    expect(content[0]?.text).toContain('# good\na.txt\n  1: here');
    expect(content[0]?.text).toMatch(/Failed: broken \(not a git repository.*\)/);
    expect(content[0]?.text).toContain(`Roots that cannot be read: ${join(folder, 'absent')}.`);
  });

  it('runs nothing that the configuration of a repository names', async () => {
    const folder = tempRoot();
    const marker = join(folder, 'ran');
    const repository = seedRepository(join(folder, 'hostile'), {
      'a.txt': 'here\n',
      '.gitattributes': '*.txt diff=x\n',
    });
    git(repository, 'config', 'core.fsmonitor', `touch ${marker}; false`);
    git(repository, 'config', 'diff.x.textconv', `touch ${marker}; cat`);
    git(repository, 'config', 'core.pager', `touch ${marker}; cat`);
    git(repository, 'config', 'core.worktree', '/etc');
    rmSync(marker, { force: true });
    const own = new Code({ roots: [folder], tagRules: [], env: process.env });
    for (const query of ['here', 'root']) {
      const { content } = (await own.call('code__search', { query })) as { content: { text: string }[] };
      expect(content[0]?.text).toContain(query === 'here' ? '1 matching line' : 'Nothing found.');
    }
    expect(existsSync(marker)).toBe(false);
  });
});

describe('code__read', () => {
  const read = async (args: Record<string, unknown>): Promise<string> =>
    call('code__read', { repository: 'team/api', ...args });

  it('gives lines with their numbers, and how to go on', async () => {
    expect(await read({ path: 'src/flags.ts', startLine: 3, endLine: 4 })).toBe(
      "team/api src/flags.ts, lines 3–4 of 7.\n\n3\texport const checkout = read('new-checkout');\n4\t",
    );
    writeFiles(join(root, 'team/api'), { 'many.txt': 'line\n'.repeat(2_500) });
    expect(await read({ path: 'many.txt' })).toMatch(
      /^team\/api many\.txt, lines 1–1000 of 2500\. Go on with startLine 1001\./,
    );
    expect(await read({ path: 'many.txt', startLine: 9_999 })).toContain('it has 2500 lines');
    expect(await read({ path: 'inside.py' })).toContain("read('new-checkout')");
  });

  it.each([
    { name: 'a path out of the repository', path: '../web/app.ts', code: 'code/refused' },
    { name: 'an absolute path', path: '/etc/hostname', code: 'code/refused' },
    { name: 'a link out of the repository', path: 'outside', code: 'code/refused' },
    { name: 'what git ignores', path: '.env', code: 'code/refused' },
    { name: "git's own files", path: '.git/config', code: 'code/refused' },
    { name: 'a binary file', path: 'bin/tool', code: 'code/unreadable' },
    { name: 'a folder', path: 'src', code: 'code/unreadable' },
    { name: 'a file that is not there', path: 'nope.ts', code: 'code/unreadable' },
  ])('refuses $name', async ({ path, code: expected }) => {
    expect((await failure(read({ path }))).code).toBe(expected);
  });

  it('names the closest repository', async () => {
    expect((await failure(read({ repository: 'team/apl', path: 'a' }))).hint).toContain('team/api');
  });
});

describe('the tools', () => {
  it('exist only where there are roots', () => {
    expect(code.tools().map(({ id }) => id)).toEqual(['code__read', 'code__search']);
    expect(code.tools().map(({ tags }) => tags)).toEqual([
      ['domain:code', 'action:read'],
      ['domain:code', 'action:search'],
    ]);
    expect(new Code({ roots: [], tagRules: [], env: {} }).tools()).toEqual([]);
  });
});
