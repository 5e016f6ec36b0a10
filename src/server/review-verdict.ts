import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../model.ts';

const reviewVerdictSchema = z.object({
  verdicts: z
    .array(
      z.object({
        id: z.string().describe('as the question gives it'),
        verdict: z
          .enum(['keep', 'duplicate', 'unneeded', 'rewrite'])
          .describe(
            '`keep`: it says something new that agents need; `duplicate`: another one does already; `unneeded`: any agent does this well without it; `rewrite`: needed, but not as it is',
          ),
        of: z.string().optional().describe('for `duplicate`: id of the one that does already'),
        reason: z.string().min(1).describe('why, in a sentence or two'),
      }),
    )
    .describe('one for each playbook of the question'),
});

/** What a reviewer says of each playbook. */
export type ReviewVerdict = z.infer<typeof reviewVerdictSchema>['verdicts'][number];

/** The JSON Schema of a reviewer's answer; published with the package. */
export function reviewVerdictJsonSchema(): JsonObject {
  return z.toJSONSchema(reviewVerdictSchema, { io: 'input' });
}

/** More beginnings of objects than this are not tried, so that hostile output cannot buy minutes. */
const MOST_ATTEMPTS = 2_000;
const LONGEST_ANSWER = 256 * 1024;

/**
 * The verdicts in what a reviewer said: the last object of the schema's form, among prose or in a fence. One that stands in the
 * question word for word is no answer: a playbook may hold a verdict on itself, and some programs repeat what they were asked.
 *
 * @returns undefined where there is none.
 */
export function readVerdicts(said: string, question: string): readonly ReviewVerdict[] | undefined {
  const text = said.slice(-LONGEST_ANSWER);
  // As the files have it, too: an agent may print one that it has read itself.
  const asked = `${question}\n${question.replace(/^\| ?/gm, '')}`;
  let at = text.length;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && at > 0; attempt += 1) {
    at = text.lastIndexOf('{', at - 1);
    if (at === -1) return undefined;
    const parsed = reviewVerdictSchema.safeParse(objectAt(text, at, asked));
    if (parsed.success) return parsed.data.verdicts;
  }
  return undefined;
}

/** The JSON object that begins at a brace; undefined where there is none, or none that the question does not hold. */
function objectAt(text: string, start: number, asked: string): JsonObject | undefined {
  const written = text.slice(start, endOfObject(text, start));
  if (asked.includes(written)) return undefined;
  try {
    const value: unknown = JSON.parse(written);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined where it does not end. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
