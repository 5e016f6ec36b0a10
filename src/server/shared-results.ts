import * as z from 'zod';
import { PlaybookError } from '../errors.ts';
import { cutText } from '../tools/cut-text.ts';
import { HELD_MINUTES, type HeldResult, type ResultStore } from '../tools/held-results.ts';
import type { SharedState } from '../usage/shared-state.ts';

const schema = z.object({
  owner: z.string().exactOptional(),
  whole: z.array(z.string()),
  pageTokens: z.number(),
  second: z.object({ text: z.number(), position: z.number() }),
  totalTokens: z.number(),
});

/** Keeps cut results where every replica finds them; the texts are cut anew by whoever reads on. */
export function sharedResults(state: SharedState): ResultStore {
  return {
    put: async (handle, { owner, whole = [], pageTokens, second, totalTokens }) => {
      const kept = { ...(owner !== undefined && { owner }), whole: [...whole], pageTokens, second, totalTokens };
      try {
        await state.put(`result ${handle}`, JSON.stringify(kept satisfies z.input<typeof schema>), expiry());
      } catch (error) {
        // Nobody but our log is told of it, which wants to know why.
        throw error instanceof PlaybookError ? (error.cause ?? error) : error;
      }
    },
    get: async (handle) => {
      const key = `result ${handle}`;
      const json = await state.get(key);
      if (json === undefined) return undefined;
      await state.put(key, json, expiry());
      return toHeld(schema.parse(JSON.parse(json)));
    },
  };
}

function expiry(): number {
  return Date.now() + HELD_MINUTES * 60_000;
}

function toHeld({ whole, pageTokens, ...rest }: z.output<typeof schema>): HeldResult {
  const bytes = whole.reduce((sum, text) => sum + text.length * 2, 0);
  return { ...rest, pageTokens, texts: whole.map((text) => cutText(text, pageTokens)), bytes };
}
