import type { Place } from './layout.ts';

/** A direction: one of x and y is 1 or −1. */
export interface Step {
  readonly x: number;
  readonly y: number;
}

/** Sideways costs more than ahead: an arrow key goes to what a person sees in its direction. */
const SIDEWAYS = 2.5;

/** The key of the place that is nearest in a direction; undefined at the edge. */
export function nearestIn(
  places: ReadonlyMap<string, Place>,
  { from, step }: { readonly from: string; readonly step: Step },
): string | undefined {
  const start = places.get(from);
  if (start === undefined) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const [key, { x, y }] of places) {
    const ahead = (x - start.x) * step.x + (y - start.y) * step.y;
    const aside = Math.abs((x - start.x) * step.y) + Math.abs((y - start.y) * step.x);
    const cost = ahead + aside * SIDEWAYS;
    if (ahead <= 0 || cost >= least) continue;
    nearest = key;
    least = cost;
  }
  return nearest;
}
