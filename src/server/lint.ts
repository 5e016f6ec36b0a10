import { buildCatalog, type Catalog } from '../catalog/catalog.ts';
import { fixFile } from '../catalog/lint/fix.ts';
import { lintCatalog, type LintReport, type RuleLevels } from '../catalog/lint/lint.ts';
import { inBatches } from '../files/bounded.ts';
import { FILES_AT_ONCE, readSourceFile } from '../files/read.ts';
import { scanSources } from '../files/scan.ts';
import { possibleSources } from '../files/sources.ts';
import { PlaybookError } from '../errors.ts';
import type { Diagnostic, Playbook, Source, SourceFile } from '../model.ts';
import { type BrokenPlaybook, readBroken } from '../playbooks/broken.ts';
import { parsePlaybook } from '../playbooks/parse.ts';
import { rewriteFiles } from '../files/rewrite-file.ts';
import { tokenize } from '../search/tokenize.ts';
import { missingFiles, pathBeside } from './linked-files.ts';
import { chooseFiles, type LintScope } from './lint-scope.ts';
import { levelsOf, openLintSetup } from './lint-setup.ts';
import { knownTools } from './lint-tools.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** What a person asks for. */
export interface LintRequest {
  readonly options: RuntimeOptions;
  /** Files and folders, as written; none for the workspace's and the configured sources. */
  readonly paths: readonly string[];
  /** Every source, the user's own and the starter included. */
  readonly all: boolean;
  /** Levels that win over every configuration. */
  readonly levels: RuleLevels;
  /** Told now and then how far it is; `total` is 0 while that is not known. */
  readonly onProgress: (step: 'reading' | 'checking', done: number, total: number) => void;
}

export interface LintOutcome extends LintReport {
  /** How many playbooks were looked at. */
  readonly fileCount: number;
}

/** What was found, and in what, so that it can be mended without reading everything again. */
export interface LintRun extends LintOutcome {
  /** The playbooks that were looked at, by path. */
  readonly files: ReadonlyMap<string, SourceFile>;
}

/** One mended file. */
export interface FixedFile {
  readonly path: string;
  readonly rules: readonly string[];
}

/**
 * Loads everything that a playbook may refer to and lints what was asked for. Neither the search index nor an upstream server is
 * needed for it, so none is made or started.
 *
 * @throws PlaybookError `config/not-json`, `config/not-found`, `source/not-found`, `workspace/not-found`, `lint/no-playbooks`.
 */
export async function lintPlaybooks(request: LintRequest): Promise<LintRun> {
  const loaded = await loadForLint(request);
  const run = await lintLoaded(loaded, loaded.scope, request.onProgress);
  if (run.fileCount === 0 && !loaded.reported.some(({ path }) => loaded.scope.has(path)))
    throw nothingIn(request.paths);
  return run;
}

/** Lints some of what was loaded. */
export async function lintLoaded(
  { catalog, files, broken, reported, levels, listedServers, notes }: LoadedForLint,
  scope: LintScope,
  onProgress: LintRequest['onProgress'],
): Promise<LintRun> {
  const chosen = new Map([...files].filter(([playbook]) => scope.has(playbook.path, playbook.realPath)));
  const chosenBroken = [...broken].filter(([{ playbook }]) => scope.has(playbook.path, playbook.realPath));
  const looked = [...chosen.keys(), ...chosenBroken.map(([{ playbook }]) => playbook)];
  const missing = await missingFiles(catalog, looked);
  const report = lintCatalog({
    catalog,
    files: new Map([...chosen].map(([playbook, { bytes }]) => [playbook, bytes])),
    broken: new Map(chosenBroken.map(([each, { bytes }]) => [each, bytes])),
    reported: reported.filter(({ path }) => scope.has(path)),
    levels: levels.levels,
    listedServers,
    tokenize,
    hasFile: (playbook, file) => !missing.has(pathBeside(playbook, file)),
    onFile: (done) => onProgress('checking', done, chosen.size),
  });
  return {
    diagnostics: [...levels.diagnostics, ...report.diagnostics],
    notes: [...notes, ...report.notes],
    fileCount: chosen.size,
    files: new Map([...chosen].map(([{ path }, file]) => [path, file])),
  };
}

/**
 * Mends what can be mended without changing what a playbook says, each file at once or not at all.
 * @returns the files that were written, in the order of the diagnostics
 * @throws PlaybookError `files/unwritable`; files before it stay mended.
 */
