import type { Deprecation, Diagnostic, Parameter } from '../model.ts';
import { DEFAULT_REFRESH_MINUTES, timeoutOf } from './defaults.ts';
import { type ConfigDocument, type JsonPath, positionOf, positionOfKey } from './document.ts';
import type { CommandEntry, ConfigFile, SourceEntry } from './schema.ts';
import type { CommandConfig, PartialConfig, Position, SourceConfig } from './types.ts';
import { toUpstream } from './upstream.ts';

/** A valid file in the terms of `Config`. Of two entries of one name the first counts, and the other is named. */
export function toPartialConfig(
  file: ConfigFile,
  document: ConfigDocument,
): { readonly config: PartialConfig; readonly diagnostics: readonly Diagnostic[] } {
  const sources = (file.sources ?? []).map((entry, index) => toSource(entry, positionOf(document, ['sources', index])));
  const diagnostics = repeatedNames(file, document);
  const { mcpServers, servers } = file;
  const upstreams = Object.entries({ ...servers, ...mcpServers }).map(([name, entry]) => toUpstream(name, entry));
  const config: PartialConfig = {
    ...(file.sources && { sources: sources.filter(({ name }, index) => firstIndex(sources, name) === index) }),
    ...(file.starter !== undefined && { starter: file.starter }),
    ...(file.workspace && { workspace: file.workspace }),
    ...((mcpServers ?? servers) && { upstreams }),
    ...(file.commands && { commands: toCommands(file.commands, document) }),
    ...(file.tagRules && { tagRules: file.tagRules }),
    ...(file.retired && { retired: new Map<string, Deprecation>(Object.entries(file.retired)) }),
    ...(file.code && { code: file.code }),
    ...(file.limits && { limits: file.limits }),
    ...(file.usage && { usage: file.usage }),
    ...(file.http && { http: file.http }),
    ...(file.lint && { lint: toLint(file.lint) }),
    ...(file.search && { search: toSearch(file.search) }),
    ...(file.review && { review: file.review }),
  };
  return { config, diagnostics };
}

function toSource({ name, git, path, ref, refreshMinutes, ...rest }: SourceEntry, at: Position): SourceConfig {
  // The schema lets no entry through that has neither.
  if (git === undefined) return { kind: 'directory', name, path: path ?? '', ...rest, at };
  return {
    kind: 'git',
    name,
    git,
    ...(ref !== undefined && { ref }),
    ...(path !== undefined && { path }),
    refreshMinutes: refreshMinutes ?? DEFAULT_REFRESH_MINUTES,
    ...rest,
    at,
  };
}

function toCommands(entries: NonNullable<ConfigFile['commands']>, document: ConfigDocument): readonly CommandConfig[] {
  return Object.entries(entries).map(([name, entry]) =>
    toCommand(name, entry, positionOfKey(document, ['commands', name])),
  );
}

function toCommand(name: string, entry: CommandEntry, at: Position): CommandConfig {
  return {
    name,
    description: entry.description,
    command: entry.command,
    parameters: (entry.parameters ?? []).map(toParameter),
    ...(entry.cwd !== undefined && { cwd: entry.cwd }),
    timeoutMs: timeoutOf(entry.timeoutMs),
    readOnly: entry.readOnly ?? false,
    tags: entry.tags ?? [],
    at,
  };
}

function toParameter(entry: NonNullable<CommandEntry['parameters']>[number]): Parameter {
  const { type = 'string', required = false, ...rest } = entry;
  return { ...rest, type, isRequired: required };
}

function toLint({ rules }: NonNullable<ConfigFile['lint']>): NonNullable<PartialConfig['lint']> {
  return rules === undefined ? {} : { rules: new Map(Object.entries(rules)) };
}

function toSearch({ learn, synonyms }: NonNullable<ConfigFile['search']>): NonNullable<PartialConfig['search']> {
  return {
    ...(learn !== undefined && { learn }),
    ...(synonyms !== undefined && { synonyms: new Map(Object.entries(synonyms)) }),
  };
}

function repeatedNames(
  { sources = [], mcpServers = {}, servers = {} }: ConfigFile,
  document: ConfigDocument,
): readonly Diagnostic[] {
  const repeatedSources = sources.flatMap(({ name }, index) =>
    firstIndex(sources, name) === index
      ? []
      : [repeated(document, ['sources', index], `Another source is called \`${name}\``)],
  );
  const repeatedServers = Object.keys(servers)
    .filter((name) => Object.hasOwn(mcpServers, name))
    .map((name) => repeated(document, ['servers', name], `\`mcpServers\` has a server \`${name}\` too`));
  return [...repeatedSources, ...repeatedServers];
}

function firstIndex(named: readonly { readonly name: string }[], name: string): number {
  return named.findIndex((other) => other.name === name);
}

function repeated(document: ConfigDocument, path: JsonPath, why: string): Diagnostic {
  return {
    rule: 'config-duplicate-name',
    severity: 'error',
    ...positionOfKey(document, path),
    message: `${why}; this one is off.`,
    hint: 'Give it another name.',
  };
}
