import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resolveWorkspace, type WorkspaceRequest } from '../../src/files/workspace.ts';
import { plant } from './seed.ts';

const seed = {
  'home/': '',
  'repo/.git/HEAD': '',
  'repo/packages/web/a.ts': '',
  'other/a.ts': '',
  'third/a.ts': '',
  'a,b/c.ts': '',
};

interface Row {
  readonly name: string;
  /** Everything relative to the planted folder. */
  readonly request: (at: (path: string) => string) => Partial<WorkspaceRequest>;
  readonly expected: string | undefined;
}

function requestFor(root: string, given: Partial<WorkspaceRequest>): WorkspaceRequest {
  const home = join(root, 'home');
  return { allowed: [], cwd: join(root, 'third'), ...given, env: { HOME: home, USERPROFILE: home, ...given.env } };
}

describe('the workspace', () => {
  const rows: readonly Row[] = [
    {
      name: 'is the argument before all',
      request: (at) => ({ argument: at('other'), env: { PLAYBOOK_WORKSPACE: at('repo') } }),
      expected: 'other',
    },
    {
      name: 'is the first --workspace before the environment',
      request: (at) => ({ allowed: [at('other'), at('repo')], env: { PLAYBOOK_WORKSPACE: at('third') } }),
      expected: 'other',
    },
    {
      name: 'is an argument below a --workspace',
      request: (at) => ({ allowed: [at('other'), at('repo')], argument: at('repo/packages') }),
      expected: 'repo/packages',
    },
    {
      name: 'is PLAYBOOK_WORKSPACE before what clients set',
      request: (at) => ({ env: { PLAYBOOK_WORKSPACE: at('repo'), CLAUDE_PROJECT_DIR: at('other') } }),
      expected: 'repo',
    },
    {
      name: 'is CLAUDE_PROJECT_DIR',
      request: (at) => ({ env: { CLAUDE_PROJECT_DIR: at('repo'), WORKSPACE_FOLDER_PATHS: at('other') } }),
      expected: 'repo',
    },
    {
      name: 'is the first of several folders between commas',
      request: (at) => ({ env: { WORKSPACE_FOLDER_PATHS: `${at('repo')},${at('other')}` } }),
      expected: 'repo',
    },
    {
      name: 'is the first of several folders as in PATH',
      request: (at) => ({ env: { WORKSPACE_FOLDER_PATHS: `${at('repo')}${delimiter}${at('other')}` } }),
      expected: 'repo',
    },
    {
      name: 'is a folder with a comma in its name',
      request: (at) => ({ env: { WORKSPACE_FOLDER_PATHS: at('a,b') } }),
      expected: 'a,b',
    },
    {
      name: 'is not what a client failed to expand',
      request: (at) => ({ env: { CLAUDE_PROJECT_DIR: '${workspaceFolder}', WORKSPACE_FOLDER_PATHS: at('repo') } }),
      expected: 'repo',
    },
    {
      name: 'is the first root of the client that is a folder',
      request: (at) => ({
        roots: [
          'https://example.com/x',
          'file:///gone',
          'file:///a%2Fb',
          'file:///%zz',
          'file:///a%00',
          pathToFileURL(at('repo')).href,
        ],
      }),
      expected: 'repo',
    },
    { name: 'is the directory of the process', request: () => ({}), expected: 'third' },
    { name: 'is not the home directory', request: (at) => ({ cwd: at('home') }), expected: undefined },
    { name: 'is not the root of the file system', request: () => ({ cwd: '/' }), expected: undefined },
    { name: 'may start with ~', request: () => ({ argument: '~/../repo' }), expected: 'repo' },
    {
      name: 'over HTTP is the first --workspace',
      request: (at) => ({ isRemote: true, allowed: [at('repo')] }),
      expected: 'repo',
    },
    {
      name: 'over HTTP is not found in the surroundings',
      request: (at) => ({ isRemote: true, env: { PLAYBOOK_WORKSPACE: at('repo') } }),
      expected: undefined,
    },
  ];
  it.each(rows)('$name', async ({ request, expected }) => {
    const root = plant(seed);
    const workspace = await resolveWorkspace(
      requestFor(
        root,
        request((path) => join(root, path)),
      ),
    );
    expect(workspace?.directory).toBe(expected === undefined ? undefined : join(root, expected));
  });

  it('reaches up to its git root, whose folder names it', async () => {
    const root = plant(seed);
    const argument = join(root, 'repo/packages/web');
    expect(await resolveWorkspace(requestFor(root, { argument }))).toEqual({
      directory: argument,
      root: join(root, 'repo'),
      label: 'repo',
      hasGit: true,
    });
  });

  it('is only itself without a git root', async () => {
    const root = plant(seed);
    const other = join(root, 'other');
    const workspace = await resolveWorkspace(requestFor(root, { argument: other }));
    expect(workspace).toEqual({ directory: other, root: other, label: 'other', hasGit: false });
  });

  it('is told without links', async () => {
    const root = plant({ ...seed, link: { link: 'repo/packages' } });
    const workspace = await resolveWorkspace(requestFor(root, { argument: join(root, 'link') }));
    expect(workspace).toMatchObject({ directory: join(root, 'repo/packages'), label: 'repo' });
  });
});

describe('a workspace is refused', () => {
  const rows: readonly (Omit<Row, 'expected'> & { readonly code: string })[] = [
    { name: 'that does not exist', request: (at) => ({ argument: at('gone') }), code: 'workspace/not-found' },
    { name: 'that is a file', request: (at) => ({ argument: at('other/a.ts') }), code: 'workspace/not-found' },
    { name: 'that no file system could name', request: () => ({ argument: 'a\0b' }), code: 'workspace/not-found' },
    {
      name: 'that --workspace names in vain',
      request: (at) => ({ allowed: [at('gone')] }),
      code: 'workspace/not-found',
    },
    {
      name: 'that PLAYBOOK_WORKSPACE names in vain',
      request: (at) => ({ env: { PLAYBOOK_WORKSPACE: at('gone') } }),
      code: 'workspace/not-found',
    },
    {
      name: 'outside of every --workspace',
      request: (at) => ({ allowed: [at('repo')], argument: at('other') }),
      code: 'workspace/not-allowed',
    },
    {
      name: 'above every --workspace',
      request: (at) => ({ allowed: [at('repo/packages')], argument: at('repo') }),
      code: 'workspace/not-allowed',
    },
    {
      name: 'that a link leads to from inside a --workspace',
      request: (at) => ({ allowed: [at('repo')], argument: at('repo/out') }),
      code: 'workspace/not-allowed',
    },
    {
      name: 'that does not exist outside of every --workspace',
      request: (at) => ({ allowed: [at('repo')], argument: at('gone') }),
      code: 'workspace/not-allowed',
    },
    {
      name: 'over HTTP where nothing is allowed',
      request: (at) => ({ isRemote: true, argument: at('repo') }),
      code: 'workspace/not-allowed',
    },
  ];
  it.each(rows)('$name', async ({ request, code }) => {
    const root = plant({ ...seed, 'repo/out': { link: '../other' } });
    const resolving = resolveWorkspace(
      requestFor(
        root,
        request((path) => join(root, path)),
      ),
    );
    await expect(resolving).rejects.toMatchObject({ code, hint: expect.any(String) });
  });
});
