import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { UpstreamConfig } from '../config/index.ts';

/**
 * `file:` URLs of the directories that a person has named for a server on its command line, such as those of the filesystem
 * server; [] where there are none. They are its roots in place of the workspace: that server drops what it was started with
 * for the roots that it is told, and a configuration must not stop working because it has moved behind us.
 */
export function configuredRoots(config: UpstreamConfig): readonly string[] {
  if (config.transport !== 'stdio') return [];
  const { args } = config;
  // A directory behind an option is mostly where the program itself lies: `uv --directory <path> run …`.
  const named = args.filter((arg, index) => isAbsolute(arg) && args[index - 1]?.startsWith('-') !== true);
  return named
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    .map((path) => pathToFileURL(path).href);
}
