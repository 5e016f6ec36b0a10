import { type Config, stateDirs } from '../config/index.ts';
import type { QuarantinedTool, WrappedTool } from '../model.ts';
import type { ToolProvider } from '../tools/provider.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import { openUpstreams } from '../tools/upstreams.ts';
import { builtInTools } from './built-in-tools.ts';
import { openLocalTools } from './local-tools.ts';
import { mergeTools } from './merge-tools.ts';
import { packageInfo } from './package-root.ts';
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
    const providers: readonly Pick<ToolProvider, 'tools'>[] = [BUILT_IN, ...localTools.providers, upstreams];
    const { tools } = mergeTools(providers, '');
    const listed = upstreams.status().filter(({ toolCount }) => toolCount !== undefined);
    // `deny` and `allow` hide tools that the server has.
    const whole = config.upstreams.filter(
      ({ allow, deny }) => deny.length === 0 && allow.every((each) => each === '*'),
    );
    const names = listed.map(({ name }) => name).filter((name) => whole.some((each) => each.name === name));
    return {
      tools,
      quarantined: upstreams.quarantined(),
      prefixes: config.upstreams.map(({ name }) => toolPrefixOf(name)),
      listedServers: new Set([...names.map((name) => toolPrefixOf(name).replace(/__$/, '')), ...BUILT_IN_SERVERS]),
    };
  } finally {
    await Promise.all([upstreams.close(), localTools.close()]);
  }
}

const BUILT_IN: Pick<ToolProvider, 'tools'> = { tools: () => builtInTools };
/** Nobody configures them; those of `code` are known only where roots are configured. */
const BUILT_IN_SERVERS: readonly string[] = [...builtInTools.map(({ id }) => id.replace(/__.*$/, '')), 'code'];
