import { PlaybookError } from '../errors.ts';

/** Deeper folders are not looked into; see `walk`. */
const MOST_SEGMENTS = 8;
/** The longest name of the Agent Skills format. */
const LONGEST_SEGMENT = 64;
/** What Windows opens instead of a file, whatever its extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** Files that are no playbooks where they lie among them, and folders that are not looked into. */
const NOT_PLAYBOOKS: ReadonlySet<string> = new Set(['readme', 'skill', 'node_modules']);
const ADVISED = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * An id that a new playbook can have on every system that a repository is checked out on, without `.md`.
 *
 * @throws PlaybookError `files/bad-id`.
 */
export function checkNewId(written: string): string {
  const id = written.replace(/(?:\/SKILL)?\.md$/i, '').normalize('NFC');
  const segments = id.split('/');
  const problem =
    segments.length > MOST_SEGMENTS ? `it has more than ${MOST_SEGMENTS} parts` : segments.map(problemOf).find(Boolean);
  if (problem === undefined) return id;
  throw new PlaybookError('files/bad-id', `"${written}" cannot be the id of a playbook: ${problem}.`, {
    hint: 'Use lower-case words with hyphens, and `/` between folders: deploy/roll-back.',
  });
}

/** Whether an id has the form that is portable and that people guess: lower-case words with hyphens. */
export function isAdvisedId(id: string): boolean {
  return id.split('/').every((segment) => ADVISED.test(segment));
}

function problemOf(segment: string): string | undefined {
  if (segment === '') return 'a part of it is empty';
  if (segment.length > LONGEST_SEGMENT) return `a part of it has more than ${LONGEST_SEGMENT} characters`;
  if (!/^[\p{L}\p{N}_]/u.test(segment)) return `"${segment}" does not begin with a letter or a digit`;
  if (!/^[\p{L}\p{N}\p{M}._-]+$/u.test(segment)) return `"${segment}" has other characters than letters, digits, - _ .`;
  if (segment.endsWith('.')) return `"${segment}" ends with a dot, which Windows drops`;
  if (DEVICE.test(segment)) return `"${segment}" is a device on Windows`;
  if (segment.includes('__')) return '`__` is for the ids of tools';
  if (NOT_PLAYBOOKS.has(segment.toLowerCase())) return `"${segment}" is never read as a playbook`;
  return undefined;
}
