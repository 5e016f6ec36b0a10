import {
  type CompleteRequestParams,
  type CompleteResult,
  type GetPromptResult,
  type ListPromptsResult,
  type ListResourcesResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { JsonObject } from '../model.ts';
import { resourceTemplates } from './resource-templates.ts';

/** Who lists or reads, as far as that needs to know. */
export interface Reader {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** `file:` URLs that a client of the 2025 era declares as its roots; asked for when first needed, [] where it has none. */
  readonly roots: () => Promise<readonly string[]>;
  /** `_meta` of the call, less what belongs to the protocol. */
  readonly meta: JsonObject;
  /** What the client calls itself; null where it does not. */
  readonly client: string | null;
  /** Who that is, for what must not be handed from one caller to another: the authenticated client, else what it calls itself. */
  readonly identity: () => string;
  /** Whom the caller has authenticated as; undefined where nobody has to. */
  readonly principal: string | undefined;
  /** What usage calls that caller; undefined where nobody has to authenticate. */
  readonly user: string | undefined;
  /** What the caller may see; see `Access`. */
  readonly access: Access;
}

/** Scopes of an authenticated caller; undefined for one that sees everything, as over stdio. */
export type Access = readonly string[] | undefined;

/** A prompt that is asked for. */
export interface PromptRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A page that is asked for. */
interface PageRequest {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
}

/**
 * What a client lists and reads besides tools. Whatever cannot be given is a ProtocolError: -32602 with a message that says what
 * to do, -32603 where an upstream server failed.
 */
export interface Surface {
  readonly listResources: (request: PageRequest, reader: Reader) => Promise<ListResourcesResult>;
  readonly readResource: (uri: string, reader: Reader) => Promise<ReadResourceResult>;
  readonly listPrompts: (request: PageRequest, reader: Reader) => Promise<ListPromptsResult>;
  readonly getPrompt: (request: PromptRequest, reader: Reader) => Promise<GetPromptResult>;
  readonly complete: (request: CompleteRequestParams, reader: Reader) => Promise<CompleteResult>;
  /** `skills` of the extension. */
  readonly listSkills: (request: PageRequest, reader: Reader) => Promise<JsonObject>;
  readonly getSkill: (uri: string, reader: Reader) => Promise<JsonObject>;
  readonly readDirectory: (uri: string, request: PageRequest, reader: Reader) => Promise<JsonObject>;
}

/** What is other than before in what a client is listed and can read. */
export interface ListedChange {
  /** Whether `resources/list` gives something else. */
  readonly resources: boolean;
  readonly prompts: boolean;
  /** URIs of what reads otherwise, in every spelling that a client may have. */
  readonly updated: readonly string[];
}

/** A client that is told of changes. */
export interface ChangeFollower {
  readonly roots: Reader['roots'];
  readonly access?: Reader['access'];
  readonly tell: (change: ListedChange) => void;
}

/** Tells a client of changes from now on. @returns ends that. */
export type FollowChanges = (follower: ChangeFollower) => () => void;

export interface SurfaceOptions {
  /** Loaded by the first request: the static answers need nothing of it. */
  readonly surface: () => Promise<Surface>;
  readonly readerOf: (context: ServerContext) => Reader;
  readonly isModern: boolean;
}

/** @see https://github.com/modelcontextprotocol/ext-skills (SEP-2640) */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** Lists and texts of playbooks may be other at any moment, and hold what one workspace or caller alone may see. */
const CHANGING = { ttlMs: 0, cacheScope: 'private' } as const;
/** What only another version of the program changes. */
const CONSTANT_MS = 3_600_000;

/** How long answers hold, and for whom. */
export const cacheHints = {
  // The instructions name tags of this machine's playbooks.
  'server/discover': { ttlMs: CONSTANT_MS, cacheScope: 'private' },
  'tools/list': { ttlMs: CONSTANT_MS, cacheScope: 'public' },
  'resources/templates/list': { ttlMs: CONSTANT_MS, cacheScope: 'public' },
  'resources/list': CHANGING,
  'resources/read': CHANGING,
  'prompts/list': CHANGING,
} as const;

const pageParams = z.object({ cursor: z.string().optional() });
const skillParams = z.object({ uri: z.string() });
const directoryParams = z.object({ uri: z.string(), cursor: z.string().optional() });

/** Answers resources, prompts, completion and skills. */
export function answerSurface({ server }: McpServer, { surface, readerOf, isModern }: SurfaceOptions): void {
  server.setRequestHandler('resources/list', async ({ params }, context) =>
    (await surface()).listResources({ cursor: params?.cursor }, readerOf(context)),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    refuseCursor(params?.cursor);
    return { resourceTemplates: [...resourceTemplates] };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) =>
    (await surface()).readResource(uri, readerOf(context)),
  );
  server.setRequestHandler('prompts/list', async ({ params }, context) =>
    (await surface()).listPrompts({ cursor: params?.cursor }, readerOf(context)),
  );
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args = {} } }, context) =>
    (await surface()).getPrompt({ name, args }, readerOf(context)),
  );
  server.setRequestHandler('completion/complete', async ({ params }, context) =>
    (await surface()).complete(params, readerOf(context)),
  );
  // The SDK fills in what the protocol's own answers say of caching, not those of an extension.
  const caching = isModern ? CHANGING : {};
  server.setRequestHandler('skills/list', { params: pageParams }, async ({ cursor }, context) => ({
    ...(await (await surface()).listSkills({ cursor }, readerOf(context))),
    ...caching,
  }));
  server.setRequestHandler('skills/get', { params: skillParams }, async ({ uri }, context) => ({
    ...(await (await surface()).getSkill(uri, readerOf(context))),
    ...caching,
  }));
  server.setRequestHandler(
    'resources/directory/read',
    { params: directoryParams },
    async ({ uri, cursor }, context) => ({
      ...(await (await surface()).readDirectory(uri, { cursor }, readerOf(context))),
      ...caching,
    }),
  );
}

/** For a list of one page, which hands out no cursor. @throws ProtocolError -32602 for any */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This list has one page; leave the cursor out.');
}
