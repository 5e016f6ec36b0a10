import { basename } from 'node:path';
import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import { compareIds } from '../catalog/order.ts';
import { mapBounded } from '../files/bounded.ts';
import { PlaybookError } from '../errors.ts';
import { FILES_AT_ONCE, readSupportingFile } from '../files/read.ts';
import type { PlaybookEntry } from '../model.ts';
import { listedPlaybooks } from './listed-playbooks.ts';
import { type Page, pageOf } from './paging.ts';
import { mediaTypeOf, rawContents } from './raw-contents.ts';
import { addressIn, SKILL_SCHEME, skillPathOf, skillUri } from './resource-uris.ts';
import { type SkillFile, skillFiles } from './skill-files.ts';
import { isListed } from './search-tool.ts';
import type { Snapshot } from './snapshot.ts';
import { nameFromId } from '../playbooks/name-from-id.ts';

/** Every file of every skill of a page is read for its digest. */
const PAGE_SIZE = 50;
/** @see https://agentskills.io/specification#name-field */
const SKILL_NAME = /^(?=.{1,64}$)[\da-z]+(?:-[\da-z]+)*$/;

/** The playbooks that are skills by their place and name, in the order of their paths; whether the rest is in order shows when they are read. */
export function listedSkills(snapshot: Snapshot): readonly PlaybookEntry[] {
  return listedPlaybooks(snapshot)
    .filter(isSkill)
    .sort((a, b) => compareIds(skillPathOf(a.playbook), skillPathOf(b.playbook)));
}

/** Whether a playbook is a folder with a `SKILL.md` that has the folder's name. */
export function isSkill({ name, playbook }: PlaybookEntry): boolean {
  const folder = nameFromId(playbook.id);
  return basename(playbook.path) === 'SKILL.md' && name === folder && SKILL_NAME.test(name);
}

/**
 * A page of skills, each with the digests of its files as they are now. One that breaks a rule of skills, or a limit of theirs, or
 * with a file that cannot be read is left out: it is a playbook all the same.
 *
 * @throws ProtocolError for a bad cursor.
 */
export async function listSkills(snapshot: Snapshot, cursor: string | undefined): Promise<Page<Skill>> {
  const { items, ...rest } = pageOf(listedSkills(snapshot), {
    list: 'skills/list',
    cursor,
    size: PAGE_SIZE,
    keyOf: ({ playbook }) => skillPathOf(playbook),
  });
  const skills: Skill[] = [];
  for (const entry of items) {
    const skill = await toSkill(snapshot, entry);
    if (skill !== undefined) skills.push(skill);
  }
  return { items: skills, ...rest };
}

/** The skill whose `SKILL.md` a URI names. @throws PlaybookError `catalog/unknown-id`. */
export async function getSkill(snapshot: Snapshot, uri: string): Promise<Skill> {
  const place = placeOf(snapshot, uri).find(({ inside }) => inside === 'SKILL.md');
  const skill = place && (await toSkill(snapshot, place.entry));
  if (skill === undefined) throw new PlaybookError('catalog/unknown-id', `No skill is served at ${uri}.`);
  return skill;
}

/** A file of a skill, byte for byte. @throws PlaybookError `files/unreadable`. */
export async function readSkillFile({ owner, path: inside }: SkillFile, uri: string): Promise<ReadResourceResult> {
  const { path, bytes } = await readSupportingFile(owner.playbook, inside);
  return { contents: [rawContents(uri, path, bytes)] };
}

/** The file of a skill that a URI names; undefined where no skill has it. */
export function skillFileAt(snapshot: Snapshot, uri: string): SkillFile | undefined {
  for (const { entry, inside } of placeOf(snapshot, uri)) {
    const found = skillFiles(snapshot, entry).find(({ file }) => file === inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a folder of a skill holds. */
interface FolderChild {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** What lies directly in a skill's folder, or in one below it. @throws PlaybookError `catalog/unknown-id`, ProtocolError for a bad cursor. */
export function readDirectory(snapshot: Snapshot, uri: string, cursor: string | undefined): Page<FolderChild> {
  for (const { entry, inside } of placeOf(snapshot, uri)) {
    const children = childrenOf(snapshot, entry, inside);
    if (children.length === 0) continue;
    return pageOf(children, { list: 'resources/directory/read', cursor, size: PAGE_SIZE, keyOf: (child) => child.uri });
  }
  throw new PlaybookError('catalog/unknown-id', `${uri} is not a directory resource.`);
}

function childrenOf(snapshot: Snapshot, entry: PlaybookEntry, folder: string): readonly FolderChild[] {
  const head = folder === '' ? '' : `${folder}/`;
  const children = new Map<string, FolderChild>();
  for (const { file } of skillFiles(snapshot, entry)) {
    if (!file.startsWith(head)) continue;
    const [name = '', ...below] = file.slice(head.length).split('/');
    const mimeType = below.length > 0 ? 'inode/directory' : (mediaTypeOf(name) ?? 'application/octet-stream');
    children.set(name, { uri: skillUri(entry, head + name), name, mimeType });
  }
  return [...children.values()].sort((a, b) => compareIds(a.uri, b.uri));
}

/** A skill, and a path in it; '' for the skill's folder itself. */
interface SkillPlace {
  readonly entry: PlaybookEntry;
  readonly inside: string;
}

/** The skills that a URI leads into, the innermost first: skills may lie in each other. */
function placeOf(snapshot: Snapshot, uri: string): readonly SkillPlace[] {
  const [source = '', ...segments] = (addressIn(uri, SKILL_SCHEME) ?? '').split('/');
  const places: SkillPlace[] = [];
  for (let length = segments.length; length > 0; length -= 1) {
    const entry = snapshot.catalog.byId.get(`${source}:${segments.slice(0, length).join('/')}`);
    if (entry?.kind !== 'playbook' || !isListed(entry, 'playbook') || !isSkill(entry)) continue;
    places.push({ entry, inside: segments.slice(length).join('/') });
  }
  return places;
}

async function toSkill(snapshot: Snapshot, entry: PlaybookEntry): Promise<Skill | undefined> {
  const { skillEntry, SkillCatalogError, SKILL_LIMITS } = await import('@modelcontextprotocol/server/ext/skills');
  const files = skillFiles(snapshot, entry);
  if (files.length > SKILL_LIMITS.files) return undefined;
  try {
    const contents = await mapBounded(files, FILES_AT_ONCE, async ({ owner, path }) =>
      readSupportingFile(owner.playbook, path),
    );
    if (contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > SKILL_LIMITS.bytes) return undefined;
    const byPath = Object.fromEntries(files.map(({ file }, at) => [file, contents[at]?.bytes ?? '']));
    const skill = await skillEntry(skillPathOf(entry.playbook), byPath);
    return { ...skill, _meta: { 'playbook-mcp/id': entry.id, 'playbook-mcp/source': entry.source } };
  } catch (error) {
    if (error instanceof PlaybookError || error instanceof SkillCatalogError) return undefined;
    throw error;
  }
}
