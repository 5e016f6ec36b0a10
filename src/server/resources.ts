import { basename } from 'node:path';
import {
  isSpecType,
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server';
import { resolveAddress } from '../catalog/lookup.ts';
import { PlaybookError } from '../errors.ts';
import { readSupportingFile } from '../files/read.ts';
import type { JsonObject, PlaybookEntry } from '../model.ts';
import { oneSection, retired } from './execute-tool.ts';
import { listedDescription, listedPlaybooks } from './listed-playbooks.ts';
import { pageOf } from './paging.ts';
import { rawContents } from './raw-contents.ts';
import { playbookUri } from './resource-uris.ts';
import type { Snapshot } from './snapshot.ts';
import { readListedFile } from './supporting-files.ts';

const PAGE_SIZE = 100;

/** Answers `resources/list`: every playbook that search shows, by id. @throws ProtocolError for a bad cursor */
export function listResources(snapshot: Snapshot, cursor: string | undefined): ListResourcesResult {
  const { items, ...rest } = pageOf(listedPlaybooks(snapshot), {
    list: 'resources/list',
    cursor,
    size: PAGE_SIZE,
    keyOf: ({ id }) => id,
  });
  return { resources: items.map(toResource), ...rest };
}

/** A playbook as `resources/list` gives it. */
export function toResource(entry: PlaybookEntry): Resource {
  const { id, name } = entry;
  return {
    uri: playbookUri(id),
    name: id,
    ...(name !== id && { title: name }),
    description: listedDescription(entry),
    mimeType: 'text/markdown',
  };
}

/**
 * A playbook's file as it is now, byte for byte; one of its sections, or one of its supporting files.
 *
 * @param address as `execute` takes it.
 * @throws PlaybookError `catalog/unknown-id` and others of the stage `catalog`, `files/unreadable`.
 */
export async function readPlaybook(
  { catalog }: Snapshot,
  { uri, address }: { readonly uri: string; readonly address: string },
): Promise<ReadResourceResult> {
  const target = resolveAddress(catalog, address);
  const { entry } = target;
  if (entry.kind === 'tool') throw new PlaybookError('catalog/unknown-id', `"${entry.id}" is a tool, and has no text.`);
  if (entry.status === 'retired') throw retired(entry);
  const { playbook } = entry;
  if (target.kind === 'section') {
    return { contents: [{ uri, mimeType: 'text/markdown', text: oneSection(entry, playbook.body, target.heading) }] };
  }
  const { path, bytes } =
    target.kind === 'file'
      ? await readListedFile(catalog, playbook, target.file)
      : await readSupportingFile(playbook, basename(playbook.path));
  return { contents: [rawContents(uri, path, bytes)] };
}

/** What an upstream server answered to `resources/read`, for the client. @throws ProtocolError where it is something else */
export function toReadResult(uri: string, { contents, _meta: meta }: JsonObject): ReadResourceResult {
  const given: unknown = { contents, ...(meta !== undefined && { _meta: meta }) };
  if (isSpecType.ReadResourceResult(given)) return given;
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    `The server gave something else than the contents of ${uri}.`,
  );
}
