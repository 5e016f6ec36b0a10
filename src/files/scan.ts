import { dirname, sep } from 'node:path';

import type { Diagnostic, Source, SourceFile } from '../model.ts';
import { mapBounded } from './bounded.ts';
import { finding, MOST_BYTES, tooLarge, unreadable } from './findings.ts';
import type { FolderPath } from './list-folder.ts';
import { allowedPlaces, isSystemError, realDirectoryOf } from './places.ts';
import { type Measure, ScanMemory } from './scan-memory.ts';
import type { Candidate } from './take-folder.ts';
import { type Walk, type WalkBounds, walkFolder } from './walk.ts';

/** A file that may be a playbook, not yet read. */
export interface FoundFile extends Omit<SourceFile, 'bytes'>, Measure {}

/** What scanning gives: the files by id in code unit order, and what was left out. */
export interface Scan {
  readonly found: readonly FoundFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every folder in which a change may change this result, by its path without links. */
  readonly folders: ReadonlySet<string>;
}

const STATS_AT_ONCE = 64;
const DEFAULT_BOUNDS: WalkBounds = { depth: 8, files: 50_000 };

/**
 * Finds the files of a source that may be playbooks. Ids are unique: of two files with one id, that of the earlier folder counts, and
 * `x/SKILL.md` before `x.md`; the other is named. A file that links reach twice counts once, silently.
 *
 * Not looked at: hidden folders, `node_modules`, hidden files, `README.md`, and every `.md` in a skill's folder but a nested `SKILL.md`
 * (in any case of letters).
 * @param memory of earlier scans; without one everything is looked at.
 */
export async function scanSource(
  source: Source,
  bounds: WalkBounds = DEFAULT_BOUNDS,
  memory: ScanMemory = new ScanMemory(),
): Promise<Scan> {
  const places = await allowedPlaces(source);
  const tally = { files: 0, folders: 0 };
  const candidates: Candidate[] = [];
  const diagnostics: Diagnostic[] = [];
  const walked = new Set<string>();
  const folders = await existingFolders(source);
  for (const folder of folders) {
    const realFolders = folders.map(({ realPath }) => realPath);
    const walk = await walkFolder(folder, { places, folders: realFolders, bounds, tally, memory });
    for (const path of walk.seen) walked.add(path);
    for (const { realPath, isLinked } of walk.candidates) if (isLinked) walked.add(dirname(realPath));
    candidates.push(...inOrderOfClaim(walk.candidates));
    diagnostics.push(...walk.diagnostics, ...boundFindings(folder.path, walk, bounds));
  }
  const chosen = oneForEachId(oneForEachFile(candidates), source);
  const found = await mapBounded(chosen.candidates, STATS_AT_ONCE, (candidate) => measure(candidate, source, memory));
  return {
    found: found.flatMap((result) => (result.kind === 'found' ? [result.file] : [])),
    diagnostics: [
      ...diagnostics,
      ...chosen.diagnostics,
      ...found.flatMap((result) => (result.kind === 'found' ? [] : [result.diagnostic])),
    ],
    folders: walked,
  };
}

/**
 * Scans several sources, most specific first. A file that more than one reaches belongs to the first, but to a trusted one before an
 * untrusted: a repository that holds the person's own playbooks does not take them over.
 */
export async function scanSources(sources: readonly Source[], memory?: ScanMemory): Promise<Scan> {
  const scans = await Promise.all(sources.map((source) => scanSource(source, DEFAULT_BOUNDS, memory)));
  const owners = new Map<string, Source>();
  for (const isTrusted of [true, false]) {
    for (const file of scans.flatMap(({ found }) => found)) {
      if (file.source.isTrusted === isTrusted && !owners.has(file.realPath)) owners.set(file.realPath, file.source);
    }
  }
  return {
    found: scans.flatMap(({ found }) => found.filter((file) => owners.get(file.realPath) === file.source)),
    diagnostics: scans.flatMap(({ diagnostics }) => diagnostics),
    folders: new Set(scans.flatMap(({ folders }) => [...folders])),
  };
}

/** A folder that vanished since the source was found holds nothing. */
async function existingFolders(source: Source): Promise<readonly FolderPath[]> {
  const real = await Promise.all(source.folders.map(realDirectoryOf));
  return source.folders.flatMap((path, index) => {
    const realPath = real[index];
    return realPath === undefined ? [] : [{ path, realPath }];
  });
}

/** What is reached without links comes first, and a skill's folder before a flat file. */
function inOrderOfClaim(candidates: readonly Candidate[]): readonly Candidate[] {
  const rank = ({ isLinked, shape }: Candidate): number => (isLinked ? 2 : 0) + (shape === 'file' ? 1 : 0);
  return candidates.toSorted((a, b) => rank(a) - rank(b));
}

function oneForEachFile(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ realPath }) => seen.size < seen.add(realPath).size);
}

interface Chosen {
  readonly candidates: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
}

function oneForEachId(candidates: readonly Candidate[], source: Source): Chosen {
  const byId = new Map<string, Candidate>();
  const diagnostics: Diagnostic[] = [];
  for (const candidate of candidates) {
    // Some file systems take names apart into base letters and accents; an agent writes them composed.
    const id = candidate.id === '' ? source.name : candidate.id.normalize('NFC');
    const winner = byId.get(id);
    if (winner === undefined) byId.set(id, { ...candidate, id });
    else diagnostics.push(shadowed(candidate, winner));
  }
  return { candidates: [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), diagnostics };
}

function shadowed(loser: Candidate, winner: Candidate): Diagnostic {
  const isOwnFolder = winner.shape === 'folder' && winner.path.startsWith(loser.path.replace(/\.md$/i, sep));
  return finding(loser.path, isOwnFolder ? 'shadowed-by-folder' : 'shadowed-in-source', {
    message: `The id \`${winner.id}\` belongs to ${winner.path}, so this file is not served.`,
    hint: 'Rename or remove one of the two.',
  });
}

type Measured =
  | { readonly kind: 'found'; readonly file: FoundFile }
  | { readonly kind: 'left-out'; readonly diagnostic: Diagnostic };

async function measure(candidate: Candidate, source: Source, memory: ScanMemory): Promise<Measured> {
  const { id, path, realPath, shape, supportingFiles, isLinked } = candidate;
  try {
    const measured = await memory.measure(realPath, isLinked ? undefined : dirname(realPath));
    if (measured.size > MOST_BYTES) return { kind: 'left-out', diagnostic: tooLarge(path, measured.size) };
    return {
      kind: 'found',
      file: { source, path, realPath, id, shape, supportingFiles: supportingFiles.toSorted(), ...measured },
    };
  } catch (error) {
    if (isSystemError(error)) return { kind: 'left-out', diagnostic: unreadable(path, 'file', error) };
    throw error;
  }
}

function boundFindings(folder: string, { tooDeep, stoppedAt }: Walk, bounds: WalkBounds): readonly Diagnostic[] {
  const [first] = tooDeep;
  const deep = `Folders more than ${bounds.depth} levels down were left out: ${first}${tooDeep.length > 1 ? ` and ${tooDeep.length - 1} more` : ''}.`;
  const many = `There are more than ${bounds.files} files or folders: ${stoppedAt} and what comes after it was left out.`;
  return [
    ...(first === undefined ? [] : [finding(folder, 'too-deep', { message: deep })]),
    ...(stoppedAt === undefined ? [] : [finding(folder, 'too-many-files', { message: many })]),
  ];
}
