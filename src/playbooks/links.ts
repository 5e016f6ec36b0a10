import type { Playbook } from '../model.ts';
import { markdown, offsetInInline } from './markdown.ts';
import type { Token } from './markdown.ts';

/** A link in a body that may lead to another playbook or to a supporting file. */
export interface Link {
  /** `[text](target)` or `<target>`, `[[target|text]]`, or a bare `playbook://target`. */
  readonly form: 'markdown' | 'wiki' | 'uri';
  /** Where it leads, as written, decoded, without `#anchor` and without `playbook://`; never empty. */
  readonly target: string;
  /** What a reader sees. */
  readonly text: string;
  /** 1-based line of the file. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Without one of these a body has no link, and parsing it (some 250 µs) can be saved. */
const LINK_MARKS = ['](', '][', ']:', '[[', 'playbook://'];
const URI_SCHEME = /^playbook:\/\//i;
/** Another scheme, a host, a path from the root or the home directory, or a template: nothing in this source. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|[/\\~])|[{}<>]/i;

/**
 * The links of a body, in order of appearance. Links in code, images, and what leads to the web or out of the source by
 * an absolute path are left out.
 */
export function findLinks(playbook: Pick<Playbook, 'body' | 'bodyLine'>): readonly Link[] {
  const { body, bodyLine } = playbook;
  if (!LINK_MARKS.some((mark) => body.includes(mark))) return [];
  const lines = body.split('\n');
  const links: Link[] = [];
  let blockStart = 0;
  for (const token of markdown.parse(body, {})) {
    // Cells of a table have no lines of their own: those of their row hold.
    blockStart = token.map?.[0] ?? blockStart;
    if (token.type !== 'inline' || token.children === null) continue;
    for (const [index, child] of token.children.entries()) {
      const link = linkOf(child, token.children.slice(index + 1));
      if (link === undefined) continue;
      const place = placeOf(token.content, offsetInInline(child) ?? 0, lines.slice(blockStart));
      links.push({ ...link, line: bodyLine + blockStart + place.line, column: place.column });
    }
  }
  return links;
}

type Destination = Pick<Link, 'form' | 'target' | 'text'>;

function linkOf(token: Token, following: readonly Token[]): Destination | undefined {
  if (token.type === 'wiki_link') return wikiLink(token.content);
  if (token.type === 'playbook_uri') return uriLink(token.content, token.content);
  if (token.type !== 'link_open') return undefined;
  const written = String(token.attrGet('href') ?? '');
  const end = following.findIndex(({ type }) => type === 'link_close');
  const text = textOf(following.slice(0, end === -1 ? following.length : end));
  if (URI_SCHEME.test(written)) return uriLink(written, text);
  const target = decoded(written.replace(/[?#].*$/s, '')).trim();
  return target === '' || ELSEWHERE.test(target) ? undefined : { form: 'markdown', target, text };
}

/** `[[id]]`, `[[id#heading]]`, `[[id|text]]`; in a table the bar may be `\|`. */
function wikiLink(inner: string): Destination | undefined {
  const [written = '', ...shown] = inner.split('|');
  const target = written.replace(/\\$/, '').replace(/#.*$/s, '').trim();
  if (target === '') return undefined;
  return { form: 'wiki', target, text: shown.join('|').trim() || target };
}

function uriLink(uri: string, text: string): Destination | undefined {
  const target = decoded(uri.replace(URI_SCHEME, '').replace(/[?#].*$/s, ''));
  return target === '' ? undefined : { form: 'uri', target, text };
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A lone `%` is a character of the name, not an escape.
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Where an offset of an inline text stands among the lines from which the text was taken, its block marks left out. */
function placeOf(content: string, offset: number, lines: readonly string[]): { line: number; column: number } {
  const before = content.slice(0, offset).split('\n');
  const line = before.length - 1;
  const inLine = before[line]?.length ?? 0;
  const text = content.split('\n')[line] ?? '';
  return { line, column: Math.max(lines[line]?.indexOf(text) ?? 0, 0) + inLine + 1 };
}
