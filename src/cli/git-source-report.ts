import { stateDirs } from '../config/paths.ts';
import type { Config, Env } from '../config/index.ts';
import { cloneOf, readStatus, withoutCredentials } from '../files/git/clone.ts';

/** How a git source stands, as the command line's JSON shows it; times in ISO 8601. */
export interface GitSourceReport {
  readonly name: string;
  /** Without user name and password. */
  readonly git: string;
  readonly ref?: string;
  readonly commit?: string;
  readonly refreshedAt?: string;
  readonly failure?: string;
}

/** The state of each git source of a configuration, in its order. */
export async function reportGitSources({ sources }: Config, env: Env): Promise<readonly GitSourceReport[]> {
  const { cache } = stateDirs(env);
  return Promise.all(
    sources
      .filter((source) => source.kind === 'git')
      .map(async (source) => {
        const { commit, refreshedAt, failure } = await readStatus(cloneOf(source, cache));
        return {
          name: source.name,
          git: withoutCredentials(source.git),
          ...(source.ref !== undefined && { ref: source.ref }),
          ...(commit !== undefined && { commit }),
          ...(refreshedAt !== undefined && { refreshedAt: new Date(refreshedAt).toISOString() }),
          ...(failure !== undefined && { failure }),
        };
      }),
  );
}

/** One line about it for people: `https://… at main, commit 1a2b3c4, refreshed 2026-…`. */
export function gitSourceLine({ git, ref, commit, refreshedAt, failure }: GitSourceReport): string {
  const state = [
    commit === undefined ? 'never fetched' : `commit ${commit.slice(0, 10)}`,
    ...(refreshedAt === undefined ? [] : [`refreshed ${refreshedAt}`]),
    ...(failure === undefined ? [] : ['the last refresh failed']),
  ];
  return `${git}${ref === undefined ? '' : ` at ${ref}`}, ${state.join(', ')}`;
}
