import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { compareIds } from '../../catalog/order.ts';
import type { CommandConfig, Env, TagRule } from '../../config/index.ts';
import { messageOf, PlaybookError } from '../../errors.ts';
import type { Diagnostic, JsonObject, WrappedTool } from '../../model.ts';
import { toJsonSchema } from '../../playbooks/parameters.ts';
import { digestOf } from '../json.ts';
import type { Log } from '../log.ts';
import { nameCommands } from '../naming.ts';
import { programOf } from '../open-transport.ts';
import { GroupGuard } from '../process-groups.ts';
import type { CallOptions, ToolProvider } from '../provider.ts';
import { runProgram } from '../run-program.ts';
import { safeEnvironment } from '../safe-environment.ts';
import { tagsOf } from '../tags.ts';
import { fillArgv } from './argv.ts';
import { checkCommand } from './check.ts';
import { toResult } from './result.ts';

/** What command tools have in place of a server's name. */
const SERVER = 'commands';

export interface CommandsOptions {
  readonly commands: readonly CommandConfig[];
  readonly tagRules: readonly TagRule[];
  readonly env: Env;
  readonly log: Log;
}

/** The command tools of the configuration, until they are closed. Nothing runs before a call. */
export class Commands implements ToolProvider {
  /** What is wrong with commands; those with an error are off. */
  readonly diagnostics: readonly Diagnostic[];
  readonly #configs: ReadonlyMap<string, CommandConfig>;
  readonly #tools: readonly WrappedTool[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #guard: GroupGuard;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor({ commands, tagRules, env, log }: CommandsOptions) {
    const problems = commands.map(checkCommand);
    const usable = commands.filter((_, index) => !problems[index]?.some(({ severity }) => severity === 'error'));
    const ids = nameCommands(usable.map(({ name }) => name));
    const named = usable
      .map((config, index) => ({ id: ids[index] ?? config.name, config }))
      .toSorted((a, b) => compareIds(a.id, b.id));
    this.diagnostics = [...problems.flat(), ...named.flatMap(renamed)];
    this.#configs = new Map(named.map(({ id, config }) => [id, config]));
    this.#tools = named.map(({ id, config }) => wrapCommand(id, config, tagRules));
    // Colour codes are of no use to a model, and several programs send them into pipes.
    this.#env = { ...safeEnvironment(env), NO_COLOR: '1' };
    this.#guard = new GroupGuard((problem) => log('warn', `cannot watch over processes: ${problem.message}`, {}));
  }

  tools(): readonly WrappedTool[] {
    return this.#tools;
  }

  /**
   * Runs a command to its end.
   * @throws PlaybookError `tools/invalid-arguments`, `tools/unavailable`, `tools/timeout`, `tools/cancelled`.
   */
  async call(id: string, args: JsonObject, { signal }: CallOptions = {}): Promise<JsonObject> {
    const config = this.#configs.get(id);
    if (config === undefined) throw new PlaybookError('catalog/unknown-id', `There is no command "${id}".`);
    const stop = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    const run = this.#run(config, args, stop);
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(settled);
    try {
      return await run;
    } finally {
      this.#running.delete(settled);
    }
  }

  /** Ends every command that runs; resolves when their processes are gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
    this.#guard.close();
  }

  async #run(config: CommandConfig, args: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { name, cwd, timeoutMs } = config;
    const [command = '', ...rest] = fillArgv(config, args);
    // Without this check the system would say that the *program* does not exist.
    if (cwd !== undefined && !existsSync(cwd)) throw unavailable(name, `its cwd ${cwd} does not exist`);
    const env = this.#env;
    try {
      const program = programOf({ command, args: rest }, env);
      const options = { env, ...(cwd !== undefined && { cwd }), timeoutMs, signal, guard: this.#guard };
      return toResult(name, await runProgram({ ...program, ...options }), timeoutMs);
    } catch (error) {
      if (error instanceof PlaybookError) throw error;
      throw unavailable(name, messageOf(error), error);
    }
  }
}

function wrapCommand(id: string, config: CommandConfig, tagRules: readonly TagRule[]): WrappedTool {
  const { name, description, command, parameters, readOnly } = config;
  const inputSchema = toJsonSchema(parameters);
  const annotations = { readOnlyHint: readOnly };
  // A command belongs to no server; what it is about is best told by the program that it runs.
  const program = basename(command[0] ?? name).replace(/\.(?:exe|cmd|bat|sh)$/i, '');
  const tags = tagsOf({ id, server: program, tool: name, annotations, serverTags: config.tags, tagRules });
  const digest = digestOf({ name, description, inputSchema, command });
  return { id, server: SERVER, tool: name, name, description, tags, inputSchema, annotations, digest };
}

function renamed({ id, config: { name, at } }: { readonly id: string; readonly config: CommandConfig }): Diagnostic[] {
  if (id === name) return [];
  const message = `Command \`${name}\` is called as \`${id}\`.`;
  const hint = 'Ids have letters, digits, `-` and single `_`, at most 64, and each only once.';
  return [{ rule: 'command-renamed', severity: 'info', ...at, message, hint }];
}

function unavailable(name: string, reason: string, cause?: unknown): PlaybookError {
  const hint = `Install the program, or correct \`commands.${name}\` in the configuration.`;
  return new PlaybookError('tools/unavailable', `Command "${name}" cannot be started: ${reason}.`, { hint, cause });
}
