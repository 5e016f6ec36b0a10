import { pathToFileURL } from 'node:url';
import type { Workspace } from '../files/workspace.ts';
import type { Caller } from './mcp-server.ts';

/** The roots that upstream servers are told. */
export function rootsIn(workspace: Workspace | undefined): readonly string[] {
  if (workspace === undefined) return [];
  const roots = rootsOf.get(workspace) ?? [pathToFileURL(workspace.directory).href];
  rootsOf.set(workspace, roots);
  return roots;
}

const rootsOf = new WeakMap<Workspace, readonly string[]>();

/** Of a caller that has none to tell. */
export const noRoots: Caller['roots'] = () => Promise.resolve([]);
