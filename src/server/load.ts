import { qualifiedIdOf } from '../catalog/catalog.ts';
import { inBatches } from '../files/bounded.ts';
import { isInside } from '../files/places.ts';
import { FILES_AT_ONCE, readSourceFile } from '../files/read.ts';
import { type FoundFile, type Scan, scanSources } from '../files/scan.ts';
import type { ScanMemory } from '../files/scan-memory.ts';
import type { Diagnostic, Playbook, Source } from '../model.ts';
import { parsePlaybook } from '../playbooks/parse.ts';
import { type SearchDocument, toSearchDocument } from '../search/document.ts';
import { forgetWords } from '../search/tokenize.ts';
import { contentDigest } from '../playbooks/digest.ts';

/** The event loop is given back this often, so that a ping or a cancellation is not stuck behind 3,000 files. */
const LONGEST_TURN_MS = 12;
/** Two writes so close to each other may leave one time stamp: a file read this soon after a write is read again the next time. */
const CLOCK_TICK_MS = 50;

/** What a load leaves for the one after it. */
export interface KnownPlaybooks {
  /** In the order of their sources, most specific first; within a source by path. */
  readonly playbooks: readonly Playbook[];
  /** What each file was, by path. */
  readonly files: ReadonlyMap<string, KnownFile>;
}

/** What a list of sources holds. */
export interface LoadedPlaybooks extends KnownPlaybooks {
  readonly diagnostics: readonly Diagnostic[];
  /** The words of the playbooks that the load before did not have, or had with another text. */
  readonly documents: readonly SearchDocument[];
  /** Keys of documents of the load before that hold no longer: of what has gone and of what is in `documents` now. */
  readonly stale: ReadonlySet<string>;
  /** See `Scan.folders`. */
  readonly folders: ReadonlySet<string>;
  /** Files that were parsed; the others are as they were. */
  readonly parsedCount: number;
}

/** A file as it was last read. */
interface KnownFile {
  readonly found: FoundFile;
  /** False where a later write may have left the same stamp. */
  readonly isSettled: boolean;
  /** SHA-256 of the bytes, hex; undefined where they could not be had. */
  readonly digest?: string;
  /** What is served of it: where it cannot be read any more, what it last was. */
  readonly playbook?: Playbook;
  readonly diagnostics: readonly Diagnostic[];
}

interface LoadOptions {
  /** The load before this one: what has not changed since is not read again. */
  readonly before?: KnownPlaybooks;
  /** What the scans before have seen. */
  readonly memory?: ScanMemory;
  /** See `RuntimeOptions`. */
  readonly isSearched?: boolean | undefined;
}

/**
 * Scans, reads, parses and tokenizes the playbooks of the sources. A file that cannot be read hides no other one, and one that
 * could be read by the load before stays what it was then.
 */
export async function loadPlaybooks(
  sources: readonly Source[],
  { before, memory, isSearched = true }: LoadOptions = {},
): Promise<LoadedPlaybooks> {
  const scan = await scanSources(sources, memory);
  const files = new Map<string, KnownFile>();
  const keys = keysOf(before?.playbooks ?? []);
  const documents: SearchDocument[] = [];
  let parsedCount = 0;
  let turnBegan = performance.now();
  const read = (found: FoundFile): ReadOutcome | Promise<ReadOutcome> => readUnlessKnown(found, before?.files);
  for await (const { file, isParsed } of inBatches(scan.found, FILES_AT_ONCE, read)) {
    files.set(file.found.path, file);
    if (isParsed) parsedCount += 1;
    if (isSearched && file.playbook !== undefined && keys.get(qualifiedIdOf(file.playbook)) !== file.playbook.digest) {
      documents.push(documentOf(file.playbook));
    }
    if (performance.now() - turnBegan > LONGEST_TURN_MS) {
      await new Promise(setImmediate);
      turnBegan = performance.now();
    }
  }
  for (const file of unseen(scan, before)) files.set(file.found.path, file);
  forgetWords();
  const playbooks = playbooksIn(files, sources);
  const now = keysOf(playbooks);
  return {
    playbooks,
    diagnostics: [...scan.diagnostics, ...[...files.values()].flatMap(({ diagnostics }) => diagnostics)],
    documents,
    stale: new Set([...keys].flatMap(([key, digest]) => (now.get(key) === digest ? [] : [key]))),
    folders: scan.folders,
    files,
    parsedCount,
  };
}

/** In the order of their sources: what an unreadable folder held was added last. */
function playbooksIn(files: KnownPlaybooks['files'], sources: readonly Source[]): readonly Playbook[] {
  const playbooks = [...files.values()].flatMap(({ playbook }) => playbook ?? []);
  const rank = new Map(sources.map(({ name }, index) => [name, index]));
  return playbooks.sort((a, b) => (rank.get(a.source.name) ?? 0) - (rank.get(b.source.name) ?? 0));
}

