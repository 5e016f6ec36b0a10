import { createMarkdown } from './markdown.ts';
import type { Parser, Token } from './markdown.ts';

export interface HtmlOptions {
  /** Where a link leads that is written like this, without its anchor; undefined where nowhere. */
  readonly linkTo: (target: string) => string | undefined;
}

/** Headings of a body stand below the two of what shows it. */
const HEADINGS_ABOVE = 2;
const WEB = /^(?:https?:\/\/|mailto:)/i;

/**
 * A playbook's body as HTML that is safe to show, whoever wrote it: tags are shown as text, images as their alternative text
 * (loading one tells its server who reads), and only links to the web or to where `linkTo` says lead anywhere.
 * There is no inline style in it, so that a page can forbid them.
 */
export function toHtml(body: string, { linkTo }: HtmlOptions): string {
  return createRenderer(linkTo).render(body);
}

function createRenderer(linkTo: HtmlOptions['linkTo']): Parser {
  const parser = createMarkdown({ html: false });
  const { escapeHtml } = parser.utils;
  const opening = (written: string): string => {
    if (WEB.test(written)) return `<a href="${escapeHtml(written)}" target="_blank" rel="noopener noreferrer">`;
    const address = linkTo(written.replace(/[?#].*$/s, '').replace(/^playbook:\/\//i, ''));
    return address === undefined ? '<span class="nowhere">' : `<a href="${escapeHtml(address)}">`;
  };
  const linked = (target: string, text: string): string => {
    const start = opening(target);
    return `${start}${escapeHtml(text)}${closing(start)}`;
  };
  const open: string[] = [];
  Object.assign(parser.renderer.rules, {
    link_open: (tokens: readonly Token[], at: number): string => {
      const start = opening(String(tokens[at]?.attrGet('href') ?? ''));
      open.push(start);
      return start;
    },
    link_close: (): string => closing(open.pop() ?? ''),
    image: (tokens: readonly Token[], at: number): string => escapeHtml(`[image: ${tokens[at]?.content ?? ''}]`),
    wiki_link: (tokens: readonly Token[], at: number): string => {
      const [target = '', text = target] = (tokens[at]?.content ?? '').split('|');
      return linked(target.trim(), text.trim());
    },
    playbook_uri: (tokens: readonly Token[], at: number): string => {
      const uri = tokens[at]?.content ?? '';
      return linked(uri, uri);
    },
  });
  parser.core.ruler.push('plain_tags', ({ tokens }) => tokens.forEach(plainTag));
  return parser;
}

function closing(opened: string): string {
  return opened.startsWith('<a') ? '</a>' : '</span>';
}

/** Headings further down; the alignment of a table's cells, which markdown-it writes as a style, left out. */
function plainTag(token: Token): void {
  if (token.type === 'heading_open' || token.type === 'heading_close') {
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + HEADINGS_ABOVE)}`;
  }
  if (token.tag === 'th' || token.tag === 'td') token.attrs = null;
}
