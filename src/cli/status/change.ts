import { relative } from 'node:path';
import { qualifiedIdOf } from '../../catalog/catalog.ts';
import { findEntry } from '../../catalog/lookup.ts';
import type { Config } from '../../config/index.ts';
import { PlaybookError } from '../../errors.ts';
import { rewriteFiles } from '../../files/rewrite-file.ts';
import type { Entry } from '../../model.ts';
import type { Runtime } from '../../server/runtime.ts';
import { patchOf, placeOf, type StatusPlace } from '../../server/status-place.ts';
import { planStatus, type StatusPlan, type StatusRequest } from '../../server/status-plan.ts';
import { type CommonOptions, withRuntime } from '../options.ts';
import { dim, print, printExact, printJson, remark } from '../print.ts';
import { changeConfig } from './config-entry.ts';
import { type StatusOptions, toRequest } from './request.ts';

/**
 * Gives an entry another status: a playbook in its file, or by a patch where its file is only a copy; a tool in the configuration.
 *
 * @throws PlaybookError as `planStatus`, `changeConfig` and `rewriteFiles`; `cli/usage`.
 */
export async function changeStatus(
  common: CommonOptions,
  status: StatusRequest['status'],
  options: StatusOptions,
): Promise<void> {
  const request = toRequest(status, options);
  // Only a tool's id has two underscores, and only for tools are servers asked.
  await withRuntime({ ...common, listsUpstreams: options.id.includes('__') }, async (runtime) => {
    const { catalog } = await runtime.snapshot();
    const entry = findEntry(catalog, options.id);
    if (entry.kind === 'tool' || (status === 'active' && isRetiredIn(runtime.config, entry))) {
      return changeConfig({ catalog, entry, config: runtime.config, configPath: runtime.configPath }, request, options);
    }
    if (options.write === true) {
      throw new PlaybookError('cli/usage', `--write is for tools, and ${entry.id} is a playbook.`, {
        hint: 'Leave it out: its file is written anyway.',
      });
    }
    return changePlaybook(runtime, await planStatus(catalog, entry, request), options);
  });
}

function isRetiredIn({ retired }: Config, entry: Entry): boolean {
  return retired.has(entry.id) || (entry.kind === 'playbook' && retired.has(qualifiedIdOf(entry.playbook)));
}

async function changePlaybook(
  runtime: Runtime,
  plan: StatusPlan,
  { dryRun = false, json = false }: StatusOptions,
): Promise<void> {
  const place = placeOf(plan.entry.playbook.source, runtime.config);
  const isWritten = place.kind === 'here' && !dryRun && plan.changes.length > 0;
  if (isWritten) await rewriteFiles(plan.changes);
  const { patch, root } = await patchOf(plan.changes, place, { env: process.env, cwd: process.cwd() });
  if (json) {
    printJson({
      id: plan.entry.id,
      ...plan.standing,
      isWritten,
      files: plan.changes.map(({ path, kind }) => ({ path, change: kind })),
      ...(isWritten ? {} : { patch, root }),
      notes: plan.notes,
    });
    return;
  }
  if (isWritten) for (const line of changeLines(plan)) print(line);
  else if (patch !== '') printExact(patch);
  for (const note of plan.notes) remark(`note: ${note}`);
  remark(dim(conclusion(plan, place, { isWritten, root })));
}

function changeLines({ entry, standing, changes }: StatusPlan): readonly string[] {
  const replacement = standing.deprecation?.replacedBy;
  return changes.map(({ path, kind }) => {
    const shown = relative(process.cwd(), path);
    if (kind === 'references') return `${shown}: leads to ${replacement ?? ''} instead of ${entry.id}`;
    return `${shown}: ${standing.status}${replacement === undefined ? '' : `, replaced by ${replacement}`}`;
  });
}

function conclusion(
  { entry, standing, changes }: StatusPlan,
  place: StatusPlace,
  { isWritten, root }: { readonly isWritten: boolean; readonly root: string },
): string {
  if (changes.length === 0) return `${entry.id} is ${standing.status} as asked for: nothing is to be changed.`;
  if (isWritten) return 'A server that is running takes it over by itself.';
  const files = changes.length === 1 ? '1 file' : `${changes.length} files`;
  if (place.kind === 'here') return `Nothing was written. ${files} would be changed, below ${root}.`;
  return [
    `Nothing was written: ${root} is ${place.about}, and is overwritten by the next version.`,
    `The patch above changes ${files}. Apply it with \`git apply\` at the top of that repository, and commit it there.`,
    `To retire it for yourself alone, name "${entry.id}" under \`retired\` in your configuration.`,
  ].join('\n');
}
