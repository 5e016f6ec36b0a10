/* oxlint-disable unicorn/prefer-add-event-listener -- a client of the SDK is no event target */
import { Client, type DiscoverResult, type Implementation, ProtocolError } from '@modelcontextprotocol/client';

import type { UpstreamConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { DECLARED_CAPABILITIES } from './declared-capabilities.ts';
import type { Era } from './definition-cache.ts';
import type { Log, LogLevel } from './log.ts';
import type { RemoteTransport } from './remote-transport.ts';
import { RunningCalls } from './running-calls.ts';
import { StdioTransport } from './stdio-transport.ts';
import { TransportLease } from './transport-lease.ts';

/** A stdio server that runs and does not know `server/discover` says so at once, or never says anything. */
const PROBE_MS = 3000;

/** How to introduce ourselves to a server, and whom to tell what happens on the connection afterwards. */
export interface IntroduceOptions {
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

/** A client that has finished the handshake. */
export interface Introduced {
  readonly client: Client;
  readonly calls: RunningCalls;
  /** The server speaks 2026-07-28 too, but came up so late that it was asked for the older handshake as well, and took that. */
  readonly isUnsettled: boolean;
}

/**
 * Finishes the handshake of the server's era.
 *
 * A process that is silent for 3 s does not know the question, or has not started yet (`npx` may be downloading it): it is sent
 * `initialize` behind the question. Whether it takes that decides: once it has, the session is of the older era, whatever it
 * answered to the question; where it refuses, its answer to the question counts, however late that came.
 * @throws the SDK's errors; the transport is the caller's to close.
 */
export async function introduce(
  transport: StdioTransport | RemoteTransport,
  options: IntroduceOptions,
): Promise<Introduced> {
  const abandon = (): void => void transport.close();
  options.signal.addEventListener('abort', abandon, { once: true });
  try {
    options.signal.throwIfAborted();
    if (!(transport instanceof StdioTransport) || options.era !== undefined)
      return await shakeHands(transport, options);
    return await settleEra(transport, options);
  } finally {
    options.signal.removeEventListener('abort', abandon);
  }
}

async function settleEra(transport: StdioTransport, options: IntroduceOptions): Promise<Introduced> {
  const lease = new TransportLease(transport);
  try {
    const introduced = await shakeHands(lease, options);
    const isLegacy = introduced.client.getProtocolEra() !== 'modern';
    return { ...introduced, isUnsettled: isLegacy && lease.discovered !== undefined };
  } catch (error) {
    // Answers may come in another order than the questions.
    if (ProtocolError.isInstance(error)) await lease.answered(PROBE_MS);
    const { discovered } = lease;
    if (discovered === undefined || transport.exit !== undefined || options.signal.aborted) throw error;
    return shakeHands(new TransportLease(transport, true), options, discovered);
  }
}

/** @param discovered the server's answer to the question, where it is known already. */
async function shakeHands(
  transport: TransportLease | StdioTransport | RemoteTransport,
  options: IntroduceOptions,
  discovered?: DiscoverResult,
): Promise<Introduced> {
  const { clientInfo, config, era, timeoutMs, onClosed } = options;
  const probeMs = config.transport === 'stdio' && era === undefined ? Math.min(PROBE_MS, timeoutMs) : timeoutMs;
  const client = new Client(clientInfo, {
    capabilities: DECLARED_CAPABILITIES,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
  });
  const calls = new RunningCalls({ defaultRoots: options.roots, onFirstQuestion: options.onFirstQuestion });
  calls.listenTo(client);
  listenTo(client, options);
  await client.connect(transport, {
    timeout: timeoutMs,
    ...(era === 'legacy' && { prior: { kind: 'legacy' } }),
    ...(discovered && { prior: { kind: 'modern', discover: discovered } }),
  });
  subscribe(client, options);
  client.onclose = onClosed;
  return { client, calls, isUnsettled: false };
}

/** To be called before the handshake, at whose end some servers already say something. */
function listenTo(client: Client, { config, log, onToolsChanged }: IntroduceOptions): void {
  const server = config.name;
  client.onerror = (error) => log('debug', messageOf(error), { server });
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged);
  client.setNotificationHandler('notifications/prompts/list_changed', onToolsChanged);
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    log(LEVELS.get(level) ?? 'info', typeof data === 'string' ? data : JSON.stringify(data), { server });
  });
}

/** Since 2026-07-28 a server tells of changes only where somebody has asked for them. */
function subscribe(client: Client, { config, log }: IntroduceOptions): void {
  if (client.getProtocolEra() !== 'modern') return;
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  // Nobody waits for it: a server that refuses only keeps its changes to itself until the next connection.
  client.listen(filter).catch((error: unknown) => log('debug', messageOf(error), { server: config.name }));
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
