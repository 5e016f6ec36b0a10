import type { JsonObject, Playbook, PlaybookEntry } from '../model.ts';
import { isJsonObject } from '../model.ts';
import { yamlLines } from '../playbooks/compose.ts';
import { contentDigest } from '../playbooks/digest.ts';
import { findLinkPlaces, type LinkPlace } from '../playbooks/link-places.ts';
import type { Link } from '../playbooks/links.ts';
import { writtenReferences } from '../playbooks/references.ts';
import type { Catalog } from './catalog.ts';
import { findTarget } from './references.ts';
import { valueText } from '../playbooks/parameters.ts';

/** A playbook as a skill that needs nothing but its folder. */
export interface ExportedSkill {
  readonly entry: PlaybookEntry;
  /** Name of its folder, and of the skill. */
  readonly name: string;
  /** Content of its `SKILL.md`. */
  readonly text: string;
}

/** The bounds of the Agent Skills format. @see https://agentskills.io/specification */
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const KEPT_KEYS = ['license', 'compatibility', 'allowed-tools'];
const WHERE_OTHERS_ARE =
  '`playbook://` names a playbook that is not among these skills: with a playbook-mcp server, `execute` it by the id behind it.';

/**
 * Playbooks as plain skills, in the catalog's order: names by their ids, links to each other as paths between the folders, and
 * whatever the format cannot hold (parameters, tools, references without a link) told in the text.
 */
export function exportSkills(catalog: Catalog, entries: readonly PlaybookEntry[]): readonly ExportedSkill[] {
  const names = namesOf(entries);
  return entries.map((entry) => {
    const name = names.get(entry) ?? '';
    return { entry, name, text: textOf(entry, { catalog, names, name }) };
  });
}

/** Names that no folder has on Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The id in the letters that the format allows; where two are the same then, or it is no name, with a mark of its own. */
function namesOf(entries: readonly PlaybookEntry[]): ReadonlyMap<PlaybookEntry, string> {
  const taken = new Set<string>();
  return new Map(
    entries.map((entry) => {
      const plain = slugOf(entry.id);
      const isName = plain !== '' && plain.length <= LONGEST_NAME && !RESERVED.test(plain);
      const name = isName && !taken.has(plain) ? plain : markedName(plain, entry, taken);
      taken.add(name);
      return [entry, name];
    }),
  );
}

/** With a mark of the id, which stays when the text changes, and is another's when the texts are the same. */
function markedName(plain: string, { qualifiedId }: PlaybookEntry, taken: ReadonlySet<string>): string {
  const digest = contentDigest(qualifiedId);
  const named = (length: number): string =>
    `${plain.slice(0, LONGEST_NAME - length - 1)}-${digest.slice(0, length)}`.replace(/^-+/, '');
  let length = 8;
  while (taken.has(named(length)) && length < LONGEST_NAME) length += 1;
  return named(length);
}

function slugOf(id: string): string {
  const latin = id.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return latin.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
}

interface Surroundings {
  readonly catalog: Catalog;
  readonly names: ReadonlyMap<PlaybookEntry, string>;
  readonly name: string;
}

function textOf(entry: PlaybookEntry, { catalog, names, name }: Surroundings): string {
  const { playbook } = entry;
  const references = writtenReferences(playbook).map(({ target, link }) => ({
    link,
    entry: findTarget(catalog, playbook, target),
  }));
  const linked = references.flatMap(({ link, entry: to }) =>
    link === undefined || to === undefined ? [] : [{ link, to }],
  );
  const { text, hasOthers } = relink(playbook, linked, { names });
  const mentioned = new Set(linked.map(({ to }) => to));
  const unlinked = references.flatMap(({ entry: to }) => (to === undefined || mentioned.has(to) ? [] : [to]));
  const parts = [
    parametersPart(playbook),
    text.trim(),
    relatedPart([...new Set(unlinked)], names),
    playbook.tools.length === 0 ? '' : `## Tools\n\nThis needs: ${playbook.tools.map((id) => `\`${id}\``).join(', ')}.`,
    hasOthers || unlinked.some((to) => !names.has(to)) ? WHERE_OTHERS_ARE : '',
  ];
  return `---\n${yamlLines(frontMatterOf(entry, name))}---\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function frontMatterOf({ playbook, qualifiedId, tags }: PlaybookEntry, name: string): object {
  const { extra, description } = playbook;
  const own = isJsonObject(extra.metadata) ? extra.metadata : {};
  const metadata = {
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, valueText(value)])),
    playbook: qualifiedId,
    ...(tags.length > 0 && { tags: tags.join(', ') }),
    ...(playbook.owner !== undefined && { owner: playbook.owner }),
  };
  return { name, description: shortened(description), ...keptOf(extra), metadata };
}