export async function fixPlaybooks({
  diagnostics,
  files,
}: Pick<LintRun, 'diagnostics' | 'files'>): Promise<readonly FixedFile[]> {
  const fixed: FixedFile[] = [];
  for (const path of new Set(diagnostics.map((diagnostic) => diagnostic.path))) {
    const file = files.get(path);
    const rules = diagnostics.filter((diagnostic) => diagnostic.path === path).map(({ rule }) => rule);
    const fix = file === undefined ? undefined : fixFile(file, rules);
    if (file === undefined || fix === undefined) continue;
    await rewriteFiles([{ realPath: file.realPath, before: file.bytes, after: fix.bytes }]);
    fixed.push({ path, rules: fix.rules });
  }
  return fixed;
}

/** Everything that there is, and which of it was asked for. */
export interface LoadedForLint {
  /** Most specific first. */
  readonly sources: readonly Source[];
  /** See `possibleSources`. */
  readonly possibleSources: readonly Source[];
  readonly catalog: Catalog;
  readonly files: ReadonlyMap<Playbook, SourceFile>;
  /** What was meant to be playbooks, as far as it can be read. */
  readonly broken: ReadonlyMap<BrokenPlaybook, SourceFile>;
  readonly scope: LintScope;
  readonly reported: readonly Diagnostic[];
  readonly levels: { readonly levels: RuleLevels; readonly diagnostics: readonly Diagnostic[] };
  readonly listedServers: ReadonlySet<string>;
  readonly notes: readonly string[];
}

/** @throws PlaybookError as `lintPlaybooks`, but `lint/no-playbooks` only for a path that does not exist. */
export async function loadForLint({ options, paths, all, levels, onProgress }: LintRequest): Promise<LoadedForLint> {
  const setup = await openLintSetup(options);
  const { sources, scope } = await chooseFiles(setup, { options, paths, all });
  const read = await readAll(sources, onProgress);
  const tools = await knownTools(setup.config, options);
  const catalog = buildCatalog({
    playbooks: [...read.files.keys()],
    tools: tools.tools,
    quarantined: tools.quarantined,
    retired: setup.config.retired,
    toolPrefixes: tools.prefixes,
  });
  return {
    sources,
    possibleSources: possibleSources(setup.config, setup.workspace),
    catalog,
    files: read.files,
    broken: read.broken,
    scope,
    reported: [...setup.diagnostics, ...read.diagnostics, ...catalog.diagnostics],
    levels: levelsOf(setup, levels),
    listedServers: tools.listedServers,
    notes: setup.notes,
  };
}

async function readAll(
  sources: readonly Source[],
  onProgress: LintRequest['onProgress'],
): Promise<Pick<LoadedForLint, 'files' | 'broken'> & { readonly diagnostics: readonly Diagnostic[] }> {
  const scan = await scanSources(sources);
  const files = new Map<Playbook, SourceFile>();
  const broken = new Map<BrokenPlaybook, SourceFile>();
  const diagnostics = [...scan.diagnostics];
  let done = 0;
  for await (const result of inBatches(scan.found, FILES_AT_ONCE, readSourceFile)) {
    done += 1;
    if (done % FILES_AT_ONCE === 0) onProgress('reading', done, scan.found.length);
    if (result.kind === 'unreadable') {
      diagnostics.push(result.diagnostic);
      continue;
    }
    const outcome = parsePlaybook(result.file);
    if (outcome.kind === 'playbook') files.set(outcome.playbook, result.file);
    if (outcome.kind === 'unreadable') broken.set(readBroken(result.file), result.file);
    if (outcome.kind !== 'ignored') diagnostics.push(...outcome.diagnostics);
  }
  return { files, broken, diagnostics };
}

function nothingIn(paths: readonly string[]): PlaybookError {
  const where = paths.length === 0 ? 'the workspace and the configured sources' : paths.join(', ');
  return new PlaybookError('lint/no-playbooks', `There is no playbook in ${where}.`, {
    hint:
      paths.length === 0
        ? 'Name a file or folder, or use --all; `playbook-mcp doctor` tells where playbooks are looked for.'
        : 'A playbook is a markdown file that begins with front matter, and no other file of a skill’s folder than its SKILL.md.',
  });
}
