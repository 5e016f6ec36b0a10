import * as z from 'zod';

import { splitCommas } from './coerce.ts';

/** What would end a line, move the cursor or turn the reading direction: an entry's line must not forge another one. */
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;

/** A text as one line, as every text field is read; '' for a blank one. */
export function lineOf(text: string): string {
  return text.replace(BREAKS_LINE, ' ').trim();
}

/** What editors should take for text: numbers and words for true are read from their source text. */
export const SCALAR_TYPES = ['string', 'number', 'boolean'];

/** Marks, in the JSON Schema of a form, that one text is read for it too; see `frontMatterJsonSchema`. */
export const ALSO_TEXT = { alsoText: true } as const;

/** A text field: one line, trimmed, never blank. */
export const textSchema = z
  .string({ error: 'expected text' })
  .transform(lineOf)
  .pipe(z.string().min(1, { error: 'it is blank' }))
  .meta({ type: SCALAR_TYPES });

/** A list; items that `readFields` took out because they are wrong are undefined in it, so that the others keep their index. */
export function itemsOf<Schema extends z.ZodType>(item: Schema): z.ZodArray<z.ZodOptional<Schema>> {
  return z.array(item.optional(), { error: 'expected a list' });
}

/** The items that are left. */
export function present<Item>(items: readonly (Item | undefined)[]): readonly Item[] {
  return items.filter((item) => item !== undefined);
}

/** A list of texts, or one text with commas between them. */
export const wordsSchema = z
  .preprocess((value) => (typeof value === 'string' ? splitCommas(value) : value), itemsOf(textSchema))
  .transform(present)
  .meta(ALSO_TEXT);

/** A list of texts, or just one: commas belong to it. */
export const sentencesSchema = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), itemsOf(textSchema))
  .transform(present)
  .meta(ALSO_TEXT);
