import type { IncomingMessage } from 'node:http';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { messageOf } from '../../errors.ts';
import { isTooDeep, MOST_LEVELS } from '../input-elements.ts';
import { refusal } from './refusal.ts';

/**
 * Reads the JSON of a request; a refusal where it is none, or too long. A body of another type is left for the handler to refuse.
 *
 * Read off Node's own stream: a stream of the web standard costs as much as the rest of a search over HTTP does.
 */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: unknown } | Response> {
  const { method, headers } = incoming;
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  if (method !== 'POST' || !/^application\/json\b/i.test(headers['content-type'] ?? '')) return { body: undefined };
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBytes) return tooLarge(maxBytes);
    chunks.push(bytes);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (!isTooDeep(body)) return { body };
    const message = `Invalid request: it has more than ${MOST_LEVELS} levels, which is the limit here.`;
    return refusal(400, { error: { code: ProtocolErrorCode.InvalidRequest, message } });
  } catch (error) {
    return refusal(400, {
      error: { code: ProtocolErrorCode.ParseError, message: `Parse error: ${messageOf(error)}` },
    });
  }
}

function tooLarge(maxBytes: number): Response {
  return refusal(413, { error: { code: -32_000, message: `Request body too large: the limit is ${maxBytes} bytes.` } });
}
