import {
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import type { JsonObject } from '../model.ts';

/** What was read, for the client. @throws ProtocolError where there is no such resource, or it cannot be read. */
export async function toReadResult(uri: string, read: () => Promise<JsonObject>): Promise<ReadResourceResult> {
  const result = await read().catch((error: unknown) => {
    if (!(error instanceof PlaybookError)) throw error;
    if (error.code === 'tools/unknown-resource') throw new ResourceNotFoundError(uri, error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.message} ${error.hint ?? ''}`.trim());
  });
  const { contents, _meta: meta } = result;
  const given: unknown = { contents, ...(meta !== undefined && { _meta: meta }) };
  if (isSpecType.ReadResourceResult(given)) return given;
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    `The server gave something else than the contents of ${uri}.`,
  );
}
