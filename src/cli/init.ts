import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PlaybookError } from '../errors.ts';
import { type NewFile, writeNewFiles } from '../files/new-files.ts';
import { pathExists, realDirectoryOf } from '../files/places.ts';
import { resolveWorkspace, type Workspace } from '../files/workspace.ts';
import { packageInfo } from '../server/package-root.ts';
import { EXAMPLE, workflow } from './init/templates.ts';
import { dim, green, print, printJson, remark, yellow } from './print.ts';

/** `init`'s own flags, as commander reads them. */
export interface InitOptions {
  /** Directory of the repository; the current one by default. */
  readonly dir?: string;
  /** False to leave the CI workflow out. */
  readonly ci: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Sets a repository up for playbooks: an example, a schema for editors, a CI workflow. What is there already stays as it is.
 *
 * @throws PlaybookError `workspace/not-found`, `files/exists`, `files/unwritable`.
 */
export async function initCommand(options: InitOptions): Promise<void> {
  const directory = await realDirectoryOf(resolve(options.dir ?? '.'));
  if (directory === undefined) {
    throw new PlaybookError('workspace/not-found', `There is no directory ${options.dir ?? '.'}.`, {
      hint: 'Make it first, or name another one.',
    });
  }
  const workspace = await resolveWorkspace({ argument: directory, allowed: [], env: process.env, cwd: directory });
  const isTop = workspace?.hasGit === true && workspace.root === directory;
  const wanted = await filesFor(isTop && options.ci);
  const isThere = await Promise.all(wanted.map(({ path }) => pathExists(join(directory, path))));
  const hasPlaybooks = await pathExists(join(directory, '.playbooks'));
  // An example is for a folder that has none yet: who deleted theirs does not want it back.
  const missing = wanted.filter(
    ({ path }, index) => isThere[index] === false && !(hasPlaybooks && path === EXAMPLE_PATH),
  );
  if (options.dryRun !== true) await writeNewFiles(directory, missing);
  const created = missing.map(({ path }) => path);
  const existing = wanted.map(({ path }) => path).filter((_, index) => isThere[index] === true);
  if (options.json === true) {
    return printJson({
      directory,
      created,
      existing,
      dryRun: options.dryRun === true,
      git: workspace?.hasGit === true,
    });
  }
  for (const path of created) print(`${green(options.dryRun === true ? 'would write' : 'wrote')} ${path}`);
  for (const path of existing) print(`${dim('is there')} ${path}`);
  if (created.length === 0) remark('Everything is there already; nothing was changed.');
  explain(workspace, { isTop, options });
}

const EXAMPLE_PATH = '.playbooks/repository/prepare-change.md';

async function filesFor(withCi: boolean): Promise<readonly NewFile[]> {
  const { root, version } = packageInfo();
  const schema = await readFile(join(root, 'dist', 'playbook.schema.json'), 'utf8');
  return [
    { path: EXAMPLE_PATH, content: EXAMPLE },
    { path: '.playbooks/playbook.schema.json', content: schema },
    ...(withCi ? [{ path: '.github/workflows/playbooks.yml', content: workflow(version) }] : []),
  ];
}

interface Circumstances {
  readonly isTop: boolean;
  readonly options: InitOptions;
}

function explain(workspace: Workspace | undefined, { isTop, options }: Circumstances): void {
  if (workspace?.hasGit !== true) {
    remark(
      `${yellow('note')}: this is no git repository, so no CI workflow; its playbooks are read in this directory only.`,
    );
  } else if (!isTop && options.ci) {
    remark(`${yellow('note')}: ${workspace.root} is the top of the repository; run init there for a CI workflow.`);
  }
  remark(
    dim(
      'The VS Code YAML extension does not read front matter; remark-lint-frontmatter-schema does, with the schema above.',
    ),
  );
  remark('Next:\n  playbook-mcp new <id>   write your own\n  playbook-mcp lint       check them');
}
