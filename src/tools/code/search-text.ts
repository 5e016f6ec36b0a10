import type { GrepPlan } from './grep.ts';
import type { RepositoryMatches, SearchPage } from './page.ts';
import type { GrepRecord } from './records.ts';
import type { FoundRepositories } from './repositories.ts';

const MOST_NAMED = 10;

export interface SearchTextParts {
  readonly page: SearchPage;
  readonly plan: GrepPlan;
  readonly found: FoundRepositories;
  /** Repositories that the `repository` argument lets through. */
  readonly wantedCount: number;
  /** Of those, the ones that earlier pages have searched. */
  readonly earlierCount: number;
  readonly cursor: string | undefined;
}

/** A page as text: `# repository`, its files, their lines as `12: text` (`12- text` around a match); then what was and was not searched. */
export function searchText(parts: SearchTextParts): string {
  return [
    ...parts.page.found.map((matches) => repositoryText(matches, parts.plan.query.contextLines > 0)),
    footOf(parts),
  ].join('\n\n');
}

function repositoryText({ repository, records }: RepositoryMatches, hasContext: boolean): string {
  const lines = [`# ${repository.name}`];
  let before: GrepRecord | undefined;
  for (const record of records) {
    if (record.path !== before?.path) lines.push(shownPath(record.path));
    else if (hasContext && record.line > before.line + 1) lines.push('  …');
    lines.push(`  ${record.line}${record.isMatch ? ':' : '-'} ${record.text}`.trimEnd());
    before = record;
  }
  return lines.join('\n');
}

/** A path is one line, whatever is in it. */
function shownPath(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}

function footOf({ page, plan, found, wantedCount, earlierCount, cursor }: SearchTextParts): string {
  const files = page.found.reduce((sum, { records }) => sum + new Set(records.map(({ path }) => path)).size, 0);
  const end = earlierCount + page.searchedCount;
  return [
    page.matchCount === 0
      ? 'Nothing found.'
      : `${count(page.matchCount, 'matching line')} in ${count(files, 'file')} of ${count(page.found.length, 'repository')}.`,
    `Searched ${earlierCount > 0 ? `${earlierCount + 1}–${end}` : end} of ${count(wantedCount, 'repository')}${whyNotAll(page)}`,
    ...(cursor === undefined ? [] : [`More: cursor "${cursor}".`]),
    ...(plan.pattern === '-E'
      ? ['git here knows no Perl-compatible expressions: this one was read as POSIX extended (no \\d, no lookahead).']
      : []),
    ...notSearched(page, found),
  ].join('\n');
}

function whyNotAll({ stoppedBy }: SearchPage): string {
  if (stoppedBy === 'limit') return ' before the page was full.';
  return stoppedBy === 'time' ? ' before the time was up.' : '.';
}

/** Everything that a reader might take for searched. */
function notSearched({ failed }: SearchPage, { bare, unreadable, isCut }: FoundRepositories): readonly string[] {
  return [
    'Not searched: files that .gitignore excludes, binary files, other commits and branches.',
    ...(failed.length === 0
      ? []
      : [
          `Failed: ${named(
            failed.map(({ repository, reason }) => `${repository.name} (${reason})`),
            '; ',
          )}.`,
        ]),
    ...(bare.length === 0 ? [] : [`Without a working tree, not searched: ${named(bare, ', ')}.`]),
    ...(unreadable.length === 0 ? [] : [`Roots that cannot be read: ${named(unreadable, ', ')}.`]),
    ...(isCut ? ['There are too many folders below the roots to look for repositories in all of them.'] : []),
  ];
}

function named(names: readonly string[], separator: string): string {
  const rest = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(separator) + (rest > 0 ? `${separator}and ${rest} more` : '');
}

function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
