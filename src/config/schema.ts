import * as z from 'zod';

import type { JsonObject } from '../model.ts';

const text = z.string().min(1);
const tags = z.array(text).describe('free words, `domain:x` or `action:y`');
const timeoutMs = z.int().positive().describe('milliseconds that one call may take');
const duration = 'expected a duration such as "10m", or milliseconds';
const scalar = z.union([z.string(), z.number(), z.boolean()], 'expected a string, a number or a boolean');
/** Read by another client and meaningless here: accepted, so that its configuration works unchanged. */
const ofOtherClients = z.unknown().exactOptional();

const scope = z
  .string()
  .regex(/^[!#-[\]-~]+$/, 'expected one word without spaces, quotes and backslashes')
  .describe('over HTTP, only for callers that have this scope; for the others it does not exist');

const sourceSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, 'expected letters, digits, `.`, `_` and `-`')
      .refine((name) => !['workspace', 'user', 'starter'].includes(name), 'this name belongs to a built-in source')
      .describe('prefix of the ids of its playbooks'),
    path: text.describe('a directory; with `git`, a folder inside the repository').exactOptional(),
    git: text.describe('URL of a repository').exactOptional(),
    ref: text.describe('branch, tag or commit').exactOptional(),
    refreshMinutes: z.number().positive().exactOptional(),
    scope: scope.exactOptional(),
  })
  .refine((source) => source.path !== undefined || source.git !== undefined, 'expected `path` or `git`');

const oauthSchema = z
  .strictObject({
    clientId: text.describe('of a client that is registered with the authorization server already').exactOptional(),
    clientSecret: text.exactOptional(),
    scopes: z
      .union([z.string(), z.array(text)], 'expected a list of scopes, or one text with spaces between them')
      .describe('asked for instead of those that the server names')
      .exactOptional(),
    callbackPort: z.int().min(1).max(65_535).describe('port of the redirect URI that is registered').exactOptional(),
    clientMetadataUrl: z
      .url({ protocol: /^https$/, error: 'expected an https URL' })
      .describe('client ID metadata document, for servers that read them')
      .exactOptional(),
    issuer: z.url().describe('the only authorization server that may see the client’s secret').exactOptional(),
    enabled: ofOtherClients,
    authServerMetadataUrl: ofOtherClients,
    authorizationUrl: ofOtherClients,
    tokenUrl: ofOtherClients,
    registrationUrl: ofOtherClients,
    redirectUri: ofOtherClients,
    audiences: ofOtherClients,
  })
  .describe('how people log in to a remote server that answers 401');

const serverSchema = z
  .strictObject({
    type: z
      .enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'])
      .describe('found from `command` or `url` where absent')
      .exactOptional(),
    command: text.exactOptional(),
    args: z.array(z.string()).exactOptional(),
    env: z.record(z.string(), scalar.nullable()).exactOptional(),
    cwd: text.exactOptional(),
    envFile: text.exactOptional(),
    url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).exactOptional(),
    headers: z.record(z.string(), scalar).exactOptional(),
    tags: tags.exactOptional(),
    allow: z.array(text).describe('patterns of the tools to take; all where absent').exactOptional(),
    deny: z.array(text).describe('patterns of the tools to leave out; wins over `allow`').exactOptional(),
    timeoutMs: timeoutMs.exactOptional(),
    confirm: z
      .enum(['destructive', 'write', 'never'])
      .describe('calls that must be confirmed; `destructive` where absent')
      .exactOptional(),
    idleStop: z
      .union([z.int().positive(), z.string().regex(/^\d+\s*(?:ms|s|m|h)$/, duration)], duration)
      .exactOptional(),
    stateless: z
      .boolean()
      .describe('true where the server keeps nothing between calls: over HTTP, one process then does for all callers')
      .exactOptional(),
    disabled: z.boolean().exactOptional(),
    scope: scope.exactOptional(),
    description: ofOtherClients,
    alwaysAllow: ofOtherClients,
    autoApprove: ofOtherClients,
    alwaysLoad: ofOtherClients,
    timeout: ofOtherClients,
    trust: ofOtherClients,
    oauth: oauthSchema.exactOptional(),
    auth: ofOtherClients,
    headersHelper: ofOtherClients,
    dev: ofOtherClients,
    gallery: ofOtherClients,
    version: ofOtherClients,
    sandbox: ofOtherClients,
    sandboxEnabled: ofOtherClients,
  })
  .refine(
    (server) => (server.command === undefined) !== (server.url === undefined),
    'expected either `command` or `url`',
  )
  .refine(
    (server) => server.type === undefined || (server.type === 'stdio') === (server.command !== undefined),
    'expected `command` with the type `stdio`, `url` with the others',
  );

const parameterSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'expected letters, digits, `_` and `-`'),
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).exactOptional(),
  description: z.string().exactOptional(),
  required: z.boolean().exactOptional(),
  default: z.unknown().exactOptional(),
  enum: z.array(z.unknown()).min(1).exactOptional(),
  pattern: z.string().exactOptional(),
});

const commandSchema = z.strictObject({
  description: text,
  command: z.array(z.string()).min(1).describe('program and arguments, no shell; `{name}` is a parameter'),
  parameters: z.array(parameterSchema).exactOptional(),
  cwd: text.exactOptional(),
  timeoutMs: timeoutMs.exactOptional(),
  readOnly: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
});

const retiredSchema = z.strictObject({
  since: text.exactOptional(),
  reason: text.exactOptional(),
  replacedBy: text.exactOptional(),
});

