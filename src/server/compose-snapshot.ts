import { buildCatalog } from '../catalog/catalog.ts';
import type { Config, Env } from '../config/index.ts';
import { usualFolders } from '../files/sources.ts';
import type { Workspace } from '../files/workspace.ts';
import type { Diagnostic, QuarantinedTool, WrappedTool } from '../model.ts';
import type { SearchSegment } from '../search/search-index.ts';
import { toolPrefixOf } from '../tools/naming.ts';
import type { UpstreamState } from '../tools/shared-connection.ts';
import type { UpstreamStatus } from '../tools/upstream-status.ts';
import type { Layer } from './live-layer.ts';
import type { Snapshot } from './snapshot.ts';
import type { Visibility } from './visibility.ts';

/** What a snapshot is made of. */
export interface SnapshotParts {
  /** Most specific first. */
  readonly layers: readonly Layer[];
  readonly workspace: Workspace | undefined;
  readonly repo: string | null;
  readonly visibility: Visibility;
  readonly config: Config;
  readonly env: Env;
  readonly isRemote: boolean;
  readonly tools: readonly WrappedTool[];
  readonly toolSegment: SearchSegment;
  readonly quarantined: readonly QuarantinedTool[];
  /** Of everything but the layers and the catalog. */
  readonly diagnostics: readonly Diagnostic[];
  readonly learned: Snapshot['learned'];
  /** The servers whose tools are not known at this moment. */
  readonly unlisted: () => readonly UpstreamStatus[];
}

/** A snapshot without anything that its caller does not see: what is left out here is nowhere else. */
export function composeSnapshot(parts: SnapshotParts): Snapshot {
  const { layers, config, visibility, workspace, repo, isRemote, learned } = parts;
  const { seesSource, seesServer } = visibility;
  const catalog = buildCatalog({
    playbooks: layers.flatMap((layer) => layer.playbooks).filter(({ source }) => seesSource(source.name)),
    tools: parts.tools.filter(({ server }) => seesServer(server)),
    quarantined: parts.quarantined.filter(({ tool }) => seesServer(tool.server)),
    retired: config.retired,
    toolPrefixes: config.upstreams.map(({ name }) => toolPrefixOf(name)),
  });
  const visibleConfig = { ...config, sources: config.sources.filter(({ name }) => seesSource(name)) };
  return {
    catalog,
    segments: [...layers.map(({ segment }) => segment), parts.toolSegment],
    sources: layers.flatMap(({ sources }) => sources).filter(({ name }) => seesSource(name)),
    workspace,
    repo,
    isRemote,
    usualFolders: usualFolders(visibleConfig, parts.env, workspace),
    diagnostics: [...parts.diagnostics, ...layers.flatMap(({ diagnostics }) => diagnostics), ...catalog.diagnostics],
    synonyms: layers[0]?.synonyms ?? {},
    learned,
    notices: () =>
      noticesOf(
        parts.unlisted().filter(({ name }) => seesServer(name)),
        workspace !== undefined || isRemote,
      ),
  };
}

/** Lines for the foot of a search: what it could not look at. A server whose tools are cached is searched even while it is down. */
function noticesOf(unlisted: readonly UpstreamStatus[], hasWorkspace: boolean): readonly string[] {
  const namesIn = (...states: readonly UpstreamState[]): string =>
    unlisted
      .filter(({ state }) => states.includes(state))
      .map(({ name }) => name)
      .join(', ');
  // One that is idle and was never listed is about to be started.
  const [starting, failed] = [namesIn('idle', 'connecting', 'ready'), namesIn('failed')];
  const unauthorized = namesIn('needs authorization');
  return [
    ...(!hasWorkspace ? ['No workspace is known; pass `workspace` to see the playbooks of a repository.'] : []),
    ...(starting === '' ? [] : [`Still starting, tools not listed yet: ${starting}.`]),
    ...(failed === '' ? [] : [`Not available, tools unknown: ${failed}; \`playbook-mcp doctor\` tells why.`]),
    ...(unauthorized === '' ? [] : [loginNotice(unauthorized)]),
  ];
}

/** Nothing of such a server can be found, so that the agent must be told what it may execute to get the address. */
function loginNotice(servers: string): string {
  const example = `${toolPrefixOf(servers.split(', ')[0] ?? '')}login`;
  return `Needs authorization, tools unknown: ${servers}; a person logs in with \`playbook-mcp tools login <server>\`, or at the address that executing e.g. ${example} gives.`;
}
