import { relative, sep } from 'node:path';

/** A path relative to a directory where it lies below it, else as it is; `/` between its parts. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  const shown = below === '' || below.startsWith('..') ? path : below;
  return shown.split(sep).join('/');
}
