import type { Playbook } from '../../../model.ts';
import type { ReferenceTarget } from '../../../playbooks/references.ts';
import { placeOfTarget, referencesOf } from '../reference-places.ts';
import type { LintContext, LintRule } from '../types.ts';

export const missingFile: LintRule = {
  id: 'missing-file',
  severity: 'error',
  summary: 'A link leads to a supporting file that is not there.',
  why: 'The agent is told to read or run a file, and finds none.',
  mend: 'Add the file, or correct the path: it is relative to the playbook’s folder. Hidden files and folders are not served.',
  check: (file, { catalog, hasFile }) =>
    referencesOf(catalog, file.playbook).flatMap((reference) => {
      const { target } = reference;
      if (leadsToFolder(file.playbook, target, hasFile)) return [];
      const isMissing =
        reference.kind === 'file'
          ? file.playbook.shape === 'file' && !hasFile(file.playbook, reference.file)
          : reference.kind === 'dangling' && reference.namesakes.length < 2 && isFileTarget(file.playbook, target);
      if (!isMissing) return [];
      return [
        {
          ...placeOfTarget(file, target),
          message: `There is no file "${target.written}" beside the playbook.`,
          hint: 'Add the file, or correct the path.',
        },
      ];
    }),
};

/** Whether a link leads to a folder with supporting files: nothing to serve, but something that a reader finds. */
export function leadsToFolder(
  playbook: Playbook,
  { files, written }: ReferenceTarget,
  hasFile: LintContext['hasFile'],
): boolean {
  const { shape, supportingFiles } = playbook;
  if (shape === 'file') return written.endsWith('/') && files.some((folder) => hasFile(playbook, folder));
  return files.some((folder) => supportingFiles.some((file) => file.startsWith(`${folder}/`)));
}

/** Whether a link that leads nowhere was meant to lead to a supporting file: it names a file, below the playbook's own folder. */
export function isFileTarget(playbook: Playbook, { files, written }: ReferenceTarget): boolean {
  if (files.length === 0 || !/\.\w{1,8}\/?$/.test(written)) return false;
  const isMarkdown = /\.md$/i.test(written);
  return playbook.shape === 'folder' ? !/(?:^|\/)SKILL\.md$/i.test(written) : !isMarkdown;
}
