import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { findRepositories } from '../../../src/tools/code/repositories.ts';
import { git, seedRepository, tempRoot } from './repositories.ts';

it('finds clones, linked worktrees, submodules and repositories directly inside others', async () => {
  const root = tempRoot();
  const library = seedRepository(join(root, 'library'), { 'a.txt': 'a\n' });
  const app = seedRepository(join(root, 'team', 'app'), { 'a.txt': 'a\n' });
  git(app, 'submodule', 'add', '-q', library, 'third-party/deep/library');
  git(library, 'worktree', 'add', '-q', join(root, 'library-next'));
  seedRepository(join(app, 'inner'), {});
  seedRepository(join(root, 'node_modules', 'package'), {});
  seedRepository(join(root, '.cache', 'clone'), {});
  const { repositories, bare, isCut } = await findRepositories([root]);
  expect(repositories.map(({ name }) => name)).toEqual([
    'library',
    'library-next',
    'team/app',
    'team/app/inner',
    'team/app/third-party/deep/library',
  ]);
  expect({ bare, isCut }).toEqual({ bare: [], isCut: false });
});

it('looks below a root that is a repository itself, and tells two of one name apart', async () => {
  const [first, second] = [tempRoot(), tempRoot()];
  seedRepository(first, {});
  seedRepository(join(first, 'team', 'api'), {});
  seedRepository(join(second, 'team', 'api'), {});
  mkdirSync(join(second, 'empty'));
  const { repositories } = await findRepositories([first, second, first]);
  expect(repositories.map(({ name }) => name).toSorted()).toEqual(
    [basename(first), `${first}/team/api`, `${second}/team/api`].toSorted(),
  );
});
