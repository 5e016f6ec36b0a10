import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

import type { RemoteUpstreamConfig, StdioUpstreamConfig, UpstreamConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import type { Authorization } from './oauth/authorization.ts';
import type { GroupGuard } from './process-groups.ts';
import { RemoteTransport } from './remote-transport.ts';
import { StdioTransport } from './stdio-transport.ts';
import { type Program, resolveWindowsCommand } from './windows-command.ts';

/** What a transport needs besides the configuration. */
export interface TransportServices {
  /** Ends the processes of this upstream if we are killed. */
  readonly guard: GroupGuard;
  readonly onStderrLine: (line: string) => void;
  /** A line on stdout that is not a message of the protocol. */
  readonly onStrayLine: (line: string) => void;
  /** Of a remote server whose configuration brings none. */
  readonly authorization: Authorization | undefined;
}

/**
 * The transport to an upstream, not started yet.
 * @throws Error saying what is wrong with the configuration, where that shows before anything is started.
 */
export async function openTransport(
  config: UpstreamConfig,
  services: TransportServices,
): Promise<StdioTransport | RemoteTransport> {
  return config.transport === 'stdio' ? openStdio(config, services) : openRemote(config, services);
}

async function openStdio(config: StdioUpstreamConfig, services: TransportServices): Promise<StdioTransport> {
  const { cwd } = config;
  // Without this check the system would say that the *command* does not exist.
  if (cwd !== undefined && !existsSync(cwd)) throw new Error(`its cwd ${cwd} does not exist`);
  const env = await environmentOf(config);
  const { guard, onStderrLine, onStrayLine } = services;
  const program = programOf(config, env);
  return new StdioTransport({ ...program, env, ...(cwd !== undefined && { cwd }), guard, onStderrLine, onStrayLine });
}

/** The few variables that the SDK holds safe to hand on, then `envFile`, then `env`. */
async function environmentOf({ env, envFile }: StdioUpstreamConfig): Promise<Record<string, string>> {
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
  if (envFile === undefined) return { ...getDefaultEnvironment(), ...env };
  try {
    return { ...getDefaultEnvironment(), ...definedOnly(parseEnv(await readFile(envFile, 'utf8'))), ...env };
  } catch (error) {
    throw new Error(`its envFile cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function definedOnly(variables: NodeJS.Dict<string>): Record<string, string> {
  const entries = Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}

/**
 * What to spawn for a command as it is configured.
 * @throws Error on Windows, for a batch file that cannot be started without a shell.
 */
export function programOf({ command, args }: Program, env: Readonly<Record<string, string>>): Program {
  if (process.platform !== 'win32') return { command, args };
  const program = resolveWindowsCommand(
    { command, args },
    {
      env,
      node: process.execPath,
      isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
      readText: (path) => readFileSync(path, 'utf8'),
    },
  );
  if (program) return program;
  throw new Error(`its command ${command} is a batch file: name the program that it starts instead`);
}

async function openRemote(
  { transport, url, headers }: RemoteUpstreamConfig,
  { authorization }: Pick<TransportServices, 'authorization'>,
): Promise<RemoteTransport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const options = {
    requestInit: { headers: { ...headers } },
    ...(authorization && { authProvider: authorization, fetch: authorization.fetch }),
  };
  const Inner = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
  return new RemoteTransport(new Inner(new URL(url), options));
}
