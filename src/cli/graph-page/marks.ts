import type { Mark } from './model.ts';

const TEXTS: Readonly<Record<Mark, string>> = {
  root: 'root',
  orphan: 'orphan',
  cycle: '↺ cycle',
  dangling: '✗ dangling',
  draft: 'draft',
  deprecated: 'deprecated',
  retired: 'retired',
  unknown: 'unknown',
};

/** A mark as people read it: never by colour alone. */
export function markText(mark: Mark): string {
  return TEXTS[mark];
}
