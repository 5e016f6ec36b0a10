import type { Diagnostic, Playbook, PlaybookEntry, Severity } from '../../model.ts';
import type { BrokenPlaybook } from '../../playbooks/broken.ts';
import { type Catalog, entryAlone } from '../catalog.ts';
import { type DuplicatePair, findDuplicates } from '../duplicates/find.ts';
import type { Tokenize } from '../duplicates/terms.ts';
import { groupBy } from '../group.ts';
import { compareIds } from '../order.ts';
import { applyDirectives, type RuleFinding } from './directives.ts';
import { toLintFile } from './file.ts';
import { ALL_RULES, LINT_RULES } from './rules.ts';
import type { LintContext, LintRule } from './types.ts';

/** How loudly rules speak where it is other than their own severity; `off` silences one. */
export type RuleLevels = ReadonlyMap<string, Severity | 'off'>;

/** What is linted, and what is known about it. */
export interface LintInput {
  /** Everything that the playbooks may refer to. */
  readonly catalog: Catalog;
  /** The bytes of the files that are linted, by playbook. */
  readonly files: ReadonlyMap<Playbook, Uint8Array>;
  /** The bytes of the files among them that are no playbooks because something is wrong with them. */
  readonly broken: ReadonlyMap<BrokenPlaybook, Uint8Array>;
  /** What loading them has reported; what belongs to no rule of lint is left out. */
  readonly reported: readonly Diagnostic[];
  readonly levels: RuleLevels;
  /** Splits text into words, for the search of duplicates. */
  readonly tokenize: Tokenize;
  /** See `LintContext`. */
  readonly listedServers: ReadonlySet<string>;
  /** See `LintContext`. */
  readonly hasFile: LintContext['hasFile'];
  /** Told after each file, for a display of progress. */
  readonly onFile?: (done: number) => void;
}

export interface LintReport {
  /** By path, then place, then rule. */
  readonly diagnostics: readonly Diagnostic[];
  /** What could not be checked, a sentence each. */
  readonly notes: readonly string[];
}

/** One rule's findings in one file, beyond which they are only counted: a generated file must not bury the others. */
const MOST_FINDINGS = 50;
const GRAVITY: readonly Severity[] = ['info', 'warning', 'error'];
const RULE_IDS = ALL_RULES.map(({ id }) => id);
const SEVERITIES = new Map(ALL_RULES.map(({ id, severity }) => [id, severity]));

/** Runs every rule over the files and gives what they find, as the levels and the files' own comments will have it. */
export function lintCatalog(input: LintInput): LintReport {
  const { catalog, files, broken, levels, onFile } = input;
  const notes = new Set<string>();
  const context = toContext(input, notes);
  const reportedByPath = groupBy(
    input.reported.filter(({ rule }) => SEVERITIES.has(rule)),
    ({ path }) => path,
  );
  const diagnostics: Diagnostic[] = [];
  let done = 0;
  for (const entry of catalog.entries) {
    const bytes = entry.kind === 'playbook' ? files.get(entry.playbook) : undefined;
    if (entry.kind !== 'playbook' || bytes === undefined) continue;
    const { path } = entry.playbook;
    diagnostics.push(
      ...lintFile(entry, { bytes, reported: reportedByPath.get(path) ?? [], levels, context, has: 'playbook' }),
    );
    reportedByPath.delete(path);
    done += 1;
    onFile?.(done);
  }
  for (const [{ playbook, hasFields }, bytes] of broken) {
    const has = hasFields ? 'fields' : 'text';
    const reported = reportedByPath.get(playbook.path) ?? [];
    diagnostics.push(...lintFile(entryAlone(playbook), { bytes, reported, levels, context, has }));
    reportedByPath.delete(playbook.path);
  }
  // Files that are not meant to be playbooks, or cannot be read at all, and folders.
  const others = [...reportedByPath.values()]
    .flat()
    .flatMap(({ path, severity, ...finding }) => toDiagnostic({ ...finding, atMost: severity }, path, levels));
  return { diagnostics: inOrder([...diagnostics, ...others]), notes: [...notes].toSorted(compareIds) };
}

