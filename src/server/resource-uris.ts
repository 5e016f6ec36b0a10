import type { PlaybookEntry } from '../model.ts';

export const PLAYBOOK_SCHEME = 'playbook://';
export const SKILL_SCHEME = 'skill://';

/** In characters: what is longer names nothing of ours, and would be looked up segment by segment. */
const LONGEST_URI = 4_096;

/** The URI of a playbook: `playbook://deploy/rollback`, `playbook://platform%3Adeploy/rollback`. @param file path of one of its files */
export function playbookUri(id: string, file?: string): string {
  return PLAYBOOK_SCHEME + encodePath(file === undefined ? id : `${id}/${file}`);
}

/** The URI of a skill's file, or of a folder in it: `skill://platform/deploy/rollback/SKILL.md`. */
export function skillUri({ playbook }: PlaybookEntry, file?: string): string {
  const folder = skillPathOf(playbook);
  return SKILL_SCHEME + encodePath(file === undefined ? folder : `${folder}/${file}`);
}

/** Where a skill lies in the names of all skills: its source's name, then its id. */
export function skillPathOf({ source, id }: PlaybookEntry['playbook']): string {
  return `${source.name}/${id}`;
}

/**
 * What a URI of ours addresses: an id as `execute` takes it for `playbook://`, a path as `skillPathOf` begins it for `skill://`.
 * Undefined for a URI of another scheme, one that is no URI, or a very long one.
 */
export function addressIn(uri: string, scheme: string): string | undefined {
  if (uri.length > LONGEST_URI || !isOfScheme(uri, scheme)) return undefined;
  const [path = '', ...heading] = uri.slice(scheme.length).split('#');
  try {
    return [path, ...heading].map(decodeURIComponent).join('#');
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Whether a URI is of a scheme, in any case of letters. */
export function isOfScheme(uri: string, scheme: string): boolean {
  return uri.slice(0, scheme.length).toLowerCase() === scheme;
}

/** Other spellings of a URI of ours that clients make, as by expanding the template: `:` is not encoded there. */
export function spellingsOf(uri: string): readonly string[] {
  const expanded = uri.replaceAll('%3A', ':');
  return expanded === uri ? [uri] : [uri, expanded];
}

/** As the SDK writes the URIs of skills: only the first segment, where a URI has its host, is encoded strictly. */
function encodePath(path: string): string {
  const [first = '', ...rest] = path.split('/');
  const encoded = rest.map((segment) => segment.replaceAll(/[^\w!$&'()*+,.:;=@[\]|~-]/gu, encodeURIComponent));
  return [encodeURIComponent(first), ...encoded].join('/');
}
