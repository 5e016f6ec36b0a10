import { isDeepStrictEqual } from 'node:util';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { exceedsTokens, tokenCountOf } from '../catalog/tokens.ts';
import { isJsonObject } from '../model.ts';
import { cutText } from '../tools/cut-text.ts';
import type { HeldResults } from '../tools/held-results.ts';
import { BEGINNING, pageAt, toCursor } from '../tools/pages.ts';
import { noteOn } from '../tools/result-reader.ts';

/** Room on each page for what it says about itself: its part of the whole, the call for the next one, a table's header. */
const NOTE_TOKENS = 150;

const LEFT_OUT = '[structuredContent is left out, since it is too long: the text says the same.]';

export interface LimitOptions {
  /** Tokens that a result may have. */
  readonly limit: number;
  /** Keeps what is cut off. */
  readonly held: HeldResults;
  /** See `HeldResult.owner`. */
  readonly owner?: string;
}

/**
 * Cuts a result whose text is over the limit: its first page, with a last block that tells how much there is and how to read
 * on. A result within the limit is returned as it is. Blocks that are no text (images, audio, links, binary resources) stay.
 *
 * `structuredContent` over the limit is text to a model like any other, and some clients show a model nothing else, so it is
 * left out then: for the text that repeats it, or, where none does, for its JSON as one more text.
 */
export function limitResult(result: CallToolResult, { limit, held, owner }: LimitOptions): CallToolResult {
  const structured = structuredText(result, limit);
  const content: readonly ContentBlock[] =
    structured === undefined || isTold(result) ? result.content : [...result.content, textBlock(structured)];
  const texts = content.map(textOf);
  if (structured === undefined && !isOver(texts, limit)) return result;
  const pageTokens = Math.max(limit - NOTE_TOKENS, Math.floor(limit / 2));
  const told = texts.filter((text) => text !== undefined);
  const cuts = told.map((text) => cutText(text, pageTokens));
  const page = pageAt(cuts, BEGINNING, pageTokens);
  const first = page.pieces.map(({ text }) => text);
  const shown = withTexts(content, first);
  const { structuredContent, ...rest } = result;
  const kept = structured === undefined && structuredContent !== undefined ? { structuredContent } : {};
  const notes = structured === undefined ? [] : [textBlock(LEFT_OUT)];
  if (page.next === undefined) return { ...rest, ...kept, content: [...shown, ...notes] };
  const totalTokens = estimateTotal(told, first);
  const bytes = told.reduce((sum, text) => sum + text.length * 2, 0);
  const handle = held.hold({
    ...(owner !== undefined && { owner }),
    texts: cuts,
    pageTokens,
    second: page.next,
    totalTokens,
    whole: told,
    bytes,
  });
  return {
    ...rest,
    ...kept,
    content: [...shown, ...notes, textBlock(noteOn(page, { texts: cuts, totalTokens }, handle))],
    _meta: { ...result._meta, 'playbook-mcp/cut': { handle, cursor: toCursor(page.next) } },
  };
}

/** JSON of structured content that is over the limit by itself. */
function structuredText({ structuredContent }: CallToolResult, limit: number): string | undefined {
  const json = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  return json !== undefined && exceedsTokens(json, limit) ? json : undefined;
}

/**
 * Whether a text of the result says what its structured content says: as JSON, as the protocol recommends, or as what its only
 * member holds, as servers do whose results are one text or one list.
 */
function isTold({ content, structuredContent }: CallToolResult): boolean {
  const members = isJsonObject(structuredContent) ? Object.values(structuredContent) : [];
  const said = [structuredContent, ...(members.length === 1 ? members : [])];
  return content.some((block) => {
    if (block.type !== 'text') return false;
    if (said.includes(block.text)) return true;
    const parsed = parseJson(block.text);
    return parsed !== undefined && said.some((each) => isDeepStrictEqual(parsed, each));
  });
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isOver(texts: readonly (string | undefined)[], limit: number): boolean {
  let left = limit;
  for (const text of texts) {
    if (text === undefined) continue;
    if (exceedsTokens(text, left)) return true;
    // Counting is only needed where another text follows.
    if (texts.length > 1) left -= tokenCountOf(text);
  }
  return false;
}

/** What a block gives a model to read; undefined where it is no text. */
function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  return undefined;
}

/** The blocks with these texts in place of theirs, in order; those whose text is not on this page go. */
function withTexts(content: readonly ContentBlock[], texts: readonly string[]): ContentBlock[] {
  const left = [...texts];
  return content.flatMap((block): readonly ContentBlock[] => {
    if (textOf(block) === undefined) return [block];
    const text = left.shift();
    if (text === undefined) return [];
    if (block.type === 'text') return [{ ...block, text }];
    return block.type === 'resource' ? [{ ...block, resource: { ...block.resource, text } }] : [];
  });
}

/** Counting megabytes takes seconds, so the rest is taken to be like the first page; two digits of it are worth telling. */
function estimateTotal(all: readonly string[], first: readonly string[]): number {
  const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
  const ofFirst = first.reduce((sum, text) => sum + tokenCountOf(text), 0);
  const total = (lengthOf(all) / Math.max(lengthOf(first), 1)) * ofFirst;
  return Number(total.toPrecision(2));
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}
