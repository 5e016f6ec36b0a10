import { markdown } from './markdown.ts';

/** A heading of a body. */
export interface Heading {
  /** Its text without markup. */
  readonly text: string;
  /** 1 to 6. */
  readonly level: number;
  /** Its anchor as GitHub makes it, unique within the body. */
  readonly slug: string;
  /** 1-based line of the body on which it stands. */
  readonly line: number;
}

/** The headings of a body in order, those inside code, quotes and lists left out; [] when there are none. */
export function outlineOf(body: string): readonly Heading[] {
  const tokens = markdown.parse(body, {});
  const slugCounts = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0 || token.map === null) return [];
    const text = (tokens[index + 1]?.children ?? []).map((child) => child.content).join('');
    const slug = uniqueSlug(text, slugCounts);
    return [{ text, level: Number(token.tag.slice(1)), slug, line: token.map[0] + 1 }];
  });
}

/**
 * One section: from its heading to the next of the same or a higher level, trimmed; undefined where there is none.
 * @param heading a slug or a heading's text, in any case
 */
export function sectionOf(body: string, heading: string): string | undefined {
  const outline = outlineOf(body);
  const wanted = heading.trim().toLowerCase();
  const bySlug = outline.findIndex(({ slug }) => slug === wanted);
  const index = bySlug === -1 ? outline.findIndex(({ text }) => text.trim().toLowerCase() === wanted) : bySlug;
  const start = outline[index];
  if (start === undefined) return undefined;
  const next = outline.slice(index + 1).find(({ level }) => level <= start.level);
  return linesOf(body, start.line, next?.line);
}

/**
 * The text from the top to the end of the first section that says something: a title directly above another heading
 * does not. The whole body where it has no headings.
 */
export function leadSection(body: string): string {
  const outline = outlineOf(body);
  const isLast = (heading: Heading, index: number): boolean =>
    linesOf(body, heading.line, outline[index + 1]?.line).split('\n').length > 1;
  const index = outline.findIndex(isLast);
  return linesOf(body, 1, index === -1 ? undefined : outline[index + 1]?.line);
}

/** @param from 1-based, included @param until 1-based, left out; undefined for the end */
function linesOf(body: string, from: number, until: number | undefined): string {
  return body
    .split('\n')
    .slice(from - 1, until === undefined ? undefined : until - 1)
    .join('\n')
    .trim();
}

/** GitHub's rule: lower case, letters, digits, `-` and `_` kept, blanks to `-`, `-1` and so on for repeats. */
function uniqueSlug(text: string, counts: Map<string, number>): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  let unique = slug;
  for (let count = counts.get(slug) ?? 0; counts.has(unique); ) {
    count += 1;
    unique = `${slug}-${count}`;
    counts.set(slug, count);
  }
  counts.set(unique, 0);
  return unique;
}
