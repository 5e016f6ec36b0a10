import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Playbook } from '../model.ts';
import { baseInstructions } from './tool-definitions.ts';

const FILE = 'instruction-tags.json';
/** Keeps the instructions below 200 tokens, whatever people call their tags. */
const MOST_TAGS = 8;
const LONGEST_TAG = 24;

const remembered = z.array(z.string()).max(MOST_TAGS);

/** The server's instructions, with the tags of the last run: the answer to `initialize` waits for no catalog. */
export function serverInstructions(cacheDir: string): string {
  const tags = rememberedTags(join(cacheDir, FILE));
  return tags.length === 0 ? baseInstructions : `${baseInstructions}\nMost used tags: ${tags.join(', ')}.`;
}

/** Keeps the most used `domain:` and `action:` tags for the next run's instructions. */
export async function rememberTags(cacheDir: string, playbooks: readonly Playbook[]): Promise<void> {
  const tags = mostUsedTags(playbooks);
  const file = join(cacheDir, FILE);
  if (JSON.stringify(rememberedTags(file)) === JSON.stringify(tags)) return;
  await mkdir(cacheDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(tags));
  await rename(draft, file);
}

function mostUsedTags(playbooks: readonly Playbook[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { tags } of playbooks) {
    for (const tag of tags) {
      if (/^(domain|action):\S/.test(tag) && tag.length <= LONGEST_TAG) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ranked.slice(0, MOST_TAGS).map(([tag]) => tag);
}

function rememberedTags(file: string): readonly string[] {
  try {
    return remembered.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // A first run has none, and a file that cannot be read is as good as none: it is written anew.
    return [];
  }
}
