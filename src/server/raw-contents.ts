import { extname } from 'node:path';
import type { ReadResourceResult } from '@modelcontextprotocol/server';

/** By the names that playbooks and skills use; a general table takes `.ts` for a video. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.md': 'text/markdown',
    '.txt': 'text/plain',
    '.json': 'application/json',
    '.yaml': 'application/yaml',
    '.yml': 'application/yaml',
    '.toml': 'application/toml',
    '.xml': 'application/xml',
    '.html': 'text/html',
    '.css': 'text/css',
    '.csv': 'text/csv',
    '.py': 'text/x-python',
    '.sh': 'application/x-sh',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.ts': 'text/typescript',
    '.sql': 'application/sql',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.jpg': 'image/jpeg',
    '.jpeg': 'image/jpeg',
    '.gif': 'image/gif',
    '.webp': 'image/webp',
    '.pdf': 'application/pdf',
    '.zip': 'application/zip',
  }),
);

/** The media type of a file, by its name; undefined where that tells nothing. */
export function mediaTypeOf(path: string): string | undefined {
  return MEDIA_TYPES.get(extname(path).toLowerCase());
}

/** A file as `resources/read` gives it: its text where it has one that gives back the same bytes, else the bytes in base64. */
export function rawContents(uri: string, path: string, bytes: Uint8Array): ReadResourceResult['contents'][number] {
  const mediaType = mediaTypeOf(path);
  const text = textOf(bytes);
  if (text !== undefined) return { uri, mimeType: mediaType ?? 'text/plain', text };
  return { uri, mimeType: mediaType ?? 'application/octet-stream', blob: Buffer.from(bytes).toString('base64') };
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
