import { resolve } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { type ExportedSkill, exportSkills } from '../catalog/skill-export.ts';
import { PlaybookError } from '../errors.ts';
import type { PlaybookEntry } from '../model.ts';
import { hasTags } from '../server/tags.ts';
import { filesOf } from './export/files.ts';
import { type ExportOutcome, writeExport } from './export/write.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { dim, exitWith, green, print, printJson, remark, yellow } from './print.ts';

/** `export skills`' own flags, as commander reads them. */
export interface ExportSkillsOptions {
  readonly dir: string;
  readonly tag: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Writes the active playbooks as folders with a `SKILL.md`, for clients that read skills themselves. What somebody else wrote in
 * the directory stays; exits 1 where something was left for that reason.
 *
 * @throws PlaybookError `cli/usage` where there is nothing to write; `files/unwritable`.
 */
export async function exportSkillsCommand(common: CommonOptions, options: ExportSkillsOptions): Promise<void> {
  await withRuntime({ ...common, listsUpstreams: false, isSearched: false }, async (runtime) => {
    const { catalog } = await runtime.snapshot();
    const skills = exportSkills(catalog, chosen(catalog, options));
    if (skills.length === 0) {
      throw new PlaybookError('cli/usage', 'No active playbook is to be exported.', {
        hint: options.tag.length === 0 ? 'See `playbook-mcp list`.' : 'Give another --tag.',
      });
    }
    const { files, unreadable } = await filesOf(catalog, skills);
    const directory = resolve(options.dir);
    const outcome = await writeExport(directory, files, { isDry: options.dryRun === true });
    if (options.json === true) printJson(toReport(directory, skills, { ...outcome, unreadable }));
    else tell(directory, skills, { ...outcome, unreadable, isDry: options.dryRun === true });
    if (outcome.foreign.length > 0) exitWith(1);
  });
}

function chosen({ entries }: Catalog, { tag }: ExportSkillsOptions): readonly PlaybookEntry[] {
  return entries.filter(
    (entry): entry is PlaybookEntry => entry.kind === 'playbook' && entry.status === 'active' && hasTags(entry, tag),
  );
}

type Unread = { readonly unreadable: readonly string[] };

function toReport(directory: string, skills: readonly ExportedSkill[], outcome: ExportOutcome & Unread): object {
  return { directory, skills: skills.map(({ name, entry }) => ({ name, playbook: entry.qualifiedId })), ...outcome };
}

function tell(
  directory: string,
  skills: readonly ExportedSkill[],
  { written, removed, unchanged, foreign, unreadable, isDry }: ExportOutcome & Unread & { readonly isDry: boolean },
): void {
  for (const path of written) print(`${green(isDry ? 'would write' : 'wrote')} ${path}`);
  for (const path of removed) print(`${green(isDry ? 'would remove' : 'removed')} ${path}`);
  for (const path of foreign) remark(`${yellow('left')} ${path}: it is not as it was exported, or somebody else's`);
  for (const path of unreadable) remark(`${yellow('left out')} ${path}: it cannot be read`);
  const count = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
  remark(dim(`${count} in ${directory}; ${unchanged.length} files as they were.`));
}