function keysOf(playbooks: readonly Playbook[]): ReadonlyMap<string, string> {
  return new Map(playbooks.map((playbook) => [qualifiedIdOf(playbook), playbook.digest]));
}

/** What lies in folders that could be listed before and cannot now, for want of file handles, say; and what has become too large to be read. */
function unseen({ found, diagnostics }: Scan, before: KnownPlaybooks | undefined): readonly KnownFile[] {
  const pathsOf = (wanted: string): readonly string[] =>
    diagnostics.filter(({ rule }) => rule === wanted).map(({ path }) => path);
  const [folders, tooLarge] = [pathsOf('unreadable-folder'), new Set(pathsOf('file-too-large'))];
  if (folders.length + tooLarge.size === 0 || before === undefined) return [];
  const ids = new Set(found.map(({ source, id }) => qualifiedIdOf({ source, id })));
  const gone = [...before.files.values()].filter(
    ({ found: { source, id } }) => !ids.has(qualifiedIdOf({ source, id })),
  );
  return gone.flatMap((known) => {
    const { path } = known.found;
    if (tooLarge.has(path)) return [lastGood({ found: known.found, isSettled: false, diagnostics: [] }, known)];
    return folders.some((folder) => isInside(path, folder)) ? [known] : [];
  });
}

interface ReadOutcome {
  readonly file: KnownFile;
  readonly isParsed: boolean;
}

function readUnlessKnown(
  found: FoundFile,
  before: KnownPlaybooks['files'] | undefined,
): ReadOutcome | Promise<ReadOutcome> {
  const known = before?.get(found.path);
  return known !== undefined && isAsBefore(found, known) ? { file: known, isParsed: false } : readOne(found, known);
}

function isAsBefore(found: FoundFile, { found: known, isSettled }: KnownFile): boolean {
  return isSettled && found.stamp === known.stamp && isSamePlace(found, known);
}

/** Whether the same bytes would make the same playbook. */
function isSamePlace(found: FoundFile, known: FoundFile): boolean {
  return (
    found.id === known.id &&
    found.source === known.source &&
    found.shape === known.shape &&
    found.realPath === known.realPath &&
    found.supportingFiles.join('\n') === known.supportingFiles.join('\n')
  );
}

async function readOne(found: FoundFile, known: KnownFile | undefined): Promise<ReadOutcome> {
  const read = await readSourceFile(found);
  if (read.kind === 'unreadable') {
    const broken = { found, isSettled: false, diagnostics: [read.diagnostic] };
    return { file: lastGood(broken, known), isParsed: false };
  }
  const isSettled = Date.now() - found.mtimeMs > CLOCK_TICK_MS;
  const digest = contentDigest(read.file.bytes);
  const state = { found, isSettled, digest };
  if (known?.digest === digest && isSamePlace(found, known.found)) {
    return { file: { ...known, ...state }, isParsed: false };
  }
  const outcome = parsePlaybook(read.file);
  switch (outcome.kind) {
    case 'playbook':
      return { file: { ...state, playbook: outcome.playbook, diagnostics: outcome.diagnostics }, isParsed: true };
    case 'unreadable':
      return { file: lastGood({ ...state, diagnostics: outcome.diagnostics }, known), isParsed: true };
    case 'ignored': {
      const none = { ...state, diagnostics: [] };
      // Most programs empty a file before they write it, and a scan may come between.
      return { file: outcome.reason === 'empty' ? lastGood(none, known) : none, isParsed: true };
    }
  }
}

/** A file that cannot be used, served as it last was. */
function lastGood(broken: KnownFile, known: KnownFile | undefined): KnownFile {
  const { found } = broken;
  if (known?.playbook === undefined || known.found.id !== found.id || known.found.source !== found.source)
    return broken;
  const note: Diagnostic = {
    rule: 'last-good-version',
    severity: 'info',
    path: found.path,
    line: 1,
    column: 1,
    message: 'The file cannot be read as it is now; the version before is still served.',
    hint: 'Mend what is reported of it; a restart would leave the playbook out.',
  };
  return { ...broken, playbook: known.playbook, diagnostics: [...broken.diagnostics, note] };
}

/** The words of a playbook. @param examples other ones than its own, to ask what it would be found by without them */
export function documentOf(playbook: Playbook, examples: readonly string[] = playbook.examples): SearchDocument {
  return toSearchDocument({
    key: qualifiedIdOf(playbook),
    id: playbook.id,
    name: playbook.name,
    description: playbook.description,
    tags: playbook.tags,
    body: playbook.body,
    examples,
  });
}
