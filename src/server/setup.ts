import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Config, loadConfig, type LoadedConfig } from '../config/index.ts';
import { PlaybookError } from '../errors.ts';
import type { Diagnostic } from '../model.ts';
import { PlaybookLayers } from './layers.ts';
import { reportDiagnostics } from './report-diagnostics.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** What one state of the configuration file gives; an edit of the file makes another one. */
export interface Setup {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute path of the configuration file, whether or not it exists. */
  readonly path: string;
  readonly isFileThere: boolean;
  readonly layers: PlaybookLayers;
}

/**
 * Reads the configuration and begins to load the playbooks.
 *
 * @throws PlaybookError `config/not-json`, `config/not-found`, `source/not-found`.
 */
export async function openSetup(options: RuntimeOptions): Promise<Setup> {
  const loaded = await load(options);
  reportDiagnostics(options.log, loaded.diagnostics);
  return toSetup(loaded, await PlaybookLayers.open(options, loaded.config));
}

/**
 * The setup of the file as it is now: the very same one where nothing has changed. Playbooks are loaded anew, and waited for, only
 * where what decides about them has changed.
 *
 * @throws PlaybookError `config/not-json`, `config/not-found`, `source/not-found`: the one at hand stays good.
 */
export async function reopenSetup(options: RuntimeOptions, before: Setup): Promise<Setup> {
  const loaded = await load(options);
  // Editors that write by rename leave a moment without the file, and a file that is lost asks for nothing.
  if (before.isFileThere && !existsSync(loaded.path)) {
    throw new PlaybookError('config/not-found', `There is no configuration file ${loaded.path} any more.`);
  }
  const { config, diagnostics } = loaded;
  if (isDeepStrictEqual([config, diagnostics], [before.config, before.diagnostics])) return before;
  reportDiagnostics(options.log, diagnostics);
  if (isDeepStrictEqual(partsOfLayers(config), partsOfLayers(before.config))) return toSetup(loaded, before.layers);
  const layers = await PlaybookLayers.open(options, config);
  await layers.base;
  return toSetup(loaded, layers);
}

async function load({ env, flags, configPath }: RuntimeOptions): Promise<LoadedConfig> {
  return loadConfig({ env, flags, ...(configPath === undefined ? {} : { configPath }) });
}

function toSetup({ config, diagnostics, path }: LoadedConfig, layers: PlaybookLayers): Setup {
  return { config, diagnostics, path, isFileThere: existsSync(path), layers };
}

function partsOfLayers({ sources, starter, workspace, search }: Config): readonly unknown[] {
  return [sources, starter, workspace, search];
}

/** What is told while a configuration file cannot be taken over. */
export function notTakenOver(path: string, { message, hint }: PlaybookError): Diagnostic {
  return {
    rule: 'config-not-taken-over',
    severity: 'error',
    path,
    line: 1,
    column: 1,
    message: `The configuration as it was before stays in use: ${message}`,
    ...(hint === undefined ? {} : { hint }),
  };
}
