import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { baseInstructions } from './tool-definitions.ts';

/** Keeps the instructions below 200 tokens, whatever people call their tags. */
export const MOST_TAGS = 8;

const remembered = z.array(z.string()).max(MOST_TAGS);

/** The server's instructions, with the tags of the last run: the answer to `initialize` waits for no catalog. */
export function serverInstructions(cacheDir: string): string {
  return withTags(baseInstructions, rememberedTags(tagsFileIn(cacheDir)));
}

/** Instructions that name the tags, where there are some. */
export function withTags(instructions: string, tags: readonly string[]): string {
  return tags.length === 0 ? instructions : `${instructions}\nMost used tags: ${tags.join(', ')}.`;
}

/** The file that one run leaves to the next. */
export function tagsFileIn(cacheDir: string): string {
  return join(cacheDir, 'instruction-tags.json');
}

/** What the file holds; [] where it holds nothing of use. */
export function rememberedTags(file: string): readonly string[] {
  try {
    return remembered.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // A first run has none, and a file that cannot be read is as good as none: it is written anew.
    return [];
  }
}
