import { createHash } from 'node:crypto';

/** SHA-256 of a file's bytes, or of a text as UTF-8; hex. */
export function contentDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
