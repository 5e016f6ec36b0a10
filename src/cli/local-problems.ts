import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import type { CommandConfig, Config, Env } from '../config/index.ts';
import type { Diagnostic } from '../model.ts';
import { findRepositories } from '../tools/code/repositories.ts';
import { safeEnvironment } from '../tools/safe-environment.ts';

interface Place {
  /** File of the configuration, for what has no line of its own. */
  readonly configPath: string;
  readonly env: Env;
}

/** What would fail at the first call of the tools that need no server: code roots with nothing to search, programs that are not there. */
export async function findLocalProblems(config: Config, { configPath, env }: Place): Promise<readonly Diagnostic[]> {
  const roots = await findRootProblems(config.code.roots, configPath);
  const programs = await Promise.all(config.commands.map((command) => findProgramProblem(command, env)));
  return [...roots, ...programs.flat()];
}

async function findRootProblems(roots: readonly string[], configPath: string): Promise<readonly Diagnostic[]> {
  if (roots.length === 0) return [];
  const { repositories, unreadable } = await findRepositories(roots);
  const messages = unreadable.map((root) => `The code root ${root} cannot be read: nothing below it is searched.`);
  if (repositories.length === 0) messages.push(`There is no git repository below ${roots.join(', ')} to search.`);
  return messages.map((message) => ({
    rule: 'code-root-unusable',
    severity: 'warning',
    path: configPath,
    line: 1,
    column: 1,
    message,
    hint: 'Correct `code.roots`: folders that hold git repositories.',
  }));
}

async function findProgramProblem({ name, command, cwd, at }: CommandConfig, env: Env): Promise<readonly Diagnostic[]> {
  const [program = ''] = command;
  const places = placesOf(program, { cwd, path: safeEnvironment(env)['PATH'] ?? '' });
  const canRun = await Promise.all(places.map(isProgram));
  if (places.length === 0 || canRun.includes(true)) return [];
  const message = `Command \`${name}\` cannot be started: there is no program ${program}.`;
  const hint = `Install it, or correct \`commands.${name}.command\`.`;
  return [{ rule: 'command-program-missing', severity: 'warning', ...at, message, hint }];
}

interface Lookup {
  readonly cwd: string | undefined;
  readonly path: string;
}

/** Where the system looks for a program; [] where that depends on more than the configuration. */
function placesOf(program: string, { cwd, path }: Lookup): readonly string[] {
  // Windows has its own endings, folders and letters for it.
  if (process.platform === 'win32') return [];
  if (isAbsolute(program)) return [program];
  if (program.includes('/')) return cwd === undefined ? [] : [join(cwd, program)];
  return path.split(delimiter).flatMap((folder) => (isAbsolute(folder) ? [join(folder, program)] : []));
}

async function isProgram(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  if (file?.isFile() !== true) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
