import { positionAt } from './decode.ts';
import type { Position } from './decode.ts';
import { splitFrontMatter } from './fence.ts';
import type { FieldPath } from './tree-paths.ts';
import { readYaml } from './yaml.ts';

/** Finds where the value at a path of the front matter stands; the first line where there is no such field. */
export type LocateField = (path: FieldPath) => Position;

/**
 * Reads a file's front matter again for the places of its fields, of which a `Playbook` keeps none.
 * @param text the whole file, line ends as `\n`
 */
export function fieldLocator(text: string): LocateField {
  const fence = splitFrontMatter(text);
  const frontMatter = fence.kind === 'found' ? fence.frontMatter : '';
  let slow: LocateField | undefined;
  return (path) => {
    const known = path.length === 1 ? locateKey(frontMatter, String(path[0])) : undefined;
    if (known !== undefined) return known;
    const yaml = slow === undefined ? readYaml(frontMatter) : undefined;
    slow ??= yaml?.kind === 'read' ? yaml.locate : () => ({ line: 1, column: 1 });
    return slow(path);
  };
}

/**
 * The value of a field that begins on its key's line, in plain sight: most do, and YAML takes a millisecond.
 * Only keys of the top level begin a line.
 */
function locateKey(frontMatter: string, key: string): Position | undefined {
  const start = frontMatter.startsWith(`${key}:`) ? 0 : frontMatter.indexOf(`\n${key}:`) + 1;
  if (start === 0 && !frontMatter.startsWith(`${key}:`)) return undefined;
  const after = start + key.length + 1;
  const blanks = /^[ \t]+(?=[^\s|>&!*#])/.exec(frontMatter.slice(after, after + 80))?.[0];
  if (blanks === undefined) return undefined;
  const place = positionAt(frontMatter, after + blanks.length);
  return { line: place.line + 1, column: place.column };
}
