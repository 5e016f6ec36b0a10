import type { Diagnostic } from '../model.ts';
import { mapBounded } from './bounded.ts';
import type { FolderPath, Listing } from './list-folder.ts';
import type { ScanMemory } from './scan-memory.ts';
import { type Candidate, takeFolder, type Visit } from './take-folder.ts';

/** Bounds of one source, so that no folder can hold up the others. */
export interface WalkBounds {
  /** Folders between the source's folder and a file. */
  readonly depth: number;
  /** Files, and also folders, looked at. */
  readonly files: number;
}

/** What lies below one folder. */
export interface Walk {
  readonly candidates: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
  /** Folders that were too deep. */
  readonly tooDeep: readonly string[];
  /** Where the walk stopped, if there were too many files. */
  readonly stoppedAt: string | undefined;
  /** Real paths of the folders that were walked. */
  readonly seen: ReadonlySet<string>;
}

interface WalkOptions {
  /** Real directories that links may lead to; undefined for anywhere. */
  readonly places: readonly string[] | undefined;
  /** Real folders of the source, which supporting files may always lie in. */
  readonly folders: readonly string[];
  readonly bounds: WalkBounds;
  /** Counts on over all folders of a source. */
  readonly tally: { files: number; folders: number };
  readonly memory: ScanMemory;
}

/** What a walk gathers on its way. */
interface Gathered {
  readonly candidates: Candidate[];
  readonly diagnostics: Diagnostic[];
  readonly tooDeep: string[];
  /** Linked folders that wait for their turn. */
  links: Visit[];
  readonly seen: Set<string>;
  stoppedAt: string | undefined;
}

const FOLDERS_AT_ONCE = 32;

/**
 * Finds what may be a playbook below a folder. Links wait until everything else has been seen: what is reached both ways keeps
 * the id of its real place.
 */
export async function walkFolder(folder: FolderPath, options: WalkOptions): Promise<Walk> {
  const gathered: Gathered = {
    candidates: [],
    diagnostics: [],
    tooDeep: [],
    links: [],
    seen: new Set([folder.realPath]),
    stoppedAt: undefined,
  };
  const top: Visit = { ...folder, id: '', depth: 0, skill: undefined, isLinked: false, above: undefined };
  await descend([top], gathered, options);
  while (gathered.links.length > 0) {
    const links = gathered.links.filter((visit) => isNew(visit, gathered.seen));
    gathered.links = [];
    await descend(links, gathered, options);
  }
  return gathered;
}

/** Goes level by level: a level is listed at once and taken in order of name, so that the disk's timing changes no result. */
async function descend(from: readonly Visit[], gathered: Gathered, options: WalkOptions): Promise<void> {
  let level = from;
  while (level.length > 0) {
    const listings = await mapBounded(level, FOLDERS_AT_ONCE, (visit) => options.memory.list(visit, options.places));
    level = level.flatMap((visit, index) => visitBelow(visit, listings[index], { gathered, options }));
  }
}

interface WalkState {
  readonly gathered: Gathered;
  readonly options: WalkOptions;
}

/** Takes what a folder holds, and gives the folders to go to next. */
function visitBelow(visit: Visit, listing: Listing | undefined, { gathered, options }: WalkState): readonly Visit[] {
  if (listing === undefined || gathered.stoppedAt !== undefined) return [];
  const { bounds, tally, places, folders } = options;
  tally.folders += 1;
  tally.files += listing.items.filter((item) => !item.isFolder).length;
  if (Math.max(tally.folders, tally.files) > bounds.files) {
    gathered.stoppedAt = visit.path;
    gathered.links = [];
    return [];
  }
  const taken = takeFolder(visit, listing.items, places ?? folders);
  gathered.candidates.push(...taken.candidates);
  gathered.diagnostics.push(...listing.diagnostics, ...taken.diagnostics);
  gathered.tooDeep.push(...taken.below.filter(({ depth }) => depth > bounds.depth).map(({ path }) => path));
  const below = taken.below.filter(({ depth }) => depth <= bounds.depth);
  const isLink = (folder: Visit): boolean => folder.isLinked && !visit.isLinked;
  gathered.links.push(...below.filter(isLink));
  return below.filter((folder) => !isLink(folder) && isNew(folder, gathered.seen));
}

/** A folder is walked once, by its real path. In a skill only loops are refused: two skills may both link to what they share. */
function isNew(visit: Visit, seen: Set<string>): boolean {
  const isSeen = seen.has(visit.realPath);
  seen.add(visit.realPath);
  if (visit.skill === undefined) return !isSeen;
  for (let { above } = visit; above !== undefined; above = above.above) {
    if (above.realPath === visit.realPath) return false;
  }
  return true;
}
