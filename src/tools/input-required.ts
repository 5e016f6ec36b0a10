import * as z from 'zod';

import type { JsonObject } from '../model.ts';
import { isJsonObject } from '../model.ts';
import type { GivenInput } from './provider.ts';

/** What a server of 2026-07-28 answers when it needs something before it can go on. */
const resultSchema = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.looseObject({ method: z.string() })).default({}),
  requestState: z.string().optional(),
});

/** What we hand on as the server's state: that, and the questions for roots, which are ours to answer in the next round. */
const stateSchema = z.object({ state: z.string().optional(), roots: z.array(z.string()) });

/** What follows from a result of type `input_required`: another try at once, or questions for the caller. */
export type NextRound =
  | { readonly kind: 'retry'; readonly input: GivenInput }
  | { readonly kind: 'questions'; readonly result: JsonObject };

/** The next round; undefined for any other result. Roots are told by us: only what else is asked is the caller's. */
export function nextRoundOf(result: JsonObject): NextRound | undefined {
  // Almost no result is one, and a schema that does not fit costs more than the rest of a call.
  if (result['resultType'] !== 'input_required') return undefined;
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) return undefined;
  const { inputRequests, requestState, ...rest } = parsed.data;
  const entries = Object.entries(inputRequests);
  const roots = entries.filter(([, { method }]) => method === 'roots/list').map(([key]) => key);
  const asked = entries.filter(([key]) => !roots.includes(key));
  const state = JSON.stringify({ ...(requestState !== undefined && { state: requestState }), roots });
  if (asked.length === 0 && roots.length > 0) return { kind: 'retry', input: { responses: {}, state } };
  const questions = asked.length > 0 && { inputRequests: Object.fromEntries(asked) };
  return { kind: 'questions', result: { ...rest, ...questions, requestState: state } };
}

/** What a retried request carries besides what the first one did; nothing in the first round. */
export function retryParams(input: GivenInput | undefined, rootUris: readonly string[]): JsonObject {
  if (input === undefined) return {};
  const { state, roots } = stateSchema.parse(JSON.parse(input.state ?? '{"roots":[]}'));
  const answer = { roots: rootUris.map((uri) => ({ uri })) };
  const inputResponses = {
    ...Object.fromEntries(Object.entries(input.responses).filter(([, response]) => isJsonObject(response))),
    ...Object.fromEntries(roots.map((key) => [key, answer])),
  };
  return {
    ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
    ...(state !== undefined && { requestState: state }),
  };
}
