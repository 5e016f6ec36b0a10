import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { messageOf, PlaybookError } from '../errors.ts';
import type { Diagnostic } from '../model.ts';
import { defaultConfig } from './defaults.ts';
import { mergeConfig } from './merge.ts';
import { parseConfig, type ParsedConfig } from './parse.ts';
import { expandHome, homeDirectory, stateDirs } from './paths.ts';
import type { Config, Env, Flags } from './types.ts';

interface LoadOptions {
  readonly env: Env;
  /** `--config`, as written. */
  readonly configPath?: string;
  readonly flags?: Flags;
}

/** The person's configuration over the defaults, and the flags over it. */
export interface LoadedConfig {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute path of the file that was read, or that would have been if it existed. */
  readonly path: string;
}

/**
 * Loads the configuration: the file that `--config` names, else `PLAYBOOK_MCP_CONFIG`, else `config.json` of the configuration
 * directory, where a missing file is an empty one.
 * @throws PlaybookError config/not-found for a named file that cannot be read, config/not-json with the position
 */
export async function loadConfig({ env, configPath, flags }: LoadOptions): Promise<LoadedConfig> {
  const home = homeDirectory(env);
  const named = [configPath, env.PLAYBOOK_MCP_CONFIG].find((value) => value !== undefined && value !== '');
  const path = named === undefined ? join(stateDirs(env).config, 'config.json') : resolve(expandHome(named, home));
  const content = await readContent(path);
  if (named !== undefined && content.kind !== 'text') throw notFound(path, content);
  const { config, diagnostics } = interpret(content, path, env);
  const fromFlags = flags?.starter === false ? { starter: false } : {};
  return { config: mergeConfig(defaultConfig, config, fromFlags), diagnostics, path };
}

type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly cause: unknown };

async function readContent(path: string): Promise<Content> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const isMissing =
      cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
    return isMissing ? { kind: 'missing' } : { kind: 'unreadable', cause };
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw new PlaybookError('config/not-json', `${path}:1:1: not JSON: not UTF-8 text.`, {
      hint: 'Save the file as UTF-8.',
      cause,
    });
  }
}

function interpret(content: Content, path: string, env: Env): ParsedConfig {
  if (content.kind === 'missing') return { config: {}, diagnostics: [] };
  if (content.kind === 'text') {
    return parseConfig(content.text, path, { env, homeDirectory: homeDirectory(env), scope: 'user' });
  }
  const message = `The configuration cannot be read, so the defaults hold: ${messageOf(content.cause)}.`;
  return {
    config: {},
    diagnostics: [{ rule: 'config-unreadable', severity: 'error', path, line: 1, column: 1, message }],
  };
}

function notFound(path: string, content: Exclude<Content, { kind: 'text' }>): PlaybookError {
  if (content.kind === 'missing') {
    return new PlaybookError('config/not-found', `There is no configuration file ${path}.`, {
      hint: 'Correct --config or PLAYBOOK_MCP_CONFIG, or leave it out for the defaults.',
    });
  }
  return new PlaybookError(
    'config/not-found',
    `The configuration file ${path} cannot be read: ${messageOf(content.cause)}.`,
    {
      hint: 'Make it a readable file, or leave --config and PLAYBOOK_MCP_CONFIG out for the defaults.',
      cause: content.cause,
    },
  );
}
