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
  /** False where as many repositories are searched at once as there are cores. */
  readonly hasThreads: boolean;
}

export type GrepOutcome =
  | { readonly kind: 'searched'; readonly records: readonly GrepRecord[]; readonly isComplete: boolean }
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

/**
 * Searches one repository until it has so many matching lines.
 * @throws PlaybookError `tools/unavailable` where there is no git.
 */
export async function grepRepository(
  repository: Repository,
  plan: GrepPlan,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<GrepOutcome> {
  const { query, env } = plan;
  const records: GrepRecord[] = [];
  const enough = new AbortController();
  let matches = 0;
  const reader = new GrepReader((record) => {
    if (enough.signal.aborted || !query.accepts(record.path)) return;
    records.push(record);
    if (!record.isMatch) return;
    matches += 1;
    if (matches >= most) enough.abort();
  });
  if (signal.aborted) return { kind: 'stopped' };
  const child = spawnGit(grepArguments(plan), { cwd: repository.path, env });
  const stop = AbortSignal.any([signal, enough.signal]);
  try {
    const { code, stderr } = await endOfGit(child, { signal: stop, onOutput: (chunk) => reader.push(chunk) });
    if (enough.signal.aborted) return { kind: 'searched', records, isComplete: false };
    if (signal.aborted) return { kind: 'stopped' };
    // 1 is git's way to say that nothing was found.
    if (code === 0 || code === 1) return { kind: 'searched', records, isComplete: true };
    return { kind: 'failed', reason: reasonOf(stderr) || `git ended with code ${code ?? 'none'}` };
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

function noGit(cause: unknown): PlaybookError {
  return new PlaybookError('tools/unavailable', `git cannot be started: ${messageOf(cause)}.`, {
    hint: 'Install git, or put it on the PATH of this server.',
    cause,
  });
}
