import { createHash } from 'node:crypto';

import { closestIds } from '../../catalog/closest.ts';
import type { Env, TagRule } from '../../config/index.ts';
import { PlaybookError } from '../../errors.ts';
import type { JsonObject, WrappedTool } from '../../model.ts';
import { matchesGlob } from '../globs.ts';
import { digestOf } from '../json.ts';
import type { CallOptions, ToolProvider } from '../provider.ts';
import { tagsOf } from '../tags.ts';
import { gitEnvironment } from './git.ts';
import { patternOf } from './grep.ts';
import type { SearchPlace } from './page.ts';
import { parseReadArguments, readInputSchema, readLines } from './read.ts';
import { findRepositories, type FoundRepositories, type Repository } from './repositories.ts';
import { type CodeQuery, parseSearchArguments, searchInputSchema } from './search-arguments.ts';
import { searchText } from './search-text.ts';
import { searchRepositories } from './search.ts';

/** The list of repositories is good for so long: an agent searches in bursts, and a new clone should soon be found. */
const LIST_HOLDS_MS = 15_000;
const DEFAULT_BUDGET_MS = 30_000;

export interface CodeOptions {
  /** Absolute directories; no tools where there are none. */
  readonly roots: readonly string[];
  readonly tagRules: readonly TagRule[];
  readonly env: Env;
  /** Milliseconds that one page of a search may take; 30,000 by default. */
  readonly budgetMs?: number;
}

/** `code__search` and `code__read` over the git repositories below some roots, until it is closed. */
export class Code implements ToolProvider {
  readonly #options: CodeOptions;
  readonly #env: Readonly<Record<string, string>>;
  readonly #tools: readonly WrappedTool[];
  readonly #closing = new AbortController();
  #list: { readonly found: Promise<FoundRepositories>; readonly at: number } | undefined;

  constructor(options: CodeOptions) {
    this.#options = options;
    this.#env = gitEnvironment(options.env);
    this.#tools = options.roots.length === 0 ? [] : builtInTools(options.tagRules);
  }

  tools(): readonly WrappedTool[] {
    return this.#tools;
  }

  /**
   * @throws PlaybookError `tools/invalid-arguments`, `tools/unavailable`, `tools/cancelled`, `search/bad-cursor`,
   *   `code/unknown-repository`, `code/refused`, `code/unreadable`.
   */
  async call(id: string, args: JsonObject, { signal }: CallOptions = {}): Promise<JsonObject> {
    const stop = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    const text = id === READ_ID ? await this.#read(args, stop) : await this.#search(parseSearchArguments(args), stop);
    return { content: [{ type: 'text', text }] };
  }

  /** Ends every search that runs. */
  close(): void {
    this.#closing.abort();
  }

