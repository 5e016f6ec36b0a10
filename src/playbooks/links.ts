import type { Playbook } from '../model.ts';
import { markdown, offsetInInline } from './markdown.ts';
import type { Environment, Token } from './markdown.ts';
import { decodeEscapes } from './decode-escapes.ts';

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

/**
 * Without one of these a body has no link that matters, and parsing it (some 250 µs) can be saved: `[text](target)` and definitions that
 * lead neither to the web nor to a heading of the same text, `[[id]]`, and bare URIs. `[text][label]` needs a definition.
 */
const LINK_MARKS = [/\]\((?!https?:|#)/, /\]:(?!\s*https?:)/, /\[\[[^\n[\]]+\]\]/, /playbook:\/\//];
const URI_SCHEME = /^playbook:\/\//i;
/** Another scheme, a host, a path from the root or the home directory, or a template: nothing in this source. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|[/\\~])|[{}<>]/i;

/**
 * The links of a body, in order of appearance. Links in code, images, and what leads to the web or out of the source by
 * an absolute path are left out.
 */
export function findLinks(playbook: Pick<Playbook, 'body' | 'bodyLine'>): readonly Link[] {
  const { body, bodyLine } = playbook;
  if (!LINK_MARKS.some((mark) => mark.test(body))) return [];
  const lines = body.split('\n');
  const links: Link[] = [];
  let blockLine = 0;
  for (const token of parseLinks(body)) {
    // Cells of a table have no lines of their own: those of their row hold.
    blockLine = token.map?.[0] ?? blockLine;
    const children = token.type === 'inline' ? (token.children ?? []) : [];
    if (children.length === 0) continue;
    const placeOf = placesIn(token.content, lines, blockLine);
    for (const [index, child] of children.entries()) {
      const destination = destinationOf(child, index, children);
      if (destination === undefined) continue;
      const place = placeOf(offsetInInline(child) ?? 0);
      links.push({ ...destination, line: bodyLine + place.line, column: place.column });
    }
  }
  return links;
}

/** The blocks of a body; of the text in them only what may have a link is parsed too, which takes most of the time. */
function parseLinks(body: string): readonly Token[] {
  const tokens: Token[] = [];
  const environment: Environment = {};
  // As `markdown.parse` has it: nothing that follows may meet it.
  markdown.block.parse(body.replaceAll('\0', '\uFFFD'), markdown, environment, tokens);
  const marks = environment.references === undefined ? ['](', '[[', 'playbook://'] : ['[', 'playbook://'];
  for (const { type, content, children } of tokens) {
    if (type !== 'inline' || children === null || !marks.some((mark) => content.includes(mark))) continue;
    markdown.inline.parse(content, markdown, environment, children);
  }
  return tokens;
}

type Destination = Pick<Link, 'form' | 'target' | 'text'>;

/** What a markdown link's destination leads to, as a `Link` tells it; undefined where that is nothing in this source. */
export function readDestination(written: string): Pick<Link, 'form' | 'target'> | undefined {
  if (URI_SCHEME.test(written)) return uriTarget(written);
  const target = decodeEscapes(written.replace(/[?#].*$/s, '')).trim();
  return target === '' || ELSEWHERE.test(target) ? undefined : { form: 'markdown', target };
}

/** What stands between `[[` and `]]`, as a `Link` tells it: `id`, `id#heading`, `id|text`; in a table the bar may be `\|`. */
export function readWikiLink(inner: string): Destination | undefined {
  const [written = '', ...shown] = inner.split('|');
  const target = written.replace(/\\$/, '').replace(/#.*$/s, '').trim();
  if (target === '') return undefined;
  return { form: 'wiki', target, text: shown.join('|').trim() || target };
}

function destinationOf(token: Token, index: number, siblings: readonly Token[]): Destination | undefined {
  if (token.type === 'wiki_link') return readWikiLink(token.content);
  const isBare = token.type === 'playbook_uri';
  if (!isBare && token.type !== 'link_open') return undefined;
  const destination = isBare ? uriTarget(token.content) : readDestination(String(token.attrGet('href') ?? ''));
  return destination && { ...destination, text: isBare ? token.content : linkText(index, siblings) };
}

function uriTarget(uri: string): Pick<Link, 'form' | 'target'> | undefined {
  const target = decodeEscapes(uri.replace(URI_SCHEME, '').replace(/[?#].*$/s, ''));
  return target === '' ? undefined : { form: 'uri', target };
}

/** The text from an opening token to its end; links do not nest. */
function linkText(opening: number, siblings: readonly Token[]): string {
  let text = '';
  for (let index = opening + 1; index < siblings.length; index += 1) {
    const token = siblings[index];
    if (token === undefined || token.type === 'link_close') break;
    // What an escape or an entity stands for is text too, which `markdown.parse` would have joined with the text beside it.
    if (token.type === 'text' || token.type === 'text_special' || token.type === 'code_inline') text += token.content;
    if (token.type === 'softbreak' || token.type === 'hardbreak') text += ' ';
  }
  return text.trim();
}

/**
 * Finds, for growing offsets of an inline text, the 0-based line of the body and the 1-based column. The lines of the text
 * are those of the body less block marks and indentation.
 */
function placesIn(
  content: string,
  bodyLines: readonly string[],
  blockLine: number,
): (offset: number) => { readonly line: number; readonly column: number } {
  const contentLines = content.split('\n');
  // -1 where markdown-it changed the line, as it does `\|` in a table: then the line alone is right.
  const indentOf = (index: number): number => bodyLines[blockLine + index]?.indexOf(contentLines[index] ?? '') ?? -1;
  let index = 0;
  let lineStart = 0;
  let indent = indentOf(0);
  return (offset) => {
    for (;;) {
      const length = contentLines[index]?.length ?? 0;
      if (offset <= lineStart + length || index + 1 >= contentLines.length) break;
      lineStart += length + 1;
      index += 1;
      indent = indentOf(index);
    }
    return { line: blockLine + index, column: indent === -1 ? 1 : indent + offset - lineStart + 1 };
  };
}
