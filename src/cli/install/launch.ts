import { join, resolve, sep } from 'node:path';
import { PlaybookError } from '../../errors.ts';
import { packageInfo } from '../../server/package-root.ts';
import type { CommonOptions } from '../options.ts';

/** A program and its arguments, as a client starts it: without a shell. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** The common flags, which the arguments end with. */
  readonly flags: readonly string[];
}

/** `npx` fetches the version that wrote the entry; `node` starts the files that are installed here. */
export type LaunchKind = 'npx' | 'node';

interface LaunchWish {
  /** By default `node` from a checkout, which no registry has, and else `npx`. */
  readonly kind: LaunchKind | undefined;
  /** True for a file that other people's machines read too. */
  readonly isShared: boolean;
  readonly platform: NodeJS.Platform;
}

/**
 * What a client is to start: this version of the program with the common flags of this command line.
 *
 * On Windows `npx` is a batch file, which programs that use no shell cannot start, so `cmd /c` stands before it; not in a shared
 * file, which would then be for Windows alone.
 * @throws PlaybookError `cli/usage` where `node` would start files of npx's cache.
 */
export function launchOf(common: CommonOptions, { kind, isShared, platform }: LaunchWish): Launch {
  const { root, version } = packageInfo();
  const isInstalled = root.split(sep).includes('node_modules');
  const flags = flagsOf(common);
  if ((kind ?? (isInstalled ? 'npx' : 'node')) === 'npx') {
    const args = ['-y', `playbook-mcp@${version}`, ...flags];
    return platform === 'win32' && !isShared
      ? { command: 'cmd', args: ['/c', 'npx', ...args], flags }
      : { command: 'npx', args, flags };
  }
  if (root.split(sep).includes('_npx')) {
    throw new PlaybookError('cli/usage', 'What npx fetched is in its cache, and is gone some day.', {
      hint: 'Leave --launch out, or install the package first: npm install --global playbook-mcp',
    });
  }
  return { command: process.execPath, args: [join(root, 'dist', 'bin', 'playbook-mcp.js'), ...flags], flags };
}

/** The common flags, their paths absolute: a client starts its servers wherever it likes. */
function flagsOf({ playbooks, workspace, config, starter }: CommonOptions): readonly string[] {
  return [
    ...playbooks.flatMap((folder) => ['--playbooks', resolve(folder)]),
    ...workspace.flatMap((folder) => ['--workspace', resolve(folder)]),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(starter ? [] : ['--no-starter']),
  ];
}
