import type { Config, PartialConfig } from './types.ts';

/**
 * The configuration with layers laid over it, the last one on top. Within a section the later wins per key; servers, commands,
 * retired entries, lint rules and synonyms win per name; a list (`sources`, `tagRules`, `workspace.folders`) is replaced whole.
 */
export function mergeConfig(defaults: Config, ...layers: readonly PartialConfig[]): Config {
  return layers.reduce(overlay, defaults);
}

function overlay(below: Config, above: PartialConfig): Config {
  return {
    sources: above.sources ?? below.sources,
    starter: above.starter ?? below.starter,
    workspace: { ...below.workspace, ...above.workspace },
    upstreams: byName(below.upstreams, above.upstreams),
    commands: byName(below.commands, above.commands),
    tagRules: above.tagRules ?? below.tagRules,
    retired: byKey(below.retired, above.retired),
    code: { ...below.code, ...above.code },
    limits: { ...below.limits, ...above.limits },
    usage: { ...below.usage, ...above.usage },
    http: { ...below.http, ...above.http },
    lint: { rules: byKey(below.lint.rules, above.lint?.rules) },
    search: {
      learn: above.search?.learn ?? below.search.learn,
      synonyms: byKey(below.search.synonyms, above.search?.synonyms),
    },
    review: { ...below.review, ...above.review },
  };
}

function byName<T extends { readonly name: string }>(below: readonly T[], above: readonly T[] = []): readonly T[] {
  const merged = new Map(below.map((item) => [item.name, item]));
  for (const item of above) merged.set(item.name, item);
  return [...merged.values()];
}

function byKey<T>(below: ReadonlyMap<string, T>, above: ReadonlyMap<string, T> = new Map()): ReadonlyMap<string, T> {
  return new Map([...below, ...above]);
}
