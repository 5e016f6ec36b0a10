import { markdown } from './markdown.ts';
import type { Token } from './markdown.ts';

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
  return findHeadings(body).map(({ text, level, slug, line }) => ({ text, level, slug, line }));
}

/**
 * One section: from its heading to the next of the same or a higher level, trimmed; undefined where there is none.
 * @param heading a slug or a heading's text, in any case
 */
export function sectionOf(body: string, heading: string): string | undefined {
  const headings = findHeadings(body);
  const wanted = heading.trim().toLowerCase();
  const bySlug = headings.findIndex(({ slug }) => slug === wanted);
  const index = bySlug === -1 ? headings.findIndex(({ text }) => text.toLowerCase() === wanted) : bySlug;
  const start = headings[index];
  if (start === undefined) return undefined;
  const next = headings.slice(index + 1).find(({ level }) => level <= start.level);
  return textBetween(body, start.line, next?.line);
}

/**
 * The text from the top to the end of the first section that says something: a title directly above another heading
 * does not. The whole body where no heading ends it.
 */
export function leadSection(body: string): string {
  const headings = findHeadings(body);
  const first = headings.findIndex(
    ({ contentLine }, index) => textBetween(body, contentLine, headings[index + 1]?.line) !== '',
  );
  return textBetween(body, 1, first === -1 ? undefined : headings[first + 1]?.line);
}

interface PlacedHeading extends Heading {
  /** 1-based line of the body below the heading; a setext heading has two lines. */
  readonly contentLine: number;
}

function findHeadings(body: string): readonly PlacedHeading[] {
  const slugCounts = new Map<string, number>();
  const tokens = markdown.parse(body, {});
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0 || token.map === null) return [];
    const [start, end] = token.map;
    const text = plainText(tokens[index + 1]?.children ?? []);
    const slug = uniqueSlug(text, slugCounts);
    return [{ text, level: Number(token.tag.slice(1)), slug, line: start + 1, contentLine: end + 1 }];
  });
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type !== 'html_inline')
    .map(({ content }) => content)
    .join('')
    .trim();
}

/** @param from 1-based, included @param until 1-based, left out; undefined for the end */
function textBetween(body: string, from: number, until: number | undefined): string {
  const end = until === undefined ? undefined : until - 1;
  return body
    .split('\n')
    .slice(from - 1, end)
    .join('\n')
    .trim();
}

/** GitHub's rule: lower case; letters, digits, `-` and `_` kept; blanks to `-`; `-1` and so on for repeats. */
function uniqueSlug(text: string, counts: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  let count = counts.get(slug) ?? 0;
  let unique = slug;
  while (counts.has(unique)) {
    count += 1;
    unique = `${slug}-${count}`;
  }
  counts.set(slug, count);
  counts.set(unique, counts.get(unique) ?? 0);
  return unique;
}
