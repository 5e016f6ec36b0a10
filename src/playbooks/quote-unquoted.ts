import { splitFrontMatter } from './fence.ts';
import type { Splice } from './splices.ts';
import { repairYaml } from './yaml.ts';

/**
 * The quotes that make a front matter with unquoted colons YAML for every reader; [] where nothing, or more than quotes, is missing.
 * @param text the whole file, line ends as `\n`
 */
export function missingQuotes(text: string): readonly Splice[] {
  const fence = splitFrontMatter(text);
  if (fence.kind !== 'found' || !fence.isClosed) return [];
  const repaired = repairYaml(fence.frontMatter);
  if (repaired === undefined) return [];
  const start = text.indexOf('\n') + 1;
  return insertionsBetween(fence.frontMatter, repaired).map((quote) => ({
    start: start + quote.offset,
    end: start + quote.offset,
    text: quote.character,
  }));
}

/** A character that goes in at an offset of a text. */
interface Insertion {
  readonly offset: number;
  readonly character: string;
}

/** What was inserted into one text to make the other, which has all of its characters in their order. */
export function insertionsBetween(text: string, longer: string): readonly Insertion[] {
  const found: Insertion[] = [];
  let offset = 0;
  for (const character of longer) {
    if (text.startsWith(character, offset)) offset += character.length;
    else found.push({ offset, character });
  }
  return found;
}
