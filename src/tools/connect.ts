import { detailOf } from './call-errors.ts';
import { Connection } from './connection.ts';
import type { Introduced, IntroduceOptions } from './introduce.ts';
import type { TransportServices } from './open-transport.ts';
import { openTransport } from './open-transport.ts';
import type { RemoteTransport } from './remote-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Older than any verdict that is trusted. */
const ASK_AGAIN = 0;

/** How to connect, and whom to tell what happens on the connection afterwards. */
export interface ConnectOptions extends IntroduceOptions, TransportServices {}

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
  const attempt = await tryConnect({ ...options, era });
  if (attempt.kind === 'connected') return connectionOf(attempt, { ...options, era });
  if (signal.aborted) throw new Error('it is being shut down', { cause: attempt.error });
  const other = await otherWay(options, attempt);
  const last = other === undefined ? attempt : await tryConnect(other);
  if (last.kind === 'connected') return connectionOf(last, { ...options, era });
  throw new Error(reasonOf(last.error, last.transport, options), { cause: last.error });
}

function connectionOf({ isUnsettled, ...parts }: Connected, { era, clientInfo }: ConnectOptions): Connection {
  const eraFoundAt = isUnsettled ? ASK_AGAIN : Date.now();
  return new Connection({ ...parts, clientInfo, eraFoundAt: era === 'legacy' ? undefined : eraFoundAt });
}

/** What else to try after an attempt that failed; undefined where its reason stands. */
async function otherWay(options: ConnectOptions, { transport, error }: Failed): Promise<ConnectOptions | undefined> {
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

interface Connected extends Introduced {
  readonly kind: 'connected';
  readonly transport: StdioTransport | RemoteTransport;
}

interface Failed {
  readonly kind: 'failed';
  /** Closed. */
  readonly transport: StdioTransport | RemoteTransport;
  readonly error: unknown;
}

async function tryConnect(options: ConnectOptions): Promise<Connected | Failed> {
  const { introduce } = await import('./introduce.ts');
  const transport = await openTransport(options.config, options);
  try {
    return { kind: 'connected', transport, ...(await introduce(transport, options)) };
  } catch (error) {
    if (transport instanceof StdioTransport) await transport.lastMoment();
    await transport.close();
    return { kind: 'failed', transport, error };
  }
}

function reasonOf(error: unknown, transport: StdioTransport | RemoteTransport, options: ConnectOptions): string {
  const { config, timeoutMs } = options;
  if (transport instanceof StdioTransport && transport.exit !== undefined) return `it ${transport.exit}`;
  const code = codeOf(error);
  if (code === 'ENOENT' && config.transport === 'stdio') return `its command ${config.command} was not found`;
  if (code === 'REQUEST_TIMEOUT') return `it did not answer within ${timeoutMs / 1000} s`;
  return detailOf(error);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