const httpSchema = z
  .strictObject({
    tokens: z
      .array(
        z.union([
          text,
          z.strictObject({ token: text, name: text.exactOptional(), scopes: z.array(scope).exactOptional() }),
        ]),
      )
      .describe('bearer tokens; one without `scopes` has `search` and `execute`')
      .exactOptional(),
    tokensFile: text.describe('a token a line, then its name and its scopes').exactOptional(),
    issuer: z.url().describe('authorization server whose JWTs are accepted').exactOptional(),
    audience: text.describe('what those JWTs must be made for; `publicUrl` where absent').exactOptional(),
    jwksUrl: z.url().describe('keys of the issuer; found in its metadata where absent').exactOptional(),
    publicUrl: z
      .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
      .describe('address of this server as clients know it, such as https://playbooks.example.com/mcp')
      .exactOptional(),
    hosts: z.array(text).describe('names that it may be addressed by, besides its own').exactOptional(),
    origins: z.array(text).describe('hosts of web pages that may call it').exactOptional(),
    secret: text.min(32).describe('shared by replicas, which then go on with what another began').exactOptional(),
    callsPerMinute: z.int().positive().describe('requests that one caller may make').exactOptional(),
    targetHeader: z
      .boolean()
      .describe(
        'true to have `execute` name its id in the header Mcp-Param-Target; refuses clients that have not listed the tools',
      )
      .exactOptional(),
    maxBodyBytes: z.int().min(1024).describe('bytes of one request').exactOptional(),
  })
  .refine((http) => http.issuer === undefined || (http.audience ?? http.publicUrl) !== undefined, {
    error: 'expected `audience` or `publicUrl` beside it',
    path: ['issuer'],
  });

const store = z
  .string()
  .regex(/^(?:sqlite|off|postgres(?:ql)?:\/\/.+)$/, 'expected `sqlite`, `off` or a postgres:// URL');

/** One configuration file as it is written (design §12); every key may be absent. */
export const configFileSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  sources: z.array(sourceSchema).exactOptional(),
  starter: z.boolean().exactOptional(),
  workspace: z
    .strictObject({
      folders: z.array(text).exactOptional(),
      policy: z.enum(['all', 'trusted', 'none']).exactOptional(),
    })
    .exactOptional(),
  mcpServers: z.record(text, serverSchema).describe('as Claude and Cursor write it').exactOptional(),
  servers: z.record(text, serverSchema).describe('as VS Code writes it').exactOptional(),
  inputs: ofOtherClients,
  commands: z.record(text, commandSchema).exactOptional(),
  tagRules: z.array(z.strictObject({ match: text, tags })).exactOptional(),
  retired: z.record(text, retiredSchema).exactOptional(),
  code: z.strictObject({ roots: z.array(text).exactOptional() }).exactOptional(),
  limits: z
    .strictObject({
      resultTokens: z.int().min(100).describe('tokens of one result, above which it comes in pages').exactOptional(),
      inputElements: z.int().positive().describe('elements and members that arguments may have').exactOptional(),
    })
    .exactOptional(),
  usage: z
    .strictObject({
      store: store.describe('where calls are recorded: `sqlite`, a postgres:// URL, or `off`').exactOptional(),
      queries: z
        .enum(['text', 'hash', 'off'])
        .describe('how the words of searches are kept; argument values never are')
        .exactOptional(),
      retentionDays: z.int().positive().describe('days after which events are removed').exactOptional(),
    })
    .exactOptional(),
  http: httpSchema.exactOptional(),
  lint: z
    .strictObject({ rules: z.record(text, z.enum(['off', 'info', 'warning', 'error'])).exactOptional() })
    .exactOptional(),
  search: z
    .strictObject({ learn: z.boolean().exactOptional(), synonyms: z.record(text, z.array(text)).exactOptional() })
    .exactOptional(),
  review: z
    .strictObject({
      unusedDays: z.int().positive().describe('days without use after which an entry should go').exactOptional(),
      minShown: z
        .int()
        .positive()
        .describe('searches that must have listed an entry before its description is judged')
        .exactOptional(),
      maxChoiceRatio: z
        .number()
        .min(0)
        .max(1)
        .describe('rewrite what is chosen less than this share of what its places promise')
        .exactOptional(),
      maxFailureRatio: z
        .number()
        .min(0)
        .max(1)
        .describe('fix what fails in more than this share of the sessions that use it')
        .exactOptional(),
      minAskedBy: z
        .int()
        .positive()
        .describe('people, or sessions, that must have asked in vain before a playbook is missing')
        .exactOptional(),
    })
    .exactOptional(),
});

/** A configuration file that passed the schema. */
export type ConfigFile = z.output<typeof configFileSchema>;
/** One entry of `mcpServers` or `servers`. */
export type ServerEntry = z.output<typeof serverSchema>;
/** `oauth` of a server, as written. */
export type OAuthEntry = z.output<typeof oauthSchema>;
/** One entry of `commands`. */
export type CommandEntry = z.output<typeof commandSchema>;
/** One entry of `sources`. */
export type SourceEntry = z.output<typeof sourceSchema>;

/** The JSON Schema (2020-12) of a configuration file, for editors; published with the package. */
export function configJsonSchema(): JsonObject {
  return { ...z.toJSONSchema(configFileSchema, { io: 'input' }) };
}

/** The keys that the schema knows at a place of the file; [] where any key is welcome or the place holds no object. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let at: z.core.$ZodType = configFileSchema;
  for (const key of path) {
    const below: z.core.$ZodType | undefined = childOf(at, key);
    if (below === undefined) return [];
    at = below;
  }
  const found = withoutOptional(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function childOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const parent = withoutOptional(schema);
  if (parent instanceof z.ZodObject) return new Map(Object.entries(parent.shape)).get(String(key));
  if (parent instanceof z.ZodRecord) return parent.valueType;
  return parent instanceof z.ZodArray ? parent.element : undefined;
}

function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
}