interface FileInput {
  readonly bytes: Uint8Array;
  readonly reported: readonly Diagnostic[];
  readonly levels: RuleLevels;
  readonly context: LintContext;
  /** See `LintRule.needs`. */
  readonly has: 'text' | 'fields' | 'playbook';
}

const LACKED = { text: ['fields', 'playbook'], fields: ['playbook'], playbook: [] } as const satisfies Record<
  FileInput['has'],
  readonly LintRule['needs'][]
>;

function lintFile(entry: PlaybookEntry, { bytes, reported, levels, context, has }: FileInput): readonly Diagnostic[] {
  const file = toLintFile(entry, bytes);
  const lacked: readonly LintRule['needs'][] = LACKED[has];
  const isRun = ({ id, needs }: LintRule): boolean => levels.get(id) !== 'off' && !lacked.includes(needs);
  const found = LINT_RULES.filter(isRun).flatMap((rule) =>
    bounded(rule.check(file, context).map((finding): RuleFinding => ({ ...finding, rule: rule.id }))),
  );
  const known: readonly RuleFinding[] = [
    ...reported.map(({ severity, ...rest }) => ({ ...rest, atMost: severity })),
    ...found,
  ];
  const skipped = LINT_RULES.filter((rule) => !isRun(rule)).map(({ id }) => id);
  const checked = RULE_IDS.filter((id) => levels.get(id) !== 'off' && !skipped.includes(id));
  return applyDirectives(file, known, { all: RULE_IDS, checked }).flatMap((finding) =>
    toDiagnostic(finding, entry.playbook.path, levels),
  );
}

function bounded(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const last = findings[MOST_FINDINGS - 1];
  if (last === undefined || findings.length <= MOST_FINDINGS) return findings;
  const more = { ...last, message: `${last.message} And ${findings.length - MOST_FINDINGS} more like it below.` };
  return [...findings.slice(0, MOST_FINDINGS - 1), more];
}

/** A finding at the level that the configuration gives its rule; none where it is off. */
function toDiagnostic({ atMost, ...finding }: RuleFinding, path: string, levels: RuleLevels): readonly Diagnostic[] {
  const level = levels.get(finding.rule) ?? SEVERITIES.get(finding.rule) ?? 'warning';
  if (level === 'off') return [];
  const isMilder = atMost !== undefined && GRAVITY.indexOf(atMost) < GRAVITY.indexOf(level);
  return [{ ...finding, path, severity: isMilder ? atMost : level }];
}

function toContext({ catalog, files, listedServers, hasFile, tokenize }: LintInput, notes: Set<string>): LintContext {
  let pairs: ReadonlyMap<PlaybookEntry, readonly DuplicatePair[]> | undefined;
  return {
    catalog,
    listedServers,
    hasFile,
    duplicatesOf: (entry) => {
      pairs ??= pairsByEntry(catalog, tokenize);
      return pairs.get(entry) ?? [];
    },
    isLinted: (playbook) => files.has(playbook),
    note: (text) => void notes.add(text),
  };
}

function pairsByEntry(catalog: Catalog, tokenize: Tokenize): ReadonlyMap<PlaybookEntry, readonly DuplicatePair[]> {
  const pairs = findDuplicates(catalog, { tokenize });
  return groupEach(pairs.flatMap((pair) => [[pair.a, pair] as const, [pair.b, pair] as const]));
}

function groupEach<Key, Value>(entries: readonly (readonly [Key, Value])[]): ReadonlyMap<Key, readonly Value[]> {
  const groups = groupBy(entries, ([key]) => key);
  return new Map([...groups].map(([key, group]) => [key, group.map(([, value]) => value)]));
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => compareIds(a.path, b.path) || a.line - b.line || a.column - b.column || compareIds(a.rule, b.rule),
  );
}
