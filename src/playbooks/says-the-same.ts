import { isDeepStrictEqual } from 'node:util';
import type { Playbook } from '../model.ts';

/** Whether two playbooks are the same in every field but some, as they must be after an edit of just those; their bytes may differ. */
export function saysTheSame(a: Playbook, b: Playbook, except: readonly (keyof Playbook)[]): boolean {
  const passedOver = new Set<string>(['digest', ...except]);
  const said = (playbook: Playbook): object =>
    Object.fromEntries(Object.entries(playbook).filter(([field]) => !passedOver.has(field)));
  return isDeepStrictEqual(said(a), said(b));
}
