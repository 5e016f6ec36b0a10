import type { Playbook } from '../model.ts';
import { readDestination, readWikiLink } from './links.ts';
import type { Link } from './links.ts';
import { proseOf } from './prose.ts';

/** Where the target of a link is written, without `playbook://` and without its `#heading`; offsets of the body. */
export interface LinkPlace {
  readonly start: number;
  readonly end: number;
  /** True for a destination as `playbook://id`, in brackets or bare. */
  readonly isUri: boolean;
  /** What follows it: `#heading`, `?query`, or ''. */
  readonly suffix: string;
}

/** A place where a target may stand, and what a link with that text would lead to. */
interface Candidate extends LinkPlace {
  readonly syntax: 'inline' | 'definition' | 'wiki' | 'bare';
  readonly target: string;
}

const DESTINATION = String.raw`(?:<(?<angled>[^<>\n]*)>|(?<plain>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))`;
const SYNTAXES = {
  inline: new RegExp(String.raw`\]\(\s*${DESTINATION}`, 'dg'),
  definition: new RegExp(String.raw`^[ \t>]*\[[^\]\n]+\]:\s*${DESTINATION}`, 'dgm'),
  wiki: /\[\[(?<plain>[^\n[\]]+)\]\]/dg,
  bare: /(?<plain>playbook:\/\/[^\s<>()[\]{}"'`|\\]+)/dgi,
} as const;

/**
 * Finds where the targets of links are written, each in its order; undefined for one that is written in a way (a backslash or an entity
 * in its destination) in which it is not found. Links of the form `[text][label]` share the place of their definition.
 *
 * @param links of the playbook, in order of appearance
 */
export function findLinkPlaces(
  { body, bodyLine }: Pick<Playbook, 'body' | 'bodyLine'>,
  links: readonly Link[],
): readonly (LinkPlace | undefined)[] {
  const prose = proseOf(body);
  const lineStarts = [0, ...[...body.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const candidates = candidatesIn(prose);
  const taken = new Set<Candidate>();
  return links.map((link) => {
    const from = (lineStarts[link.line - bodyLine] ?? 0) + link.column - 1;
    const own = candidates.find(
      (each) =>
        !taken.has(each) && each.start >= from && each.target === link.target && isWrittenAs(each, link, prose[from]),
    );
    if (own !== undefined) taken.add(own);
    return own ?? candidates.find(({ syntax, target }) => syntax === 'definition' && target === link.target);
  });
}

function isWrittenAs({ syntax, isUri }: Candidate, { form }: Link, first: string | undefined): boolean {
  if (form === 'wiki') return syntax === 'wiki';
  if (form === 'markdown') return syntax === 'inline' && !isUri;
  return isUri && syntax === (first === '[' ? 'inline' : 'bare');
}

/** In order of their places, of one syntax after another. */
function candidatesIn(prose: string): readonly Candidate[] {
  return Object.entries(SYNTAXES).flatMap(([name, pattern]) =>
    [...prose.matchAll(pattern)].flatMap((match) => {
      const range = match.indices?.groups?.angled ?? match.indices?.groups?.plain;
      const written = match.groups?.angled ?? match.groups?.plain;
      if (range === undefined || written === undefined) return [];
      return candidate(name, written, range[0]) ?? [];
    }),
  );
}

function candidate(name: string, written: string, at: number): Candidate | undefined {
  if (name === 'wiki') {
    const target = readWikiLink(written)?.target;
    if (target === undefined) return undefined;
    const start = at + written.length - written.trimStart().length;
    const end = start + target.length;
    const suffix = /^[^|\\]*/.exec(written.slice(end - at))?.[0].trimEnd() ?? '';
    return { syntax: name, target, start, end, isUri: false, suffix };
  }
  if (name !== 'inline' && name !== 'definition' && name !== 'bare') return undefined;
  // A bare one ends before the punctuation of its sentence.
  const whole = name === 'bare' ? written.replace(/[.,;:!?*_~]+$/, '') : written;
  const read = readDestination(whole);
  if (read === undefined) return undefined;
  const path = whole.replace(/[?#].*$/s, '');
  const isUri = read.form === 'uri';
  const start = at + (isUri ? 'playbook://'.length : 0);
  const suffix = whole.slice(path.length);
  return { syntax: name, target: read.target, start, end: at + path.length, isUri, suffix };
}
