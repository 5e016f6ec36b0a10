import type { IncomingMessage } from 'node:http';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { messageOf } from '../../errors.ts';
import { isTooDeep, MOST_LEVELS } from '../input-elements.ts';
import { refusal } from './refusal.ts';

/** Refuses what is no UTF-8, of which a tool would get other text than was sent; a byte order mark is left out. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the JSON of a request; a refusal where it is none, or too long. A body of another type is left for the handler to refuse.
 *
 * Read by the events of Node's own stream: one of the web standard costs as much as the rest of a search over HTTP does, and an iterator
 * a third of that.
 */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: unknown } | Response> {
  const { method, headers } = incoming;
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  if (method !== 'POST' || !/^application\/json\b/i.test(headers['content-type'] ?? '')) return { body: undefined };
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    const message = `Unsupported content encoding "${encoding}": send the body as it is.`;
    return refusal(415, { error: { code: -32_000, message } });
  }
  const bytes = await readBytes(incoming, maxBytes);
  if (bytes === undefined) return tooLarge(maxBytes);
  try {
    const body: unknown = JSON.parse(utf8.decode(bytes));
    if (!isTooDeep(body)) return { body };
    const message = `Invalid request: it has more than ${MOST_LEVELS} levels, which is the limit here.`;
    return refusal(400, { error: { code: ProtocolErrorCode.InvalidRequest, message } });
  } catch (error) {
    return refusal(400, {
      error: { code: ProtocolErrorCode.ParseError, message: `Parse error: ${messageOf(error)}` },
    });
  }
}

/** Undefined where they are too many. @throws where the client is gone before it has sent all */
function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      // What is left is for the listener to drain: the refusal goes out on the same connection.
      incoming.off('data', take).pause();
      resolve(undefined);
    };
    incoming.on('data', take);
    incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', reject);
    incoming.once('close', () => reject(new Error('the connection was closed within the body')));
  });
}

function tooLarge(maxBytes: number): Response {
  return refusal(413, { error: { code: -32_000, message: `Request body too large: the limit is ${maxBytes} bytes.` } });
}
