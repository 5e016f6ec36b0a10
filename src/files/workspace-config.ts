import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parseConfig } from '../config/parse.ts';
import { homeDirectory } from '../config/paths.ts';
import type { Env, PartialConfig } from '../config/types.ts';
import { messageOf, PlaybookError } from '../errors.ts';
import type { Diagnostic } from '../model.ts';
import { finding } from './findings.ts';
import { isInside, isSystemError, realPathOf } from './places.ts';
import type { Workspace } from './workspace.ts';

/** Far above any list of synonyms that a person would write. */
const MOST_BYTES = 256 * 1024;

/** What a repository says about its own playbooks. */
export interface WorkspaceConfig {
  /** One for each `.playbooks/config.json` from the root down to the working directory: the nearest comes last and wins. */
  readonly layers: readonly PartialConfig[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the configuration that a repository ships. Nothing in it can run anything, and nothing wrong with it fails: a repository
 * must not be able to stop the server.
 */
export async function readWorkspaceConfig(workspace: Workspace, env: Env): Promise<WorkspaceConfig> {
  const layers: PartialConfig[] = [];
  const diagnostics: Diagnostic[] = [];
  for (let directory = workspace.directory; ; directory = dirname(directory)) {
    const read = await readOne(join(directory, '.playbooks', 'config.json'), workspace, env);
    layers.unshift(...read.layers);
    diagnostics.push(...read.diagnostics);
    if (directory === workspace.root || directory === dirname(directory)) return { layers, diagnostics };
  }
}

async function readOne(path: string, workspace: Workspace, env: Env): Promise<WorkspaceConfig> {
  const real = await realPathOf(path);
  if (real === undefined) return { layers: [], diagnostics: [] };
  if (!isInside(real, workspace.root)) return refused(path, `it is a link to ${real}, outside the workspace`);
  try {
    const info = await stat(real);
    if (!info.isFile()) return refused(path, 'it is not a file');
    if (info.size > MOST_BYTES) return refused(path, `it has more than ${MOST_BYTES / 1024} KiB`);
    const text = new TextDecoder('utf-8').decode(await readFile(real));
    const { config, diagnostics } = parseConfig(text, path, {
      env,
      homeDirectory: homeDirectory(env),
      scope: 'workspace',
    });
    return { layers: [config], diagnostics };
  } catch (error) {
    if (error instanceof PlaybookError || isSystemError(error)) return refused(path, messageOf(error));
    throw error;
  }
}

function refused(path: string, why: string): WorkspaceConfig {
  const message = `The repository's configuration is ignored: ${why}.`;
  return { layers: [], diagnostics: [finding(path, 'workspace-config-ignored', { message })] };
}
