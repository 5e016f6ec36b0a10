import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unknownRule } from '../catalog/lint/directives.ts';
import type { RuleLevels } from '../catalog/lint/lint.ts';
import { ALL_RULES } from '../catalog/lint/rules.ts';
import { type Config, lintRulePlaces, loadConfig, mergeConfig } from '../config/index.ts';
import { PlaybookError } from '../errors.ts';
import { isSystemError } from '../files/places.ts';
import { readWorkspaceConfig } from '../files/workspace-config.ts';
import { resolveWorkspace, type Workspace } from '../files/workspace.ts';
import type { Diagnostic } from '../model.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** What the configuration, the person's and the repository's, says to lint. */
export interface LintSetup {
  readonly config: Config;
  readonly workspace: Workspace | undefined;
  /** About the repository's configuration. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with the lint part of a configuration, a sentence each. */
  readonly notes: readonly string[];
  /** Rules that a configuration file names and that do not exist, each where it is named. */
  readonly unknownRules: readonly Diagnostic[];
}

const RULE_IDS = ALL_RULES.map(({ id }) => id);

/** @throws PlaybookError `config/not-json`, `config/not-found`, `workspace/not-found`. */
export async function openLintSetup({ env, flags, configPath, cwd }: RuntimeOptions): Promise<LintSetup> {
  const own = await loadConfig({ env, flags, ...(configPath === undefined ? {} : { configPath }) });
  const workspace = await resolveWorkspace({ allowed: flags.workspaces, env, cwd });
  const local = workspace === undefined ? { layers: [], diagnostics: [] } : await readWorkspaceConfig(workspace, env);
  const config = mergeConfig(own.config, ...local.layers);
  const paths = [own.path, ...(workspace === undefined ? [] : workspaceConfigPaths(workspace))];
  const unknown = await Promise.all(paths.map(unknownRulesIn));
  const aboutLint = [...own.diagnostics, ...local.diagnostics].filter(({ message }) => message.includes('`lint'));
  return {
    config,
    workspace,
    diagnostics: local.diagnostics,
    notes: aboutLint.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`),
    unknownRules: unknown.flat(),
  };
}

/** The levels of a run, flags over configuration, and what was said about rules that do not exist. */
export function levelsOf(
  { config, unknownRules }: LintSetup,
  flags: RuleLevels,
): { readonly levels: RuleLevels; readonly diagnostics: readonly Diagnostic[] } {
  const levels = new Map([...config.lint.rules, ...flags]);
  const level = levels.get('unknown-rule');
  if (level === 'off') return { levels, diagnostics: [] };
  return { levels, diagnostics: unknownRules.map((diagnostic) => ({ ...diagnostic, severity: level ?? 'warning' })) };
}

async function unknownRulesIn(path: string): Promise<readonly Diagnostic[]> {
  try {
    const places = lintRulePlaces(await readFile(path, 'utf8'), path);
    return [...places].flatMap(([id, place]) =>
      RULE_IDS.includes(id) ? [] : [{ ...place, severity: 'warning' as const, ...unknownRule(id, RULE_IDS) }],
    );
  } catch (error) {
    // No such file; and what is no JSON has been told where the configuration is read.
    if (isSystemError(error) || error instanceof PlaybookError) return [];
    throw error;
  }
}

function workspaceConfigPaths({ directory, root }: Pick<Workspace, 'directory' | 'root'>): readonly string[] {
  const path = join(directory, '.playbooks', 'config.json');
  const isTop = directory === root || dirname(directory) === directory;
  return isTop ? [path] : [path, ...workspaceConfigPaths({ directory: dirname(directory), root })];
}
