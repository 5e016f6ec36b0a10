/* oxlint-disable unicorn/prefer-add-event-listener -- a client of the SDK is no event target */
import type { Client, Implementation } from '@modelcontextprotocol/client';

import type { UpstreamConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { Connection, DECLARED_CAPABILITIES } from './connection.ts';
import type { Era } from './definition-cache.ts';
import type { Log, LogLevel } from './log.ts';
import type { TransportServices } from './open-transport.ts';
import { openTransport } from './open-transport.ts';
import type { RemoteTransport } from './remote-transport.ts';
import type { RunningCalls } from './running-calls.ts';
import { StdioTransport } from './stdio-transport.ts';

/** A stdio server that does not know `server/discover` says so at once, or never says anything. */
const PROBE_MS = 3000;

/** How to connect, and whom to tell what happens on the connection afterwards. */
export interface ConnectOptions extends TransportServices {
  readonly config: UpstreamConfig;
  readonly clientInfo: Implementation;
  /** The era that the server is known to speak; undefined where it must be found out. */
  readonly era: Era | undefined;
  /** How long the handshake may take. */
  readonly timeoutMs: number;
  /** Gives up connecting; without effect afterwards. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** `file:` URLs that the server is told when it asks for roots while no call is running. */
  readonly roots: () => Promise<readonly string[]>;
  /** The server asks something that only a caller can answer, for the first time. */
  readonly onFirstQuestion: () => void;
  readonly onToolsChanged: () => void;
  readonly onClosed: () => void;
}

/**
 * Starts or reaches an upstream and finishes the handshake of its era.
 *
 * A server known as legacy is spared the question. All others are asked, on the process or connection that is used afterwards:
 * an answer costs one round trip and can never be out of date. A process that ends at the question, as servers of the Rust
 * SDK do, is started once more without it.
 * @throws Error whose message ends the sentence "server x cannot be used: …".
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { signal } = options;
  // The transport is older than the revision whose server could be asked.
  const era = options.config.transport === 'sse' ? 'legacy' : options.era;
  const eraFoundAt = era === 'legacy' ? undefined : Date.now();
  const attempt = await tryConnect({ ...options, era });
  if (attempt.error === undefined) return new Connection({ ...attempt, eraFoundAt, clientInfo: options.clientInfo });
  if (signal.aborted) throw new Error('it is being shut down', { cause: attempt.error });
  const other = await otherWay(options, attempt);
  const last = other === undefined ? attempt : await tryConnect(other);
  if (last.error === undefined) return new Connection({ ...last, eraFoundAt, clientInfo: options.clientInfo });
  throw new Error(reasonOf(last.error, last.transport, options), { cause: last.error });
}

/** What else to try after an attempt that failed; undefined where its reason stands. */
async function otherWay(options: ConnectOptions, { transport, error }: Attempt): Promise<ConnectOptions | undefined> {
  const { config, era } = options;
  const hasExited = transport instanceof StdioTransport && transport.exit !== undefined;
  if (hasExited && era !== 'legacy') return { ...options, era: 'legacy' };
  const { SdkHttpError } = await import('@modelcontextprotocol/client');
  const isRefused = SdkHttpError.isInstance(error) && NOT_STREAMABLE.has(error.status ?? 0);
  if (config.transport !== 'http' || !isRefused) return undefined;
  return { ...options, era: 'legacy', config: { ...config, transport: 'sse' } };
}

/**
 * How a server of the HTTP and SSE transport, which came before Streamable HTTP, takes a request where its stream begins.
 * @see MCP 2025-11-25, Transports, Backwards Compatibility.
 */
const NOT_STREAMABLE: ReadonlySet<number> = new Set([400, 404, 405]);

interface Attempt {
  readonly client: Client;
  readonly calls: RunningCalls;
  readonly transport: StdioTransport | RemoteTransport;
  /** Undefined where the connection stands; else its transport is closed. */
  readonly error: unknown;
}

async function tryConnect(options: ConnectOptions): Promise<Attempt> {
  const [{ Client: SdkClient }, { RunningCalls: Calls }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('./running-calls.ts'),
  ]);
  const { clientInfo, config, era, timeoutMs, onClosed } = options;
  const probeMs = config.transport === 'stdio' && era === undefined ? Math.min(PROBE_MS, timeoutMs) : timeoutMs;
  const client = new SdkClient(clientInfo, {
    capabilities: DECLARED_CAPABILITIES,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
  });
  const calls = new Calls({ defaultRoots: options.roots, onFirstQuestion: options.onFirstQuestion });
  calls.listenTo(client);
  const transport = await openTransport(config, options);
  try {
    await handshake(client, transport, options);
    client.onclose = onClosed;
    return { client, calls, transport, error: undefined };
  } catch (error) {
    if (transport instanceof StdioTransport) await transport.lastMoment();
    await transport.close();
    return { client, calls, transport, error };
  }
}

async function handshake(
  client: Client,
  transport: StdioTransport | RemoteTransport,
  options: ConnectOptions,
): Promise<void> {
  const { era, timeoutMs, signal, config, log, onToolsChanged } = options;
  const server = config.name;
  client.onerror = (error) => log('debug', messageOf(error), { server });
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged);
  client.setNotificationHandler('notifications/prompts/list_changed', onToolsChanged);
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    log(LEVELS.get(level) ?? 'info', typeof data === 'string' ? data : JSON.stringify(data), { server });
  });
  const abandon = (): void => void transport.close();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(transport, { timeout: timeoutMs, ...(era === 'legacy' && { prior: { kind: 'legacy' } }) });
  } finally {
    signal.removeEventListener('abort', abandon);
  }
  if (client.getProtocolEra() !== 'modern') return;
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  // Nobody waits for it: a server that refuses only keeps its changes to itself until the next connection.
  client.listen(filter).catch((error: unknown) => log('debug', messageOf(error), { server }));
}

/** The levels of syslog that the protocol has besides ours; `info` and `notice` are left. */
const LEVELS: ReadonlyMap<string, LogLevel> = new Map([
  ['debug', 'debug'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emergency', 'error'],
]);

function reasonOf(error: unknown, transport: StdioTransport | RemoteTransport, options: ConnectOptions): string {
  const { config, timeoutMs } = options;
  if (transport instanceof StdioTransport && transport.exit !== undefined) return `it ${transport.exit}`;
  const code = codeOf(error);
  if (code === 'ENOENT' && config.transport === 'stdio') return `its command ${config.command} was not found`;
  if (code === 'REQUEST_TIMEOUT') return `it did not answer within ${timeoutMs / 1000} s`;
  // `fetch` tells only in its cause whether the host, the port or the certificate is wrong.
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return messageOf(error) + cause;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
