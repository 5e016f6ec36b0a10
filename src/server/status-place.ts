import { relative, sep } from 'node:path';
import type { Config, Env } from '../config/index.ts';
import { withoutCredentials } from '../files/git/clone.ts';
import { findGitRoot, realPathOf } from '../files/places.ts';
import type { Source } from '../model.ts';
import { packageInfo } from './package-root.ts';
import { unifiedPatch } from './patch.ts';
import type { FileChange } from './status-plan.ts';

/** Where the files of a source are changed. */
export type StatusPlace =
  | { readonly kind: 'here' }
  /** In a repository that what lies here is only a copy of; `about` names it. */
  | { readonly kind: 'elsewhere'; readonly root: string; readonly about: string };

/** Where a playbook of a source is changed: what was fetched, or came with the package, would be overwritten by the next refresh. */
export function placeOf({ name, linksWithin }: Source, { sources }: Config): StatusPlace {
  if (linksWithin !== undefined) {
    const source = sources.find((each) => each.name === name);
    const url = source?.kind === 'git' ? withoutCredentials(source.git) : name;
    const ref = source?.kind === 'git' && source.ref !== undefined ? `, at ${source.ref}` : '';
    return { kind: 'elsewhere', root: linksWithin, about: `a clone of ${url}${ref}` };
  }
  if (name !== 'starter') return { kind: 'here' };
  return { kind: 'elsewhere', root: packageInfo().root, about: 'the repository of playbook-mcp' };
}

/**
 * The changes as a patch: from the top of the repository that they belong to, else from the current directory.
 * @returns the patch, and the folder in which `git apply` takes it here
 */
export async function patchOf(
  changes: readonly FileChange[],
  place: StatusPlace,
  { env, cwd }: { readonly env: Env; readonly cwd: string },
): Promise<{ readonly patch: string; readonly root: string }> {
  const own = (await realPathOf(cwd)) ?? cwd;
  const root =
    place.kind === 'elsewhere'
      ? ((await realPathOf(place.root)) ?? place.root)
      : ((await findGitRoot(own, env)) ?? own);
  const patch = await unifiedPatch(
    changes.map(({ realPath, before, after }) => ({
      path: relative(root, realPath).split(sep).join('/'),
      before,
      after,
    })),
  );
  return { patch, root };
}
