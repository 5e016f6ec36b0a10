import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const manifest = z.object({ name: z.literal('playbook-mcp'), version: z.string() });

/** The folder of the installed package, and its version: the same from a bundle, its chunks and the sources. */
export interface PackageInfo {
  readonly root: string;
  readonly version: string;
}

let known: PackageInfo | undefined;

/** Finds our own package.json above this module; read once. */
export function packageInfo(): PackageInfo {
  known ??= findPackage(dirname(fileURLToPath(import.meta.url)));
  return known;
}

/** The bundle of a thread of ours. */
export function threadFile(name: 'usage-worker' | 'usage-reader' | 'usage-learner'): string {
  return join(packageInfo().root, 'dist', 'bin', `${name}.js`);
}

function findPackage(folder: string): PackageInfo {
  try {
    const { version } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { root: folder, version };
  } catch (error) {
    // Any other package.json on the way up, or none at this level, is not ours.
    if (dirname(folder) === folder) throw new Error('The package.json of playbook-mcp is missing.', { cause: error });
    return findPackage(dirname(folder));
  }
}
