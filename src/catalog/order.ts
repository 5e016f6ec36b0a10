/** Orders ids by code unit, so that lists are the same on every machine whatever its locale. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
