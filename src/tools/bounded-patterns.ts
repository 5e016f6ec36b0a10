import { createContext, Script } from 'node:vm';

import { isJsonObject } from '../model.ts';

/** What one validation may spend on patterns that could take for ever. */
const BUDGET_MS = 100;
/** Below this a single quantifier costs at most its square: well under a millisecond. */
const SHORT_TEXT = 1000;

const scope: { pattern: RegExp; text: string } = { pattern: /^/, text: '' };
const test = new Script('pattern.test(text)');
let context: object | undefined;

interface BoundedPattern {
  readonly test: (text: string) => boolean;
  /** Ajv takes patterns for the same by this. */
  readonly toString: () => string;
}

/**
 * Runs the patterns of one schema within a bound on time, since a schema is somebody else's and `^(a+)+$` takes seconds on 30
 * letters. A text that cannot be decided in time counts as fitting: the upstream has the last word anyway.
 */
export class BoundedPatterns {
  #leftMs = BUDGET_MS;

  /** Starts the budget anew, for the next validation. */
  reset(): void {
    this.#leftMs = BUDGET_MS;
  }

  /** @throws SyntaxError where the pattern is none of JavaScript's, with or without the `u` flag. */
  compile(source: string): BoundedPattern {
    const pattern = toRegExp(source);
    const isCheapWhenShort = isCheap(source);
    return {
      toString: () => String(pattern),
      test: (text) =>
        isCheapWhenShort && text.length <= SHORT_TEXT ? pattern.test(text) : this.#testWithin(pattern, text),
    };
  }

  #testWithin(pattern: RegExp, text: string): boolean {
    if (this.#leftMs < 1) return true;
    context ??= createContext(scope);
    scope.pattern = pattern;
    scope.text = text;
    const start = performance.now();
    try {
      // V8 looks at the limit while it backtracks, so even a hopeless match ends on time.
      return test.runInContext(context, { timeout: Math.ceil(this.#leftMs) }) === true;
    } catch (error) {
      // No `instanceof Error`: it was made in the other context.
      if (isJsonObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return true;
      throw error;
    } finally {
      this.#leftMs -= performance.now() - start;
    }
  }
}

function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    // `[\w-.]` and the like are only refused under `u`.
    if (error instanceof SyntaxError) return new RegExp(source);
    throw error;
  }
}

/** Whether at most one thing repeats, and that thing is a single character: nothing to backtrack over but its count. */
function isCheap(source: string): boolean {
  const bare = source
    .replace(/\\./gs, '')
    .replace(/\[[^\]]*\]/g, '.')
    .replace(/\(\?/g, '(');
  const quantifiers = bare.match(/[*+?]|\{\d*,?\d*\}/g) ?? [];
  return quantifiers.length < 2 && !/\)[*+?{]/.test(bare);
}
