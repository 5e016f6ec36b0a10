import { existsSync, readFileSync } from 'node:fs';

import * as z from 'zod';

import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonSchema, type QuarantinedTool, type WrappedTool } from '../model.ts';
import { digestOf } from './json.ts';
import type { Log } from './log.ts';
import { replaceFile, withLock } from '../files/replace-file.ts';

const FORMAT = 1;
/** Two configurations may give one name to two servers; each is accepted once, and neither takes the other's approval away. */
const MOST_DIGESTS = 8;
const LONGEST_NAME = 40;

const pinSchema = z.object({
  server: z.string(),
  tool: z.string(),
  isPrompt: z.literal(true).exactOptional(),
  /** Approved `WrappedTool.digest`s, the latest last. */
  digests: z.array(z.string()).min(1),
  /** The rest is of the latest, to say what has changed since. */
  description: z.string(),
  /** Name and digest of each argument. */
  arguments: z.array(z.tuple([z.string(), z.string()])),
});

const fileSchema = z.object({ format: z.literal(FORMAT), tools: z.array(pinSchema) });

type Pin = z.infer<typeof pinSchema>;
type Pins = ReadonlyMap<string, Pin>;

/** Tools by whether their definition is an approved one. */
export interface Judgement {
  readonly approved: readonly WrappedTool[];
  readonly quarantined: readonly QuarantinedTool[];
}

/**
 * The definitions that were approved, in one file that all processes share: each is pinned when it is first seen, and another one
 * of the same tool is approved by a person only. A tool that goes and comes back finds its pin again.
 */
export class Approvals {
  readonly #path: string;
  readonly #log: Log;
  readonly #onConflict: () => void;
  #pins: Pins | undefined;
  /** What the file held when it was read last. */
  #text = '';
  #unwritten: WrappedTool[] = [];
  #writing: Promise<void> | undefined;

  /** @param onConflict told when another process has seen another definition of a tool first: judge anew. */
  constructor(path: string, log: Log, onConflict: () => void) {
    this.#path = path;
    this.#log = log;
    this.#onConflict = onConflict;
  }

  /** Tells the approved tools from those that have changed, and pins those that were never seen. */
  judge(tools: readonly WrappedTool[]): Judgement {
    const pins = new Map((this.#pins ??= this.#read()));
    const approved: WrappedTool[] = [];
    const quarantined: QuarantinedTool[] = [];
    for (const tool of tools) {
      const pin = pins.get(keyOf(tool));
      if (pin === undefined) {
        pins.set(keyOf(tool), pinOf(tool));
        this.#unwritten.push(tool);
      }
      if (pin === undefined || pin.digests.includes(tool.digest)) approved.push(tool);
      else quarantined.push({ tool, change: changeSince(pin, tool), approvedDescription: pin.description });
    }
    this.#pins = pins;
    if (this.#unwritten.length > 0) this.#writing ??= this.#pinLater();
    return { approved, quarantined };
  }

  /** Approves the tools as they are defined now, besides what was approved before. @throws the system's error. */
  async accept(tools: readonly WrappedTool[]): Promise<void> {
    await this.settled();
    this.#pins = await this.#change((pins) => {
      for (const tool of tools) pins.set(keyOf(tool), pinOf(tool, pins.get(keyOf(tool))));
    });
  }

  /** Reads the file again, which another process may have written. @returns whether it holds anything else than when it was read last. */
  async reread(): Promise<boolean> {
    await this.settled();
    const before = this.#text;
    this.#pins = this.#read();
    return this.#text !== before;
  }

  /** Resolves when everything that was pinned is on disk, or cannot be. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #pinLater(): Promise<void> {
    try {
      await this.#writeUnwritten();
    } catch (error) {
      // Approved in this process all the same: a disk that refuses must not cost anybody the tools.
      this.#log('warn', `cannot keep which tools are approved: ${messageOf(error)}`, { path: this.#path });
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeUnwritten(): Promise<void> {
    while (this.#unwritten.length > 0) {
      const seen = this.#unwritten;
      this.#unwritten = [];
      const pins = await this.#change((known) => {
        for (const tool of seen) if (!known.has(keyOf(tool))) known.set(keyOf(tool), pinOf(tool));
      });
      // Others may have been judged meanwhile.
      this.#pins = new Map([...(this.#pins ?? []), ...pins]);
      if (seen.some((tool) => pins.get(keyOf(tool))?.digests.includes(tool.digest) !== true)) this.#onConflict();
    }
  }

  async #change(edit: (pins: Map<string, Pin>) => void): Promise<Pins> {
    return withLock(this.#path, async () => {
      const pins = new Map(this.#read());
      edit(pins);
      await replaceFile(this.#path, JSON.stringify({ format: FORMAT, tools: [...pins.values()] }));
      return pins;
    });
  }

  #read(): Pins {
    if (!existsSync(this.#path)) return new Map();
    try {
      this.#text = readFileSync(this.#path, 'utf8');
      const { tools } = fileSchema.parse(JSON.parse(this.#text));
      return new Map(tools.map((pin) => [keyOf(pin), pin]));
    } catch (error) {
      // Refusing every tool would be worse, but a person should know that all are seen as if for the first time.
      this.#log('error', `cannot read which tools are approved: ${messageOf(error)}`, { path: this.#path });
      return new Map();
    }
  }
}

/** A prompt may be called as a tool of the same server is. */
function keyOf({ server, tool, isPrompt }: Pick<Pin, 'server' | 'tool' | 'isPrompt'>): string {
  return `${server}\0${isPrompt === true ? 'prompt' : 'tool'}\0${tool}`;
}

function pinOf(wrapped: WrappedTool, earlier?: Pin): Pin {
  const { server, tool, isPrompt, digest, description, inputSchema } = wrapped;
  const digests = [...(earlier?.digests ?? []).filter((known) => known !== digest), digest].slice(-MOST_DIGESTS);
  return {
    server,
    tool,
    ...(isPrompt && { isPrompt }),
    digests,
    description,
    arguments: [...argumentsOf(inputSchema)],
  };
}

function argumentsOf(schema: JsonSchema): ReadonlyMap<string, string> {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return new Map(isJsonObject(properties) ? Object.entries(properties).map(([name, of]) => [name, digestOf(of)]) : []);
}

/** What is other than the definition approved last, in one line. */
function changeSince(pin: Pin, { description, inputSchema }: WrappedTool): string {
  const before = new Map(pin.arguments);
  const now = argumentsOf(inputSchema);
  const parts = [
    ...(pin.description === description ? [] : ['description changed']),
    ...named(
      'added',
      [...now.keys()].filter((name) => !before.has(name)),
    ),
    ...named(
      'removed',
      [...before.keys()].filter((name) => !now.has(name)),
    ),
    ...named(
      'changed',
      [...now].filter(([name, digest]) => (before.get(name) ?? digest) !== digest).map(([name]) => name),
    ),
  ];
  return parts.length === 0 ? 'argument schema changed' : parts.join('; ');
}

/** Names come from the upstream, and this text reaches agents: they are quoted and cut. */
function named(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 3).map((name) => JSON.stringify(name.slice(0, LONGEST_NAME)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return [`${names.length === 1 ? 'argument' : 'arguments'} ${shown.join(', ')}${more} ${what}`];
}
