import { messageOf, PlaybookError } from '../../errors.ts';
import { endOfGit, spawnGit } from './git.ts';
import { type GrepRecord, GrepReader } from './records.ts';
import type { Repository } from './repositories.ts';
import type { CodeQuery } from './search-arguments.ts';

/** How one repository is searched, the same for all. */
export interface GrepPlan {
  readonly query: CodeQuery;
  /** `-F` text, `-P` Perl-compatible, `-E` POSIX extended where git knows no other. */
  readonly pattern: '-F' | '-P' | '-E';
  readonly env: Readonly<Record<string, string>>;
  /** Whether git may use every core: false where several repositories are searched at once. */
  readonly hasThreads: boolean;
}

export type GrepOutcome =
  | { readonly kind: 'searched'; readonly records: readonly GrepRecord[] }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Ended from outside before it was done. */
  | { readonly kind: 'stopped' };

/**
 * The arguments of `git grep` for a query: tracked files and new ones, as they are in the working tree, but not what
 * `.gitignore` excludes nor binary files.
 */
export function grepArguments({ query, pattern, hasThreads }: Omit<GrepPlan, 'env'>): readonly string[] {
  return [
    'grep',
    '--untracked',
    '--no-recurse-submodules',
    '--no-color',
    '--full-name',
    '-I',
    '-z',
    '-n',
    '--column',
    ...(hasThreads ? [] : ['--threads=1']),
    ...(query.contextLines > 0 ? [`-C${query.contextLines}`] : []),
    ...(query.ignoreCase ? ['-i'] : []),
    pattern,
    '-e',
    query.query,
    '--',
    ...query.pathspecs,
  ];
}

/** What one run is bound by. */
export interface GrepRun {
  /** Matching lines after which it ends. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Takes the lines of one repository until there are enough. */
export class MatchCollector {
  readonly #query: CodeQuery;
  readonly #most: number;
  readonly #records: GrepRecord[] = [];
  #matches = 0;

  constructor(query: CodeQuery, most: number) {
    this.#query = query;
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#matches >= this.#most;
  }

  add(record: GrepRecord): void {
    if (this.isFull || !this.#query.accepts(record.path)) return;
    this.#records.push(record);
    if (record.isMatch) this.#matches += 1;
  }

  /** @param code exit code of git, which is 1 where nothing was found. */
  outcome(code: number | null, stderr: string): GrepOutcome {
    if (this.isFull || code === 0 || code === 1) return { kind: 'searched', records: this.#records };
    return { kind: 'failed', reason: reasonOf(stderr) || `git ended with code ${code ?? 'none'}` };
  }
}

/**
 * Searches one repository by a git process of its own until it has so many matching lines.
 * @throws PlaybookError `tools/unavailable` where there is no git.
 */
export async function grepRepository(repository: Repository, plan: GrepPlan, run: GrepRun): Promise<GrepOutcome> {
  const { query, env } = plan;
  const { most, signal } = run;
  const enough = new AbortController();
  const collector = new MatchCollector(query, most);
  const reader = new GrepReader((record) => {
    collector.add(record);
    if (collector.isFull) enough.abort();
  });
  if (signal.aborted) return { kind: 'stopped' };
  const child = spawnGit(grepArguments(plan), { cwd: repository.path, env });
  const stop = AbortSignal.any([signal, enough.signal]);
  try {
    const { code, stderr } = await endOfGit(child, { signal: stop, onOutput: (chunk) => reader.push(chunk) });
    return signal.aborted && !collector.isFull ? { kind: 'stopped' } : collector.outcome(code, stderr);
  } catch (error) {
    if (isNotFound(error) && !(await canRunGit(env))) throw noGit(error);
    return { kind: 'failed', reason: messageOf(error) };
  }
}

/**
 * How a query's pattern is to be read, found out by git itself on no file at all.
 * @throws PlaybookError `tools/invalid-arguments` where the expression is wrong, `tools/unavailable` where there is no git.
 */
export async function patternOf(
  query: CodeQuery,
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<GrepPlan['pattern']> {
  if (!query.regex) return '-F';
  const perl = await tryPattern('-P', query.query, where);
  if (perl === undefined) return '-P';
  const problem = /USE_LIBPCRE/.test(perl) ? await tryPattern('-E', query.query, where) : perl;
  if (problem === undefined) return '-E';
  throw new PlaybookError('tools/invalid-arguments', `The regular expression cannot be read: ${problem}`, {
    hint: 'Correct it, or leave regex out to search for the text as it is.',
  });
}

async function tryPattern(
  pattern: '-P' | '-E',
  expression: string,
  { cwd, env, signal }: Parameters<typeof patternOf>[1],
): Promise<string | undefined> {
  const args = ['grep', '-q', pattern, '-e', expression, '--', ':(glob)no/such/file'];
  try {
    const { code, stderr } = await endOfGit(spawnGit(args, { cwd, env }), { signal });
    return code === 0 || code === 1 || signal.aborted ? undefined : reasonOf(stderr);
  } catch (error) {
    throw noGit(error);
  }
}

async function canRunGit(env: GrepPlan['env']): Promise<boolean> {
  // A folder that is gone gives the same error as a program that is not there.
  return endOfGit(spawnGit(['--version'], { cwd: '/', env }), { signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  );
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reasonOf(stderr: string): string {
  return (stderr.split('\n')[0] ?? '').replace(/^fatal: (?:-e option, )?/, '');
}

/** The error that tells that git is missing. */
export function noGit(cause: unknown): PlaybookError {
  return new PlaybookError('tools/unavailable', `git cannot be started: ${messageOf(cause)}.`, {
    hint: 'Install git, or put it on the PATH of this server.',
    cause,
  });
}
