import { PlaybookError } from '../errors.ts';
import type { JsonObject, WrappedTool } from '../model.ts';
import { BUILT_IN } from './built-in.ts';
import { HELD_MINUTES, type HeldResult, type HeldResults } from './held-results.ts';
import { digestOf } from './json.ts';
import { type Page, pageAt, type Place, placeOf, toCursor } from './pages.ts';
import type { CallOptions, ToolProvider } from './provider.ts';

const READ_ID = 'results__read';
const LONGEST_HEADER = 200;

const inputSchema = {
  type: 'object',
  properties: {
    handle: { type: 'string', description: 'as the cut result told it' },
    cursor: { type: 'string', description: 'as the page before told it; the second page where absent' },
  },
  required: ['handle'],
  additionalProperties: false,
};

const description = `The next page of a result that was cut since it was too long. It is kept for ${HELD_MINUTES} minutes after the last page.`;

/** What the catalog knows of it. */
export const readTool: WrappedTool = {
  id: READ_ID,
  server: BUILT_IN,
  tool: 'read',
  name: 'Next page of a cut result',
  description,
  tags: [],
  inputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  digest: digestOf({ name: 'read', description, inputSchema }),
};

/** The built-in entry `results__read`. */
export class ResultReader implements ToolProvider {
  readonly #held: HeldResults;

  constructor(held: HeldResults) {
    this.#held = held;
  }

  tools(): readonly WrappedTool[] {
    return [readTool];
  }

  /** @throws PlaybookError `tools/unknown-handle`, `tools/bad-cursor`. */
  call(_id: string, args: JsonObject, { identity }: CallOptions = {}): Promise<JsonObject> {
    const reading = { handle: textIn(args, 'handle'), cursor: textIn(args, 'cursor'), identity };
    return this.#read(reading);
  }

  async #read({ handle, cursor, identity }: Reading): Promise<JsonObject> {
    const held = await this.#held.find(handle.trim());
    // Another caller's is as if it were not there.
    if (held === undefined || (held.owner !== undefined && held.owner !== identity)) {
      throw new PlaybookError(
        'tools/unknown-handle',
        `No result is kept as "${handle}": the handle is not one of ours, or it has expired. A result is kept for ${HELD_MINUTES} minutes after it was last read, and less where many are.`,
        { hint: 'Execute the tool again; ask for less at once where its arguments allow it.' },
      );
    }
    const place = cursor === '' ? held.second : placeOf(cursor, held.texts);
    if (place === undefined) {
      throw new PlaybookError('tools/bad-cursor', `The cursor "${cursor}" does not belong to this result.`, {
        hint: `Leave it out to read the second page, or give the one that a page of ${handle} told.`,
      });
    }
    const page = pageAt(held.texts, place, held.pageTokens);
    const texts = [...page.pieces.map(({ text }) => text), noteOn(page, held, handle)];
    return { content: texts.map((text) => ({ type: 'text', text })) };
  }
}

interface Reading {
  readonly handle: string;
  readonly cursor: string;
  /** See `CallOptions.identity`. */
  readonly identity: string | undefined;
}

function textIn(args: JsonObject, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value : '';
}

/** What a page says about itself: which part it is, of how much, and the call that gives the next one. */
export function noteOn({ pieces, next }: Page, { texts, totalTokens }: Told, handle: string): string {
  const last = pieces.at(-1);
  const header = last === undefined || last.from.position === 0 ? undefined : texts[last.from.text]?.header;
  const parts = texts.length === 1 || last === undefined ? '' : ` of text ${last.from.text + 1} of ${texts.length}`;
  const size = `${last?.where ?? 'nothing'}${parts}; about ${totalTokens.toLocaleString('en-US')} tokens in all`;
  return [
    header === undefined || header.length > LONGEST_HEADER ? '' : `[Header of these rows: ${header}]\n`,
    next === undefined ? `[The last page: ${size}.]` : `[Cut: ${size}. Next page: execute ${callOf(handle, next)}]`,
  ].join('');
}

type Told = Pick<HeldResult, 'texts' | 'totalTokens'>;

function callOf(handle: string, next: Place): string {
  return JSON.stringify({ id: READ_ID, arguments: { handle, cursor: toCursor(next) } });
}
