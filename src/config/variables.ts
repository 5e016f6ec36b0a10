import { resolve } from 'node:path';

import type { Node } from 'jsonc-parser';

import { type ConfigDocument, entries, type JsonPath, nodeAt } from './document.ts';
import { expandVariables } from './expand.ts';
import { expandHome } from './paths.ts';
import type { Env } from './types.ts';

/** A value that cannot be used as it is written. */
export interface Problem {
  readonly path: JsonPath;
  readonly message: string;
}

interface Surroundings {
  readonly env: Env;
  readonly homeDirectory: string;
  /** Directory of the configuration file, which relative paths begin at. */
  readonly directory: string;
}

/**
 * The document with variables expanded wherever they count (servers, what HTTP needs, paths) and paths made absolute, and the strings
 * that hold a variable without a value. A server that is switched off is left as written: nobody needs its secrets.
 */
export function expandDocument(
  document: ConfigDocument,
  surroundings: Surroundings,
): { readonly document: ConfigDocument; readonly problems: readonly Problem[] } {
  const replaced = new Map<Node, string>();
  const problems: Problem[] = [];
  for (const { node, path } of expandable(document)) {
    const expansion = expandVariables(String(node.value), surroundings.env, surroundings.homeDirectory);
    if (expansion.kind === 'unresolved') problems.push({ path, message: expansion.reason });
    else replaced.set(node, isPath(document, path) ? absolute(expansion.text, surroundings) : expansion.text);
  }
  return { document: { ...document, replaced }, problems };
}

interface Located {
  readonly node: Node;
  readonly path: JsonPath;
}

function expandable(document: ConfigDocument): readonly Located[] {
  const servers = ['mcpServers', 'servers'].flatMap((section) =>
    entries(document, nodeAt(document, [section]))
      .filter(([, server]) => !isSwitchedOff(document, server))
      .map(([name, node]) => ({ node, path: [section, name] })),
  );
  const commands = entries(document, nodeAt(document, ['commands'])).map(([name]) => ['commands', name, 'cwd']);
  const others = [['sources'], ['http'], ['code', 'roots'], ['usage', 'store'], ...commands].flatMap((path) => {
    const node = nodeAt(document, path);
    return node === undefined ? [] : [{ node, path }];
  });
  return [...servers, ...others].flatMap((located) => strings(document, located));
}

function isSwitchedOff(document: ConfigDocument, server: Node): boolean {
  return entries(document, server).some(([key, value]) => key === 'disabled' && value.value === true);
}

function strings(document: ConfigDocument, { node, path }: Located): readonly Located[] {
  if (node.type === 'string') return [{ node, path }];
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child, index) => strings(document, { node: child, path: [...path, index] }));
  }
  return entries(document, node).flatMap(([key, child]) => strings(document, { node: child, path: [...path, key] }));
}

function isPath(document: ConfigDocument, path: JsonPath): boolean {
  const [section, entry, key] = path;
  if (section === 'code') return true;
  if (section === 'http') return entry === 'tokensFile';
  if (section === 'sources') return key === 'path' && nodeAt(document, [section, entry ?? 0, 'git']) === undefined;
  return path.length === 3 && (key === 'cwd' || key === 'envFile');
}

function absolute(written: string, { homeDirectory, directory }: Surroundings): string {
  return resolve(directory, expandHome(written, homeDirectory));
}
