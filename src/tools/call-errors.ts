import { messageOf, PlaybookError } from '../errors.ts';
import type { ToolName } from './naming.ts';

/** What a failed request tells about the connection: the server answered it, the session is unknown to it, or nobody is there. */
export type FailureKind = 'answered' | 'session-lost' | 'connection-lost';

const NOT_FOUND = 404;

export async function kindOfFailure(error: unknown): Promise<FailureKind> {
  // Loaded long since, by whoever made the request that failed.
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = await import('@modelcontextprotocol/client');
  if (ProtocolError.isInstance(error)) return 'answered';
  if (SdkHttpError.isInstance(error)) return error.status === NOT_FOUND ? 'session-lost' : 'connection-lost';
  const oddAnswers: readonly string[] = [
    SdkErrorCode.InvalidResult,
    SdkErrorCode.UnsupportedResultType,
    SdkErrorCode.InputRequiredRoundsExceeded,
  ];
  return SdkError.isInstance(error) && oddAnswers.includes(error.code) ? 'answered' : 'connection-lost';
}

/**
 * What an error says, with what only its causes do: `fetch` tells in the innermost whether the host, the port or the certificate
 * is wrong; and with the status of an HTTP answer, whose text may be empty.
 */
export function detailOf(error: unknown): string {
  const texts: string[] = [];
  for (let each: unknown = error; each !== undefined; each = each instanceof Error ? each.cause : undefined) {
    const text = messageOf(each).trim();
    if (!texts.some((known) => known.includes(text))) texts.push(text);
  }
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  const isTold = typeof status !== 'number' || texts.some((text) => text.includes(String(status)));
  return texts.join(': ') + (isTold ? '' : ` (HTTP ${status})`);
}

export function cancelled({ server, tool }: ToolName, cause: unknown): PlaybookError {
  return new PlaybookError('tools/cancelled', `The call of ${tool} on "${server}" was cancelled.`, { cause });
}

export function timedOut({ server, tool }: ToolName, timeoutMs: number, cause: unknown): PlaybookError {
  const hint =
    `It may still have happened: look before you call again. If it needs longer, raise timeoutMs of "${server}" in the ` +
    `configuration; if it hangs, run \`playbook-mcp doctor\`.`;
  const message = `"${server}" did not answer ${tool} within ${timeoutMs / 1000} s.`;
  return new PlaybookError('tools/timeout', message, { hint, cause });
}

/** The server takes one call at a time, and the one that it has waits for an answer. */
export function heldUp({ server, tool }: ToolName, timeoutMs: number): PlaybookError {
  const message = `"${server}" took no call of ${tool} within ${timeoutMs / 1000} s: it waits for the answer to what it has asked in another call.`;
  const hint = `Nothing has happened: call again when that question is answered, or its call is cancelled.`;
  return new PlaybookError('tools/unanswered', message, { hint });
}

export function refused({ server, tool }: ToolName, cause: unknown): PlaybookError {
  const hint =
    `"${server}" itself refused the call: compare your arguments with get_schema. ` +
    `If they are right, run \`playbook-mcp doctor\` to see what "${server}" last said.`;
  return new PlaybookError('tools/failed', `"${server}" answered ${tool} with an error: ${messageOf(cause)}`, {
    hint,
    cause,
  });
}

/** How a connection ended during a call. */
export interface LostConnection {
  readonly cause: unknown;
  /** How the server's process ended, such as `exited with code 1`; undefined where it runs, or is none of ours. */
  readonly exit: string | undefined;
  /** What it last wrote to stderr, oldest first. */
  readonly stderrTail: readonly string[];
}

const SHOWN_STDERR_LINES = 5;

export function connectionLost({ server, tool }: ToolName, { cause, exit, stderrTail }: LostConnection): PlaybookError {
  const hint =
    `It may still have happened: look before you call again. The next call starts "${server}" anew; ` +
    `run \`playbook-mcp doctor\` to see what it last said.`;
  const what =
    exit === undefined
      ? `The connection to "${server}" was lost during ${tool}: ${detailOf(cause)}`
      : `"${server}" ${exit} during ${tool}.`;
  const lines = exit === undefined ? [] : stderrTail.slice(-SHOWN_STDERR_LINES);
  const said = lines.length === 0 ? '' : `\nIt last said on stderr:\n${lines.join('\n')}`;
  return new PlaybookError('tools/unavailable', what + said, { hint, cause });
}

/** The server was asked nothing yet, or has refused to look at what it was asked. */
export function unauthorized(server: string, cause: Error): PlaybookError {
  const hint = `A person must log in: \`playbook-mcp tools login ${server}\` in a terminal.`;
  return new PlaybookError('tools/unauthorized', `Server "${server}" cannot be used: ${cause.message}.`, {
    hint,
    cause,
  });
}

/** @param reason ends the sentence "Server x cannot be used: …". */
export function unavailable(server: string, reason: string, cause?: unknown): PlaybookError {
  const hint =
    `A later call tries again. If that fails too, run \`playbook-mcp doctor\` to see what "${server}" last said, ` +
    `and correct its entry in the configuration.`;
  return new PlaybookError('tools/unavailable', `Server "${server}" cannot be used: ${reason}.`, { hint, cause });
}
