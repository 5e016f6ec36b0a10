import { basename, dirname, join, resolve } from 'node:path';

import { expandHome, homeDirectory, stateDirs } from '../config/paths.ts';
import type { Config, Env, Flags, GitSourceConfig, SourceConfig } from '../config/types.ts';
import { PlaybookError } from '../errors.ts';
import type { Diagnostic, Source } from '../model.ts';
import { finding } from './findings.ts';
import { findGitFolder } from './git/git-folder.ts';
import { isInside, realDirectoryOf } from './places.ts';
import type { Workspace } from './workspace.ts';

interface SourcesRequest {
  readonly config: Config;
  readonly flags: Flags;
  readonly env: Env;
  /** Folder of the installed package, which brings the starter playbooks. */
  readonly packageRoot: string;
}

/** The places that playbooks come from, and those that were asked for in vain. */
export interface FoundSources {
  /** Most specific first; names are unique. Every folder existed. */
  readonly sources: readonly Source[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the sources that every workspace has, most specific first: the user's, then the central ones: `--playbooks` (a flag
 * is said later than a file), those of the configuration, and the starter. A workspace's own comes before them all.
 *
 * @throws PlaybookError source/not-found for a `--playbooks` that is no folder
 */
export async function findSources(request: SourcesRequest): Promise<FoundSources> {
  const { config, flags, env, packageRoot } = request;
  const user = await userSource(env);
  const configured = await Promise.all(config.sources.map((source) => configuredSource(source, env)));
  const taken = ['workspace', 'user', 'starter', ...config.sources.map(({ name }) => name)];
  const flagged = await flagSources(flags.playbooks, env, taken);
  const starter = config.starter ? await existingSource('starter', 'central', [join(packageRoot, 'playbooks')]) : [];
  return {
    sources: [...user, ...flagged.sources, ...configured.flatMap(({ sources }) => sources), ...starter],
    diagnostics: [flagged, ...configured].flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Finds the source that a workspace is, the nearest folders first: in a monorepo a package's playbook wins over the repository's. */
export async function findWorkspaceSource(config: Config, workspace: Workspace): Promise<FoundSources> {
  // Trust cannot be granted yet, so `trusted` leaves every workspace out.
  if (config.workspace.policy !== 'all') return { sources: [], diagnostics: [] };
  const folders: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of workspaceFolders(config, workspace)) {
    const real = await realDirectoryOf(folder);
    if (real === undefined) continue;
    if (isInside(real, workspace.root)) folders.push(folder);
    else diagnostics.push(leavesWorkspace(folder, real));
  }
  return { sources: folders.length === 0 ? [] : [workspaceSource(workspace, folders)], diagnostics };
}

/**
 * The sources of a workspace and of the configuration as they would be if every folder were there that may hold their playbooks:
 * what a change has deleted lay in one of them.
 */
export function possibleSources(config: Config, workspace: Workspace | undefined): readonly Source[] {
  const hasOwn = workspace !== undefined && config.workspace.policy === 'all';
  const configured = config.sources.flatMap((source): readonly Source[] =>
    source.kind === 'directory'
      ? [{ name: source.name, kind: 'central', label: source.name, folders: [source.path], isTrusted: true }]
      : [],
  );
  return [...(hasOwn ? [workspaceSource(workspace, workspaceFolders(config, workspace))] : []), ...configured];
}

function workspaceSource({ label }: Workspace, folders: readonly string[]): Source {
  return { name: 'workspace', kind: 'workspace', label: `workspace:${label}`, folders, isTrusted: false };
}

/** Every folder where a person's or a workspace's playbooks may lie, there or not: to tell where was looked in vain. */
export function usualFolders(config: Config, env: Env, workspace: Workspace | undefined): readonly string[] {
  return [...(workspace === undefined ? [] : workspaceFolders(config, workspace)), ...userFolders(env)];
}

function workspaceFolders(config: Config, workspace: Workspace): readonly string[] {
  const directories = upwards(workspace.directory, workspace.root);
  return [
    ...new Set(
      directories.flatMap((directory) => config.workspace.folders.map((folder) => resolve(directory, folder))),
    ),
  ];
}

/** The directory and those above it up to `root`, nearest first. */
function upwards(directory: string, root: string): readonly string[] {
  return directory === root || dirname(directory) === directory
    ? [directory]
    : [directory, ...upwards(dirname(directory), root)];
}

function leavesWorkspace(folder: string, real: string): Diagnostic {
  return finding(folder, 'link-outside-workspace', {
    message: `The folder is a link to ${real}, outside the workspace, and was left out.`,
    hint: 'Name the folder in your own configuration (`sources`) if you want its playbooks.',
  });
}

function userSource(env: Env): Promise<readonly Source[]> {
  return existingSource('user', 'user', userFolders(env));
}

function userFolders(env: Env): readonly string[] {
  const home = homeDirectory(env);
  return [join(stateDirs(env).config, 'playbooks'), join(home, '.agents', 'skills'), join(home, '.claude', 'skills')];
}

async function existingSource(
  name: string,
  kind: Source['kind'],
  folders: readonly string[],
): Promise<readonly Source[]> {
  const real = await Promise.all(folders.map(realDirectoryOf));
  const existing = folders.filter((_, index) => real[index] !== undefined);
  return existing.length === 0 ? [] : [{ name, kind, label: name, folders: existing, isTrusted: true }];
}

async function configuredSource(source: SourceConfig, env: Env): Promise<FoundSources> {
  if (source.kind === 'git') return gitSource(source, env);
  const sources = await existingSource(source.name, 'central', [source.path]);
  if (sources.length > 0) return { sources, diagnostics: [] };
  const missing: Diagnostic = {
    rule: 'source-not-found',
    severity: 'error',
    ...source.at,
    message: `There is no folder ${source.path}; the source \`${source.name}\` is off.`,
    hint: 'Correct its `path`, or make the folder.',
  };
  return { sources: [], diagnostics: [missing] };
}

async function gitSource(source: GitSourceConfig, env: Env): Promise<FoundSources> {
  const { place, diagnostics } = await findGitFolder(source, env);
  if (place === undefined) return { sources: [], diagnostics };
  const { name } = source;
  const { folder, repository } = place;
  const found: Source = {
    name,
    kind: 'central',
    label: name,
    folders: [folder],
    isTrusted: true,
    linksWithin: repository,
  };
  return { sources: [found], diagnostics };
}

async function flagSources(written: readonly string[], env: Env, taken: readonly string[]): Promise<FoundSources> {
  const names = new Set(taken);
  const sources: Source[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of new Set(written.map((flag) => resolve(expandHome(flag, homeDirectory(env)))))) {
    const wanted = nameOf(folder);
    const name = unusedName(wanted, names);
    names.add(name);
    const found = await existingSource(name, 'central', [folder]);
    if (found.length === 0) throw notFound(folder);
    sources.push(...found);
    if (name !== wanted) diagnostics.push(renamed({ folder, wanted, name }));
  }
  return { sources, diagnostics };
}

/** `.playbooks` is called `playbooks`; what an id's prefix cannot hold becomes `-`. */
function nameOf(folder: string): string {
  return (
    basename(folder)
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[._-]+/, '') || 'playbooks'
  );
}

function unusedName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

function renamed({ folder, wanted, name }: { folder: string; wanted: string; name: string }): Diagnostic {
  return finding(folder, 'source-renamed', {
    severity: 'info',
    message: `Another source is called \`${wanted}\`, so this folder's playbooks are called \`${name}:…\`.`,
    hint: 'Name the folder in the configuration (`sources`) to choose its name.',
  });
}

function notFound(folder: string): PlaybookError {
  return new PlaybookError('source/not-found', `There is no playbook folder ${folder}.`, {
    hint: 'Correct --playbooks, or make the folder.',
  });
}
