import { basename, dirname, relative, sep } from 'node:path';
import type { PlaybookEntry } from '../model.ts';
import type { Snapshot } from './snapshot.ts';

/** A file of a skill. */
export interface SkillFile {
  /** Path below the skill's folder, `/` between segments. */
  readonly file: string;
  /** The playbook whose file it is: the skill, or one that lies in it. */
  readonly owner: PlaybookEntry;
  /** Path below the owner's folder. */
  readonly path: string;
}

/** All files of a skill, those of skills in it too: to the outer one they are supporting files. `SKILL.md` comes first. */
export function skillFiles({ catalog }: Snapshot, skill: PlaybookEntry): readonly SkillFile[] {
  const folder = dirname(skill.playbook.path);
  const inner = catalog.entries.filter(
    (entry): entry is PlaybookEntry =>
      entry.kind === 'playbook' &&
      entry !== skill &&
      entry.playbook.shape === 'folder' &&
      entry.playbook.source.name === skill.playbook.source.name &&
      entry.playbook.path.startsWith(folder + sep),
  );
  return [skill, ...inner].flatMap((owner) => {
    const { path, supportingFiles } = owner.playbook;
    const below = relative(folder, dirname(path)).replaceAll(sep, '/');
    return [basename(path), ...supportingFiles].map((file) => ({
      file: below === '' ? file : `${below}/${file}`,
      owner,
      path: file,
    }));
  });
}