  async #search(query: CodeQuery, signal: AbortSignal): Promise<string> {
    const first = placeOf(query);
    const found = await this.#repositories();
    const wanted = found.repositories.filter(({ name }) => isWanted(name, query.repository));
    const [any] = wanted;
    if (any === undefined) throw nothingToSearch(found, query.repository, this.#options.roots);
    // Where a repository has gone between two pages, the search goes on with the one that would follow it.
    const repositories = wanted.filter(({ name }) => name >= first.repository);
    const { budgetMs = DEFAULT_BUDGET_MS } = this.#options;
    const pattern = await patternOf(query, { cwd: any.path, env: this.#env, signal });
    const plan = { query, pattern, env: this.#env, hasThreads: wanted.length === 1 };
    const page = await searchRepositories({ repositories, plan, first, budgetMs, signal });
    const cursor = page.next && cursorAt(page.next, query);
    const earlierCount = wanted.length - repositories.length;
    return searchText({ page, plan, found, wantedCount: wanted.length, earlierCount, cursor });
  }

  async #read(args: JsonObject, signal: AbortSignal): Promise<string> {
    const request = parseReadArguments(args);
    const { repositories } = await this.#repositories();
    const repository = repositories.find(({ name }) => name === request.repository);
    if (repository === undefined) throw unknownRepository(request.repository, repositories);
    return readLines(repository, request, { env: this.#env, signal });
  }

  async #repositories(): Promise<FoundRepositories> {
    if (this.#list === undefined || performance.now() - this.#list.at > LIST_HOLDS_MS) {
      this.#list = { found: findRepositories(this.#options.roots), at: performance.now() };
    }
    return this.#list.found;
  }
}

const SERVER = 'code';
const SEARCH_ID = 'code__search';
const READ_ID = 'code__read';

const DEFINITIONS = [
  {
    id: READ_ID,
    tool: 'read',
    name: 'Read code',
    description:
      'Read a file, or some lines of it, of any git repository on this machine that code search covers. Use after ' +
      'code__search, with the repository and path that it gave.',
    inputSchema: readInputSchema,
  },
  {
    id: SEARCH_ID,
    tool: 'search',
    name: 'Search code',
    description:
      'Search the source code of all git repositories at once (grep) by text or regular expression, path, language and ' +
      'repository: who uses this function, flag, endpoint or package across the whole organisation, and how others did it. ' +
      'Results are grouped by repository. Looks at files as they are checked out, committed or new; not at what .gitignore ' +
      'excludes, nor binary files.',
    inputSchema: searchInputSchema,
  },
];

function builtInTools(tagRules: readonly TagRule[]): readonly WrappedTool[] {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return DEFINITIONS.map(({ id, tool, name, description, inputSchema }) => ({
    id,
    server: SERVER,
    tool,
    name,
    description,
    tags: tagsOf({ id, server: SERVER, tool, annotations, serverTags: [], tagRules }),
    inputSchema,
    annotations,
    digest: digestOf({ name: tool, description, inputSchema }),
  }));
}

function isWanted(name: string, pattern: string | undefined): boolean {
  if (pattern === undefined || pattern === '') return true;
  // A bare last segment is what people call a repository.
  return matchesGlob(pattern, name) || matchesGlob(pattern, name.slice(name.lastIndexOf('/') + 1));
}

function nothingToSearch(
  { repositories, unreadable }: FoundRepositories,
  wanted: string | undefined,
  roots: readonly string[],
): PlaybookError {
  if (wanted !== undefined && repositories.length > 0) return unknownRepository(wanted, repositories);
  const where = unreadable.length > 0 ? ` (cannot be read: ${unreadable.join(', ')})` : '';
  return new PlaybookError('code/unknown-repository', `There is no git repository below ${roots.join(', ')}${where}.`, {
    hint: 'Correct `code.roots` in the configuration.',
  });
}

function unknownRepository(wanted: string, repositories: readonly Repository[]): PlaybookError {
  const closest = closestIds(
    repositories.map(({ name }) => name),
    wanted,
  );
  return new PlaybookError('code/unknown-repository', `No repository is called "${wanted}".`, {
    hint: closest.length > 0 ? `Did you mean ${closest.join(', ')}?` : 'code__search without repository names them.',
  });
}

function cursorAt({ repository, skip }: SearchPlace, query: CodeQuery): string {
  return `${skip}.${fingerprint(query)}.${repository}`;
}

/** Where the cursor says to go on; '' sorts before every name. */
function placeOf(query: CodeQuery): SearchPlace {
  if (query.cursor === undefined || query.cursor === '') return { repository: '', skip: 0 };
  const [, skip, mark, repository] = /^(\d{1,9})\.(\w+)\.(.+)$/.exec(query.cursor.trim()) ?? [];
  if (repository !== undefined && mark === fingerprint(query)) return { repository, skip: Number(skip) };
  throw new PlaybookError('search/bad-cursor', `The cursor "${query.cursor}" does not belong to this search.`, {
    hint: 'Give the same arguments as in the search that handed it out, or leave it out to begin anew.',
  });
}

/** Two searches with one fingerprint find the same lines; how many are shown at once may differ. */
function fingerprint({ query, regex, ignoreCase, path, language, repository }: CodeQuery): string {
  return createHash('sha256')
    .update(JSON.stringify([query, regex, ignoreCase, path, language, repository]))
    .digest('hex')
    .slice(0, 6);
}
