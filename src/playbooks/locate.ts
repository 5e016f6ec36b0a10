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
  const yaml = fence.kind === 'found' ? readYaml(fence.frontMatter) : undefined;
  return yaml?.kind === 'read' ? yaml.locate : () => ({ line: 1, column: 1 });
}
