import { dirname } from 'node:path';

import type { Diagnostic } from '../model.ts';
import { finding } from './findings.ts';
import { type FolderPath, type Item, UNPRINTABLE } from './list-folder.ts';
import { isInside } from './places.ts';

/** A file that may be a playbook. */
export interface Candidate extends FolderPath {
  /** Path below the walked folder without `.md` or `/SKILL.md`, `/` between segments; empty for a `SKILL.md` at the top. */
  readonly id: string;
  readonly shape: 'file' | 'folder';
  /** True where the file itself, or a folder on the way to it, is a link. */
  readonly isLinked: boolean;
  /** Relative to a skill's folder, in no order; complete when the walk has ended. [] for a flat file. */
  readonly supportingFiles: readonly string[];
}

interface Skill {
  /** Path of its folder below the walked one. */
  readonly id: string;
  readonly supportingFiles: string[];
  /** Real directories that its supporting files may lie in. */
  readonly places: readonly string[];
}

/** A folder on the way of a walk. */
export interface Visit extends FolderPath {
  /** Path below the walked folder; empty for itself. */
  readonly id: string;
  readonly depth: number;
  /** The skill in whose folder this one lies. */
  readonly skill: Skill | undefined;
  readonly isLinked: boolean;
  readonly above: Visit | undefined;
}

/** What one folder adds to a walk. */
export interface Taken {
  readonly candidates: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
  readonly below: readonly Visit[];
}

/** Dependencies, and what Python leaves beside the scripts that it runs. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

/** True for folders that hold no playbooks and no supporting files: hidden ones (`.git`, `.venv`), dependencies, byte code. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || SKIPPED_FOLDERS.has(name);
}

/**
 * Tells what the items of a folder are: with a `SKILL.md` (in any case of letters) it is a skill, to which everything below belongs
 * that no other `SKILL.md` claims; without, its `.md` files may be playbooks.
 * @param places real directories that supporting files of every skill may lie in
 */
export function takeFolder(visit: Visit, items: readonly Item[], places: readonly string[]): Taken {
  const files = items.filter((item) => !item.isFolder);
  const skillFile = findSkillFile(files);
  const skill = skillFile === undefined ? visit.skill : startSkill(visit, skillFile, places);
  const below = items
    .filter(({ name, isFolder }) => isFolder && !isSkippedFolder(name))
    .map((item) => toVisit(visit, item, skill));
  if (skill === undefined) {
    return { below, candidates: files.filter(isFlatPlaybook).map((file) => toCandidate(visit, file)), diagnostics: [] };
  }
  const diagnostics = takeSupportingFiles(
    skill,
    visit,
    files.filter((file) => file !== skillFile),
  );
  if (skillFile === undefined) return { below, candidates: [], diagnostics };
  const { id, supportingFiles } = skill;
  return {
    below,
    candidates: [{ ...toCandidate(visit, skillFile), id, supportingFiles, shape: 'folder' }],
    diagnostics,
  };
}

/**
 * What a file would be taken for by the names on its path alone.
 *
 * @param path below a source's folder, `/` between its parts
 * @returns its id, '' for a `SKILL.md` at the top, and shape; undefined for what is no playbook wherever it lies
 */
export function placeByName(path: string): Pick<Candidate, 'id' | 'shape'> | undefined {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (folders.some(isSkippedFolder) || !isFlatPlaybook({ name }) || UNPRINTABLE.test(path)) return undefined;
  if (name.toLowerCase() === 'skill.md') return { id: folders.join('/'), shape: 'folder' };
  return { id: path.replace(/\.md$/i, ''), shape: 'file' };
}

function findSkillFile(files: readonly Item[]): Item | undefined {
  return files.find(({ name }) => name === 'SKILL.md') ?? files.find(({ name }) => name.toLowerCase() === 'skill.md');
}

/** Where a skill is linked file by file (stow, Nix), its other files lie beside what its `SKILL.md` links to. */
function startSkill({ id, realPath }: Visit, skillFile: Item, places: readonly string[]): Skill {
  return { id, supportingFiles: [], places: [...places, realPath, dirname(skillFile.realPath)] };
}

/** Adds the files to their skill; gives a diagnostic for each that a link takes from elsewhere, since reading it would be refused. */
function takeSupportingFiles(skill: Skill, visit: Visit, files: readonly Item[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { name, path, realPath } of files) {
    if (name.startsWith('.')) continue;
    if (skill.places.some((place) => isInside(realPath, place))) {
      skill.supportingFiles.push(join(visit.id, name).slice(skill.id === '' ? 0 : skill.id.length + 1));
    } else {
      const message = `The link leads to ${realPath}, outside the skill and its source, and was left out.`;
      diagnostics.push(finding(path, 'link-outside-source', { message }));
    }
  }
  return diagnostics;
}

function toVisit(above: Visit, { name, path, realPath, isLink }: Item, skill: Skill | undefined): Visit {
  const isLinked = above.isLinked || isLink;
  return { path, realPath, id: join(above.id, name), depth: above.depth + 1, skill, isLinked, above };
}

function toCandidate(visit: Visit, { name, path, realPath, isLink }: Item): Candidate {
  const id = join(visit.id, name.replace(/\.md$/i, ''));
  return { id, path, realPath, shape: 'file', isLinked: visit.isLinked || isLink, supportingFiles: [] };
}

function isFlatPlaybook({ name }: Pick<Item, 'name'>): boolean {
  return /^[^.].*\.md$/i.test(name) && name.toLowerCase() !== 'readme.md';
}

function join(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}
