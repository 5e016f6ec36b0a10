import { type Config, stateDirs } from '../config/index.ts';
import type { QuarantinedTool, WrappedTool } from '../model.ts';
import { HeldResults } from '../tools/held-results.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import { ResultReader } from '../tools/result-reader.ts';
import { openUpstreams } from '../tools/upstreams.ts';
import { openLocalTools } from './local-tools.ts';
import { mergeTools } from './merge-tools.ts';
import { packageInfo } from './package-root.ts';
import { proposeTool } from './propose.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { approvalsFileOf, credentialsFileOf } from './state-files.ts';

/** The tools that are known without starting anything. */
export interface KnownTools {
  readonly tools: readonly WrappedTool[];
  readonly quarantined: readonly QuarantinedTool[];
  /** As `CatalogParts.toolPrefixes`. */
  readonly prefixes: readonly string[];
  /** Servers of which every tool is known, as their tools' ids begin. */
  readonly listedServers: ReadonlySet<string>;
}

/** Reads what the last runs have kept of the servers' definitions; commands and built-in tools are known anyway. */
export async function knownTools(config: Config, options: RuntimeOptions): Promise<KnownTools> {
  const { cache } = stateDirs(options.env);
  const held = new HeldResults();
  const localTools = openLocalTools(config, options);
  const upstreams = openUpstreams({
    upstreams: config.upstreams,
    tagRules: config.tagRules,
    cacheDir: cache,
    approvalsFile: approvalsFileOf(options),
    credentialsFile: credentialsFileOf(options),
    log: options.log,
    clientInfo: { name: 'playbook-mcp', version: packageInfo().version },
  });
  try {
    const { tools } = mergeTools([new ResultReader(held), ...localTools.providers, upstreams], '');
    const listed = upstreams.status().filter(({ toolCount }) => toolCount !== undefined);
    // `deny` and `allow` hide tools that the server has.
    const whole = config.upstreams.filter(
      ({ allow, deny }) => deny.length === 0 && allow.every((each) => each === '*'),
    );
    const names = listed.map(({ name }) => name).filter((name) => whole.some((each) => each.name === name));
    return {
      tools: [...tools, proposeTool],
      quarantined: upstreams.quarantined(),
      prefixes: config.upstreams.map(({ name }) => toolPrefixOf(name)),
      listedServers: new Set([...names.map((name) => toolPrefixOf(name).replace(/__$/, '')), ...BUILT_IN_SERVERS]),
    };
  } finally {
    held.close();
    await Promise.all([upstreams.close(), localTools.close()]);
  }
}

/** Nobody configures them. */
const BUILT_IN_SERVERS = ['results', 'playbooks', 'code'] as const;
