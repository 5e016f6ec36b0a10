import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/**
 * Levels of objects and arrays in each other that anything of a caller may have. What walks them calls itself for each: some
 * thousands end in a `RangeError`, which a connection that others share would not survive.
 */
export const MOST_LEVELS = 500;

/**
 * Refuses arguments that have more elements of arrays and members of objects than the limit, at any depth: what is made of them costs
 * far more than the bytes that they came in. Refuses those that are too deep as well.
 *
 * @throws ProtocolError -32602, as the SDK does for tools that it knows (`maxToolInputElements`).
 */
export function refuseOverfull(given: unknown, limit: number): void {
  const { count, levels } = measure(given, limit);
  if (count > limit) throw refusal(`more than ${limit} elements and members together`);
  if (levels > MOST_LEVELS) throw refusal(`more than ${MOST_LEVELS} levels`);
}

/** Whether anything in a value is deeper than `MOST_LEVELS`. */
export function isTooDeep(value: unknown): boolean {
  return measure(value, Infinity).levels > MOST_LEVELS;
}

function refusal(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `The arguments have ${what}, which is the limit here.`);
}

/** Elements and members, and levels of them; not counted to the end where either is over its limit. */
function measure(value: unknown, limit: number): { readonly count: number; readonly levels: number } {
  let count = 0;
  let levels = 0;
  let level = objectsIn([value]);
  while (level.length > 0 && count <= limit && levels <= MOST_LEVELS) {
    levels += 1;
    const below: object[] = [];
    for (const node of level) {
      const children: readonly unknown[] = Array.isArray(node) ? node : Object.values(node);
      count += children.length;
      if (count > limit) break;
      for (const child of objectsIn(children)) below.push(child);
    }
    level = below;
  }
  return { count, levels };
}

function objectsIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
