export const DAY_MS = 86_400_000;

/** Number of the day (UTC) since 1970. @param time milliseconds since 1970 */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}
