import type { TagRule } from '../config/index.ts';
import type { ToolAnnotations } from '../model.ts';
import { matchesGlob } from './globs.ts';

/** What a tool's tags are made of. */
export interface TagSources {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly annotations: ToolAnnotations;
  /** Tags that the configuration gives to the whole server. */
  readonly serverTags: readonly string[];
  readonly tagRules: readonly TagRule[];
}

/**
 * The tags of a tool without repeats: those of its server, those of the rules that fit its id, then what can be inferred.
 * `domain:` and `action:` are inferred only where nobody said them, so that a catalog is tag-indexed even for servers that know no tags.
 */
export function tagsOf(sources: TagSources): readonly string[] {
  const rules = sources.tagRules.filter((rule) => matchesGlob(rule.match, sources.id));
  const given = [...sources.serverTags, ...rules.flatMap((rule) => rule.tags)];
  const inferred: string[] = [];
  if (!given.some((tag) => tag.startsWith('domain:'))) inferred.push(`domain:${slug(sources.server)}`);
  if (!given.some((tag) => tag.startsWith('action:'))) {
    const action = actionOf(sources.tool, sources.annotations);
    if (action !== undefined) inferred.push(`action:${action}`);
  }
  return [...new Set([...given, ...inferred])];
}

/** Verbs that tools are named by, under the one word that an agent would filter by. */
const VERBS = new Map(
  Object.entries({
    read: ['read', 'get', 'list', 'show', 'fetch', 'view', 'describe', 'download', 'load', 'open', 'inspect', 'stat'],
    search: ['search', 'find', 'query', 'lookup', 'grep', 'match'],
    create: ['create', 'add', 'new', 'insert', 'make', 'generate', 'fork', 'clone', 'register'],
    update: [
      'update',
      'edit',
      'set',
      'patch',
      'modify',
      'write',
      'rename',
      'move',
      'replace',
      'merge',
      'upsert',
      'assign',
    ],
    delete: ['delete', 'remove', 'drop', 'purge', 'clear', 'destroy', 'unregister'],
    run: ['run', 'execute', 'exec', 'start', 'stop', 'restart', 'trigger', 'invoke', 'deploy', 'cancel'],
    send: ['send', 'post', 'publish', 'notify', 'reply', 'comment', 'upload', 'push'],
  }).flatMap(([action, verbs]) => verbs.map((verb): [string, string] => [verb, action])),
);

function actionOf(tool: string, annotations: ToolAnnotations): string | undefined {
  const words =
    tool
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const verb = words.find((word) => VERBS.has(word));
  const action = verb === undefined ? undefined : VERBS.get(verb);
  const isReading = action === 'read' || action === 'search';
  // What the author says of the effect outweighs what a name suggests: `open_issue` may well create one.
  if (annotations.readOnlyHint === true) return isReading ? action : 'read';
  if (annotations.readOnlyHint === false && isReading) return undefined;
  return action;
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
