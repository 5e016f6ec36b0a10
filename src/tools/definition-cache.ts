import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import * as z from 'zod';

import type { UpstreamConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import type { JsonObject } from '../model.ts';
import type { ToolDefinition } from './definitions.ts';
import { readDefinitions } from './definitions.ts';
import { digestOf } from './json.ts';
import type { Log } from './log.ts';
import { replaceFile } from '../files/replace-file.ts';

/** Raised whenever what is stored, or what we read from a definition, changes. */
const FORMAT = 2;
/** A server that is not listed again for so long has left the configuration, or deserves a fresh look. */
const KEEP_MS = 90 * 24 * 60 * 60 * 1000;

/** Which protocol a server spoke when it was last asked: `modern` is 2026-07-28 and later, `legacy` begins with `initialize`. */
export type Era = 'legacy' | 'modern';

/** What is remembered about one upstream, so that a start needs no process of it. */
export interface CachedDefinitions {
  readonly definitions: readonly ToolDefinition[];
  readonly era: Era;
  /** When the era was found, in milliseconds since 1970: a legacy verdict never corrects itself, so it must age. */
  readonly eraFoundAt: number;
  /** Whether the server, of the 2025 era, has ever asked its caller something: its calls are made one at a time. */
  readonly hasAsked?: boolean;
  /** Its prompts, as `readPrompts` gives them; absent where it has none. */
  readonly prompts?: readonly ToolDefinition[];
  /** What it says about itself as a whole. */
  readonly instructions?: string;
  /** Whether it can be asked for resources. */
  readonly hasResources?: boolean;
}

const fileSchema = z.object({
  format: z.literal(FORMAT),
  server: z.string(),
  era: z.enum(['legacy', 'modern']),
  eraFoundAt: z.number(),
  hasAsked: z.boolean().optional(),
  prompts: z.array(z.unknown()).optional(),
  instructions: z.string().optional(),
  hasResources: z.boolean().optional(),
  tools: z.array(z.unknown()),
});

/**
 * Name of an upstream's cache file: a hash of what decides which tools it lists. That includes its environment and headers, since
 * a server may list by who asks, and the capabilities that we declare; not how the tools are chosen and tagged afterwards.
 */
export function cacheKeyOf(config: UpstreamConfig, capabilities: JsonObject): string {
  const identity =
    config.transport === 'stdio'
      ? [config.command, config.args, config.env, config.cwd ?? '', config.envFile ?? '']
      : [config.url, config.headers];
  return digestOf([FORMAT, config.transport, identity, capabilities]);
}

/** The tool definitions of upstreams on disk, one file each. A file that cannot be read is as good as absent. */
export class DefinitionCache {
  readonly #directory: string;
  readonly #log: Log;
  #isSwept = false;

  /** @param directory is made at the first write. */
  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /** What is known of the upstream; undefined where nothing is. */
  read(key: string): CachedDefinitions | undefined {
    const path = this.#pathOf(key);
    if (!existsSync(path)) return undefined;
    try {
      const file = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
      const { tools, era, eraFoundAt, hasAsked, prompts, instructions, hasResources } = file;
      return {
        definitions: readDefinitions(tools),
        era,
        eraFoundAt,
        ...(hasAsked === true && { hasAsked }),
        ...(prompts !== undefined && { prompts: readDefinitions(prompts) }),
        ...(instructions !== undefined && { instructions }),
        ...(hasResources === true && { hasResources }),
      };
    } catch (error) {
      this.#log('debug', `ignoring cached tool definitions: ${messageOf(error)}`, { path });
      return undefined;
    }
  }

  /** Replaces what is known of the upstream, at once or not at all. A disk that refuses costs only the next start its speed. */
  async write(key: string, server: string, entry: CachedDefinitions): Promise<void> {
    const { definitions: tools, ...rest } = entry;
    try {
      await mkdir(this.#directory, { recursive: true });
      await replaceFile(this.#pathOf(key), JSON.stringify({ format: FORMAT, server, ...rest, tools }));
    } catch (error) {
      this.#log('warn', `cannot cache the tool definitions: ${messageOf(error)}`, { server });
    }
    await this.#sweep();
  }

  #pathOf(key: string): string {
    return join(this.#directory, `${key}.json`);
  }

  async #sweep(): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    try {
      for (const name of await readdir(this.#directory)) await removeIfOld(join(this.#directory, name));
    } catch (error) {
      // Another process may be sweeping the same files.
      this.#log('debug', `cannot sweep cached tool definitions: ${messageOf(error)}`, { path: this.#directory });
    }
  }
}

async function removeIfOld(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > KEEP_MS) await rm(path, { force: true });
}
