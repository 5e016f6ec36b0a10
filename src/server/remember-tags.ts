import { mkdir } from 'node:fs/promises';
import type { Entry } from '../model.ts';
import { replaceFile } from '../files/replace-file.ts';
import { MOST_TAGS, rememberedTags, tagsFileIn } from './instructions.ts';
import { countTags } from './tags.ts';

const LONGEST_TAG = 24;

/**
 * Keeps the most used `domain:` and `action:` tags for the next run's instructions. Apart from their reader, which every start
 * waits for.
 */
export async function rememberTags(cacheDir: string, playbooks: readonly Tagged[]): Promise<void> {
  const tags = toldTags(playbooks);
  const file = tagsFileIn(cacheDir);
  if (JSON.stringify(rememberedTags(file)) === JSON.stringify(tags)) return;
  await mkdir(cacheDir, { recursive: true });
  await replaceFile(file, JSON.stringify(tags));
}

type Tagged = Pick<Entry, 'tags'>;

/** The most used `domain:` and `action:` tags, as instructions tell them. */
export function toldTags(playbooks: readonly Tagged[]): readonly string[] {
  return countTags(playbooks)
    .map(({ tag }) => tag)
    .filter((tag) => /^(domain|action):\S/.test(tag) && tag.length <= LONGEST_TAG)
    .slice(0, MOST_TAGS);
}