function keptOf(extra: JsonObject): object {
  return Object.fromEntries(
    KEPT_KEYS.flatMap((key) => {
      const value = extra[key];
      if (value === undefined || value === null) return [];
      return [[key, Array.isArray(value) ? value.map(valueText).join(' ') : valueText(value)] as const];
    }),
  );
}

/** Cut at a word; a surrogate pair may be cut, but never counts for less than it has. */
function shortened(description: string): string {
  if (description.length <= LONGEST_DESCRIPTION) return description;
  return `${description.slice(0, LONGEST_DESCRIPTION - 1).replace(/\s+\S*$/, '')}…`;
}

function parametersPart({ parameters, hasShellStyleArguments }: Playbook): string {
  if (parameters.length === 0) return '';
  const lines = parameters.map((parameter) => {
    const place = hasShellStyleArguments ? `$${parameter.name}` : `{{${parameter.name}}}`;
    const values = parameter.enum === undefined ? '' : `one of ${parameter.enum.map(valueText).join(', ')}`;
    const absent = parameter.default === undefined ? 'optional' : `${valueText(parameter.default)} by default`;
    const notes = [values, parameter.isRequired ? '' : absent].filter((note) => note !== '');
    const bounds = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
    return `- \`${place}\`${bounds}: ${parameter.description ?? 'a value of the task'}`;
  });
  return `Put these in below, and ask for what the task does not tell:\n\n${lines.join('\n')}`;
}

function relatedPart(entries: readonly PlaybookEntry[], names: ReadonlyMap<PlaybookEntry, string>): string {
  if (entries.length === 0) return '';
  const lines = entries.map(
    (to) => `- [${to.name}](${destinationOf(to, names)}): ${to.description.split('\n', 1)[0] ?? ''}`,
  );
  return `## Related\n\n${lines.join('\n')}`;
}

function destinationOf(to: PlaybookEntry, names: ReadonlyMap<PlaybookEntry, string>): string {
  const name = names.get(to);
  return name === undefined ? `playbook://${to.id}` : `../${name}/SKILL.md`;
}

interface Linked {
  readonly link: Link;
  readonly to: PlaybookEntry;
}

/** The body with links that lead to the skills' folders, and whether some lead elsewhere. */
function relink(
  playbook: Playbook,
  linked: readonly Linked[],
  { names }: Pick<Surroundings, 'names'>,
): { readonly text: string; readonly hasOthers: boolean } {
  const places = findLinkPlaces(
    playbook,
    linked.map(({ link }) => link),
  );
  const edits = new Map<number, { readonly end: number; readonly text: string }>();
  for (const [index, place] of places.entries()) {
    const { link, to } = linked[index] ?? {};
    if (place === undefined || link === undefined || to === undefined) continue;
    const { start, ...edit } = editOf(playbook.body, { place, link, destination: destinationOf(to, names) });
    edits.set(start, edit);
  }
  const text = [...edits]
    .toSorted(([a], [b]) => b - a)
    .reduce((body, [start, edit]) => body.slice(0, start) + edit.text + body.slice(edit.end), playbook.body);
  return { text, hasOthers: linked.some(({ to }) => !names.has(to)) };
}

const SCHEME = 'playbook://';

interface Relinking {
  readonly place: LinkPlace;
  readonly link: Link;
  readonly destination: string;
}

function editOf(
  body: string,
  { place, link, destination }: Relinking,
): { readonly start: number; readonly end: number; readonly text: string } {
  const end = place.end + place.suffix.length;
  const anchor = destination.startsWith(SCHEME) || !place.suffix.startsWith('#') ? '' : place.suffix;
  const whole = `[${link.text}](${destination}${anchor})`;
  if (link.form === 'wiki') {
    const closing = body.indexOf(']]', place.start);
    return { start: body.lastIndexOf('[[', place.start), end: closing + 2, text: whole };
  }
  if (!place.isUri) return { start: place.start, end, text: destination + anchor };
  const start = place.start - SCHEME.length;
  // A destination stands between brackets or behind the colon of a definition; a bare address is a link of its own.
  const isDestination = /(?:\]\(\s*<?|\]:\s*<?)$/.test(body.slice(0, start));
  if (isDestination) return { start, end, text: destination + anchor };
  return { start, end, text: `[${link.text.replace(SCHEME, '')}](${destination}${anchor})` };
}
