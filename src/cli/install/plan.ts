import { isDeepStrictEqual } from 'node:util';
import type { Env } from '../../config/index.ts';
import { editProperty, readProperty } from '../../config/edit-property.ts';
import { PlaybookError } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../model.ts';
import { type Client, flagsIn, serversIn, startsUs } from './clients.ts';
import type { Launch } from './launch.ts';
import type { TextFile } from './text-file.ts';
import { translate } from './translate.ts';

/** Name that we have among a client's servers. */
export const OUR_NAME = 'playbooks';

/** A server that goes from a client's file into our configuration. */
interface MovedServer {
  readonly name: string;
  readonly notes: readonly string[];
}

/** What is to be written; nothing is written yet. */
export interface InstallPlan {
  /** The client's file. */
  readonly after: string;
  /** Our configuration. */
  readonly configAfter: string;
  /** The name that we have there: `OUR_NAME`, or the one that a person gave us. */
  readonly name: string;
  readonly madeSection: boolean;
  /** Whether we were in it already, in whatever version. */
  readonly wasThere: boolean;
  /** What we were started with until now, where this command line says otherwise. */
  readonly replacedFlags: readonly string[];
  readonly moved: readonly MovedServer[];
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

interface InstallWish {
  readonly launch: Launch;
  /** Whether the other servers are moved behind us. */
  readonly migrates: boolean;
  readonly config: TextFile;
  readonly project: string | undefined;
  readonly env: Env;
}

/**
 * Plans how a client comes to start us.
 *
 * @throws PlaybookError `config/not-json`, `config/not-toml` for a broken file, with the place; `config/taken-name`;
 *   `config/uneditable`.
 */
export function planInstall(client: Client, file: TextFile, wish: InstallWish): InstallPlan {
  const servers = serversIn(client, file.text, file.path);
  const own = [...servers].find(([, entry]) => startsUs(entry));
  const name = own?.[0] ?? OUR_NAME;
  if (own === undefined && client.format.read(file.text, file.path, [client.section, name]) !== undefined) {
    throw new PlaybookError('config/taken-name', `${file.path} has another server that is called "${name}".`, {
      hint: 'Give that one another name first.',
    });
  }
  const madeSection = client.format.read(file.text, file.path, [client.section]) === undefined;
  const flags = own === undefined ? [] : flagsIn(own[1]);
  // What a person added to our entry, such as `env`, stays, and so do flags where this command line has none.
  const { launch } = wish;
  const keepsFlags = launch.flags.length === 0;
  const entry = {
    ...own?.[1],
    ...client.entryFor(keepsFlags ? { ...launch, args: [...launch.args, ...flags] } : launch),
  };
  const replacedFlags = keepsFlags || isDeepStrictEqual(flags, launch.flags) ? [] : flags;
  const moving = wish.migrates ? planMoves(client, servers, { ...wish, name }) : noMoves(wish.config.text);
  const keys = [client.section, name] as const;
  const isThere = own !== undefined && isDeepStrictEqual(plainOf(own[1]), plainOf(entry));
  const installed = isThere ? file.text : client.format.edit(file.text, file.path, { keys, value: entry });
  const after = moving.moved.reduce(
    (text, moved) => client.format.edit(text, file.path, { keys: [client.section, moved.name], value: undefined }),
    installed,
  );
  return { after, name, madeSection, wasThere: own !== undefined, replacedFlags, ...moving };
}

type Moves = Pick<InstallPlan, 'configAfter' | 'moved' | 'left'>;

function noMoves(configAfter: string): Moves {
  return { configAfter, moved: [], left: [] };
}

function planMoves(
  client: Client,
  servers: ReadonlyMap<string, JsonObject>,
  { config, project, env, name: ours }: InstallWish & { readonly name: string },
): Moves {
  let configAfter = config.text;
  const moved: MovedServer[] = [];
  const left: { readonly name: string; readonly reason: string }[] = [];
  for (const [name, written] of servers) {
    if (name === ours) continue;
    const translation = translate(name, written, { client: client.id, project, env });
    if (translation.kind === 'refused') {
      left.push({ name, reason: translation.reason });
      continue;
    }
    const there = ['mcpServers', 'servers'].map((section) => readProperty(configAfter, config.path, [section, name]));
    const existing = there.find((each) => each !== undefined);
    if (existing !== undefined && !isDeepStrictEqual(plainOf(existing), plainOf(translation.entry))) {
      left.push({ name, reason: `${config.path} has another server of that name; give one of them another name` });
      continue;
    }
    if (existing === undefined) {
      const change = { keys: ['mcpServers', name], value: translation.entry } as const;
      configAfter = editProperty(configAfter, config.path, change);
    }
    moved.push({ name, notes: translation.notes });
  }
  return { configAfter, moved, left };
}

/** Objects of two parsers are the same where their JSON is. */
function plainOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** What is to be written to take us out again. */
export interface UninstallPlan {
  /** undefined where the file goes. */
  readonly after: string | undefined;
  /** Names of servers that are put back. */
  readonly restored: readonly string[];
}

interface Undoing {
  readonly madeSection: boolean;
  /** Whether the file is there because of us. */
  readonly madeFile: boolean;
  readonly moved: readonly string[];
  /** The client's file before; '' where nothing is known of it. */
  readonly before: string;
}

/**
 * Plans how a client that has changed its file since comes to start us no more; what else it holds stays.
 * @throws PlaybookError as `planInstall`.
 */
export function planUninstall(client: Client, file: TextFile, undoing: Undoing): UninstallPlan {
  const { edit, read } = client.format;
  const names = [...serversIn(client, file.text, file.path)].filter(([, entry]) => startsUs(entry));
  let after = names.reduce(
    (text, [name]) => edit(text, file.path, { keys: [client.section, name], value: undefined }),
    file.text,
  );
  const earlier = serversIn(client, undoing.before, file.path);
  const present = serversIn(client, after, file.path);
  const restored = undoing.moved.filter((name) => earlier.has(name) && !present.has(name));
  for (const name of restored) {
    after = edit(after, file.path, { keys: [client.section, name], value: earlier.get(name) });
  }
  const section = read(after, file.path, [client.section]);
  const isEmpty = isJsonObject(section) && Object.keys(section).length === 0;
  if (undoing.madeSection && isEmpty) after = edit(after, file.path, { keys: [client.section], value: undefined });
  const isBare = /^\s*(?:\{\s*\})?\s*$/.test(after);
  return { after: undoing.madeFile && isBare ? undefined : after, restored };
}
