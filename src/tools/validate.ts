import type { Options } from 'ajv';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { messageOf } from '../errors.ts';
import type { JsonSchema } from '../model.ts';
import type { ArgumentProblem } from './argument-problems.ts';
import { toProblems } from './argument-problems.ts';
import { BoundedPatterns } from './bounded-patterns.ts';
import { isJsonObject } from '../model.ts';
import { checkTopLevel, isTooLarge, MOST_PARTS } from './top-level.ts';

export type { ArgumentProblem } from './argument-problems.ts';

/** Checks arguments against one schema; `unusable` where the schema cannot be compiled, which must not cost anybody the tool. */
export type Validator =
  | {
      readonly kind: 'usable';
      /** Every field at fault at once; [] where the arguments fit. */
      readonly validate: (args: unknown) => readonly ArgumentProblem[];
      /** What is not checked, as a sentence about the schema; absent where all is. */
      readonly omission?: string;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Compiles a JSON Schema of draft 2020-12, or of draft-07 where it says so or can only be read so. Formats are not checked.
 *
 * It takes milliseconds for a small schema, and this file loads ajv: import it, and compile, at the first call of a tool, and
 * keep what this returns by the schema's digest. A schema so large that compiling it would hold up everybody else is checked at
 * its top level only; the upstream has the last word anyway.
 */
export function compileValidator(schema: JsonSchema): Validator {
  if (isTooLarge(schema)) {
    const omission = `it has more than ${MOST_PARTS} parts, so that only missing fields and the types of given ones are checked`;
    return { kind: 'usable', omission, validate: (args) => checkTopLevel(schema, args) };
  }
  const dialects = isDraft7(schema) ? [Ajv, Ajv2020] : [Ajv2020, Ajv];
  let reason = '';
  for (const Dialect of dialects) {
    const patterns = new BoundedPatterns();
    try {
      // One instance a schema: two schemas with the same `$id` would silently share one validator.
      const ajv = new Dialect(optionsWith(patterns));
      // Draft-04's name for `$id`, which ajv refuses and nobody refers to.
      ajv.removeKeyword('id');
      const fits = ajv.compile(schema);
      if (!endsWithin(() => fits({}))) return { kind: 'unusable', reason: 'it refers to itself without end' };
      const validate = (args: unknown): readonly ArgumentProblem[] => {
        patterns.reset();
        let isFit = true;
        // Arguments that are nested too deep to be looked at are the upstream's to judge.
        endsWithin(() => (isFit = fits(args)));
        return isFit ? [] : toProblems(fits.errors ?? []);
      };
      return { kind: 'usable', validate };
    } catch (error) {
      reason ||= messageOf(error);
    }
  }
  return { kind: 'unusable', reason };
}

/** Whether a check came to its end before the stack did. */
function endsWithin(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function optionsWith(patterns: BoundedPatterns): Options {
  return {
    allErrors: true,
    // A parameter may be called `constructor`.
    ownProperties: true,
    // Errors carry the schema that was not met, so that a problem can say what was expected.
    verbose: true,
    strict: false,
    // Compiling the draft's own schema takes longer than any tool's; what is wrong with a schema shows when it is compiled.
    validateSchema: false,
    // There is no package for formats here, and unknown ones must be tolerated.
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign((pattern: string) => patterns.compile(pattern), { code: 'boundedPattern' }) },
  };
}

function isDraft7(schema: JsonSchema): boolean {
  const dialect = isJsonObject(schema) ? schema['$schema'] : undefined;
  return typeof dialect === 'string' && /draft-0[467]/.test(dialect);
}
