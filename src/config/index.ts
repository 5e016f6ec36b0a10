export type {
  CommandConfig,
  Config,
  ConfirmPolicy,
  DirectorySourceConfig,
  Env,
  Flags,
  GitSourceConfig,
  HttpConfig,
  HttpToken,
  OAuthConfig,
  PartialConfig,
  Position,
  RemoteUpstreamConfig,
  RuleLevel,
  SourceConfig,
  StdioUpstreamConfig,
  TagRule,
  UpstreamConfig,
} from './types.ts';
export { defaultConfig } from './defaults.ts';
export { editRetired } from './edit-retired.ts';
export { type LoadedConfig, loadConfig } from './load.ts';
export { mergeConfig } from './merge.ts';
export { nearestWord } from './nearest.ts';
export { type ParseContext, type ParsedConfig, parseConfig } from './parse.ts';
export { expandHome, homeDirectory, type StateDirs, stateDirs } from './paths.ts';
export { lintRulePlaces } from './rule-places.ts';
export { configJsonSchema } from './schema.ts';
