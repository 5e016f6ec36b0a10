import { dirname, join } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { resolveReferences } from '../catalog/references.ts';
import { realPathOf } from '../files/places.ts';
import type { Playbook } from '../model.ts';

/** Absolute paths of the files beside flat playbooks that are linked and not there; a skill's files are known from the scan. */
export async function missingFiles(catalog: Catalog, playbooks: Iterable<Playbook>): Promise<ReadonlySet<string>> {
  const linked = [...playbooks].flatMap((playbook) => {
    if (playbook.shape === 'folder') return [];
    const { files, dangling } = resolveReferences(catalog, playbook);
    return [...files, ...dangling.flatMap((target) => target.files)].map((file) => pathBeside(playbook, file));
  });
  const there = await Promise.all(linked.map(realPathOf));
  return new Set(linked.filter((_, index) => there[index] === undefined));
}

/** Absolute path of a file that a playbook links. */
export function pathBeside({ path }: Playbook, file: string): string {
  return join(dirname(path), file);
}
