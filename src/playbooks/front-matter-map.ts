import { isMap } from 'yaml';
import type { MapText } from './edit-map.ts';
import { splitFrontMatter } from './fence.ts';
import { insertionsBetween } from './quote-unquoted.ts';
import type { Splice } from './splices.ts';
import { parseYaml } from './yaml.ts';

/** The map that a file's front matter is, for those who edit it. */
export interface FrontMatterMap extends MapText {
  /** A splice of `source` as one of the file's text. */
  readonly toFile: (splice: Splice) => Splice;
}

/**
 * Reads the front matter as the parser does, with the places of its parts.
 * @param text the whole file, line ends as `\n`
 * @returns undefined where there is none that can be read
 */
export function frontMatterMap(text: string): FrontMatterMap | undefined {
  const fence = splitFrontMatter(text);
  const yaml = fence.kind === 'found' ? parseYaml(fence.frontMatter) : undefined;
  if (fence.kind !== 'found' || yaml === undefined || !isMap(yaml.document.contents)) return undefined;
  const { source } = yaml;
  const first = text.indexOf('\n');
  // Quotes that the parser puts around an unquoted colon are not in the file.
  const quotes = insertionsBetween(`\n${fence.frontMatter}`, source).map(({ offset }, index) => offset + index);
  const toText = (offset: number): number => first + offset - quotes.filter((quote) => quote < offset).length;
  return {
    map: yaml.document.contents,
    source,
    toFile: (splice) => ({ start: toText(splice.start), end: toText(splice.end), text: splice.text }),
  };
}
