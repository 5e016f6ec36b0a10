import type { Entry, JsonObject } from '../model.ts';
import type { ArgumentProblem, Validator } from '../tools/validate.ts';

/** Validators kept compiled; an agent uses a handful of entries, a day's worth of agents some hundreds. */
const MOST_KEPT = 256;

/** Checks arguments by an entry's schema; each schema is compiled when it is first needed. */
export class Validators {
  readonly #byDigest = new Map<string, Validator>();

  /** Every field at fault; [] where the arguments fit, or where the schema itself cannot be compiled (`doctor` names it). */
  async check(entry: Entry, given: JsonObject): Promise<readonly ArgumentProblem[]> {
    const key = `${entry.kind}:${entry.digest}`;
    const validator = this.#byDigest.get(key) ?? (await compile(entry));
    this.#byDigest.delete(key);
    this.#byDigest.set(key, validator);
    const [oldest] = this.#byDigest.keys();
    if (oldest !== undefined && this.#byDigest.size > MOST_KEPT) this.#byDigest.delete(oldest);
    return validator.kind === 'usable' ? validator.validate(given) : [];
  }
}

async function compile(entry: Entry): Promise<Validator> {
  // ajv is imported with the first call that has arguments to check: a search pays nothing for it.
  const { compileValidator } = await import('../tools/validate.ts');
  return compileValidator(entry.inputSchema);
}
