import { isDeepStrictEqual } from 'node:util';
import { isMap } from 'yaml';
import type { Deprecation, Playbook, SourceFile, Status } from '../model.ts';
import { decodeExactly } from './decode.ts';
import { hasComment, pairOf, removeKeys, setKeys } from './edit-map.ts';
import { type FrontMatterMap, frontMatterMap } from './front-matter-map.ts';
import { parsePlaybook } from './parse.ts';
import { saysTheSame } from './says-the-same.ts';
import { editText, type Splice } from './splices.ts';

/** What a file is to say of its playbook's use. */
export interface Standing {
  readonly status: Status;
  readonly deprecation?: Deprecation;
}

/** A file with other bytes, or why it stays as it is. */
export type Edited =
  | { readonly kind: 'edited'; readonly bytes: Uint8Array }
  | { readonly kind: 'unchanged' }
  /** `reason` is a part of a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Gives a playbook's file another status, by its keys `status` and `deprecated`; every other byte stays as it is. The edited file is
 * parsed again, and unless it is the same playbook with the wanted status and deprecation, the edit is refused.
 *
 * `active` without a deprecation takes both keys out, so that a file that never had them is as it was; only a `status` with a
 * comment behind it becomes `active`.
 */
export function setStatus(file: SourceFile, wanted: Standing): Edited {
  const before = parsePlaybook(file);
  if (before.kind !== 'playbook') return { kind: 'refused', reason: 'it cannot be read' };
  const raw = decodeExactly(file.bytes);
  const edited = editText(raw, (text) => statusSplices(text, before.playbook, wanted));
  if (edited === raw) {
    return isStanding(before.playbook, wanted) ? { kind: 'unchanged' } : { kind: 'refused', reason: NO_PLACE };
  }
  const bytes = Buffer.from(edited);
  const after = parsePlaybook({ ...file, bytes });
  if (after.kind !== 'playbook') {
    const [first] = after.kind === 'unreadable' ? after.diagnostics : [];
    return { kind: 'refused', reason: `it could not be read any more: ${first?.message ?? 'it would be empty'}` };
  }
  if (
    !isStanding(after.playbook, wanted) ||
    !saysTheSame(before.playbook, after.playbook, ['status', 'deprecation', 'bodyLine'])
  ) {
    return { kind: 'refused', reason: NO_PLACE };
  }
  return { kind: 'edited', bytes };
}

const NO_PLACE = 'its front matter cannot be changed there without changing more';

function statusSplices(text: string, before: Playbook, wanted: Standing): readonly Splice[] {
  const front = frontMatterMap(text);
  if (front === undefined) return [];
  const isUnmarked = wanted.status === 'active' || wanted.status === before.status;
  const splices =
    isUnmarked && wanted.deprecation === undefined ? unmark(front, before, wanted) : mark(front, before, wanted);
  return splices.map(front.toFile);
}

function unmark(front: FrontMatterMap, before: Playbook, wanted: Standing): readonly Splice[] {
  const status = before.status === wanted.status ? undefined : pairOf(front.map, 'status');
  if (status === undefined) return removeKeys(front, ['deprecated']);
  if (front.map.flow === true || !hasComment(front, status)) return removeKeys(front, ['status', 'deprecated']);
  return [...setKeys(front, { status: wanted.status }), ...removeKeys(front, ['deprecated'])];
}

function mark(front: FrontMatterMap, before: Playbook, wanted: Standing): readonly Splice[] {
  const isAsItWas = isDeepStrictEqual(before.deprecation, wanted.deprecation);
  // Whatever is no map is replaced by one, with all that it said.
  const deprecated = isMap(pairOf(front.map, 'deprecated')?.value)
    ? changedFields(before.deprecation, wanted.deprecation)
    : fieldsOf(isAsItWas ? undefined : wanted.deprecation);
  return setKeys(front, {
    ...(before.status === wanted.status ? {} : { status: wanted.status }),
    ...(Object.keys(deprecated).length === 0 ? {} : { deprecated }),
  });
}

/** In the order in which they are written. */
function fieldsOf({ since, reason, replacedBy }: Deprecation = {}): Readonly<Record<string, string>> {
  return {
    ...(since === undefined ? {} : { since }),
    ...(reason === undefined ? {} : { reason }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  };
}

function changedFields(
  before: Deprecation | undefined,
  after: Deprecation | undefined,
): Readonly<Record<string, string>> {
  const known = fieldsOf(before);
  return Object.fromEntries(Object.entries(fieldsOf(after)).filter(([key, value]) => known[key] !== value));
}

function isStanding({ status, deprecation }: Playbook, wanted: Standing): boolean {
  return status === wanted.status && isDeepStrictEqual(deprecation, wanted.deprecation);
}
