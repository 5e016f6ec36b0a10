import MarkdownIt from 'markdown-it';
import type { Env as Environment, MarkdownIt as Parser, StateInline, Token } from 'markdown-it';

/**
 * The one markdown parser: CommonMark with tables, HTML left alone, destinations of links as they are written.
 * It adds two tokens, `wiki_link` (`[[id]]`, `[[id|text]]`) and `playbook_uri` (a bare `playbook://id`), whose `content`
 * is what stands between the brackets, or the URI.
 */
export const markdown: Parser = createMarkdown({ html: true });

/** markdown-it keeps no places below the line, and overwrites `meta` of reference links. */
const inlineOffsets = new WeakMap<Token, number>();

/** Where in the text of its inline token a link begins, 0-based; undefined for tokens that are no links. */
export function offsetInInline(token: Token): number | undefined {
  return inlineOffsets.get(token);
}

export type { Environment, Parser, Token };

const URI_SCHEME = 'playbook';
const BARE_URI = /^playbook:\/\/[^\s<>()[\]{}"'`|\\]+/;
/** Longest id of either form: without a bound, a file of `[[` alone would cost the square of its length. */
const MAX_LENGTH = 300;

/** A parser as `markdown`; with `html: false` tags are text. */
export function createMarkdown(options: { readonly html: boolean }): Parser {
  const parser = new MarkdownIt('default', options);
  parser.normalizeLink = (url) => url;
  parser.validateLink = () => true;
  const Base = parser.inline.State;
  parser.inline.State = class extends Base {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token = super.push(type, tag, nesting);
      // The rule for `[text](…)` pushes from behind its bracket, the one for `<…>` from its own start.
      if (type === 'link_open') inlineOffsets.set(token, this.src[this.pos] === '<' ? this.pos : this.pos - 1);
      return token;
    }
  };
  parser.inline.ruler.before('link', 'wiki_link', wikiLink);
  parser.inline.ruler.before('linkify', 'playbook_uri', playbookUri);
  return parser;
}

function wikiLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (!src.startsWith('[[', pos) || src[pos - 1] === '!') return false;
  const inner = src.slice(pos + 2, Math.min(pos + 2 + MAX_LENGTH, state.posMax));
  const end = inner.search(/[\n[\]]/);
  if (end <= 0 || !inner.startsWith(']]', end)) return false;
  // `[[text]](target)` is a markdown link whose text is in brackets.
  if (src[pos + end + 4] === '(') return false;
  if (!silent) {
    const token = state.push('wiki_link', '', 0);
    token.content = inner.slice(0, end);
    inlineOffsets.set(token, pos);
  }
  state.pos = pos + end + 4;
  return true;
}

/** Text runs up to the `:`, as markdown-it's own rule for bare links uses it, so the scheme is already pending. */
function playbookUri(state: StateInline, silent: boolean): boolean {
  const start = state.pos - URI_SCHEME.length;
  if (state.linkLevel > 0 || !state.src.startsWith('://', state.pos) || start < 0) return false;
  if (/\w/.test(state.src[start - 1] ?? '')) return false;
  const uri = BARE_URI.exec(state.src.slice(start, Math.min(start + MAX_LENGTH, state.posMax)))?.[0].replace(
    /[.,;:!?*_~]+$/,
    '',
  );
  if (uri === undefined || uri.length <= `${URI_SCHEME}://`.length) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -URI_SCHEME.length);
    const token = state.push('playbook_uri', '', 0);
    token.content = uri;
    inlineOffsets.set(token, start);
  }
  state.pos = start + uri.length;
  return true;
}
