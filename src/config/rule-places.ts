import { entries, nodeAt, positionOfKey, readDocument } from './document.ts';
import type { Position } from './types.ts';

/**
 * Where each lint rule is named in the text of a configuration file, by id; a `Config` keeps no places.
 * @throws PlaybookError config/not-json
 */
export function lintRulePlaces(text: string, path: string): ReadonlyMap<string, Position> {
  const document = readDocument(text, path);
  const rules = entries(document, nodeAt(document, ['lint', 'rules']));
  return new Map(rules.map(([id]) => [id, positionOfKey(document, ['lint', 'rules', id])]));
}
