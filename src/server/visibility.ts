import type { Config } from '../config/index.ts';
import type { Access } from './surface.ts';

/** Which of the sources and servers that are limited to a scope a caller sees. */
export interface Visibility {
  /** The same for all callers that see the same. */
  readonly key: string;
  /** The scopes of the caller that limit something; undefined for a caller that sees everything. */
  readonly scopes: Access;
  readonly seesSource: (name: string) => boolean;
  readonly seesServer: (name: string) => boolean;
}

/** What callers without limits see; no list of scopes has this key. */
const EVERYTHING: Visibility = { key: '*', scopes: undefined, seesSource: () => true, seesServer: () => true };

/** What a caller with these scopes sees. */
export function visibilityOf(
  { sources, upstreams }: Pick<Config, 'sources' | 'upstreams'>,
  access: Access,
): Visibility {
  if (access === undefined) return EVERYTHING;
  const limited = [...sources, ...upstreams].flatMap(({ scope }) => scope ?? []);
  const sees = ({ scope }: { readonly scope?: string }): boolean => scope === undefined || access.includes(scope);
  const hidden = (all: readonly { readonly name: string; readonly scope?: string }[]): ReadonlySet<string> =>
    new Set(all.filter((each) => !sees(each)).map(({ name }) => name));
  const [hiddenSources, hiddenServers] = [hidden(sources), hidden(upstreams)];
  const scopes = [...new Set(limited)].filter((scope) => access.includes(scope)).sort();
  return {
    key: scopes.join(' '),
    scopes,
    seesSource: (name) => !hiddenSources.has(name),
    seesServer: (name) => !hiddenServers.has(name),
  };
}
