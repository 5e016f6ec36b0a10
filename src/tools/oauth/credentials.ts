import { readFileSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import * as z from 'zod';

import type { RemoteUpstreamConfig } from '../../config/index.ts';
import { messageOf } from '../../errors.ts';
import { digestOf } from '../json.ts';
import type { Log } from '../log.ts';
import { replaceFile, withLock } from '../../files/replace-file.ts';

const FORMAT = 1;

/** What an authorization server knows us by; other fields of a registration are kept as they came. */
const clientSchema = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().exactOptional(),
  redirect_uris: z.array(z.string()).exactOptional(),
  issuer: z.string().exactOptional(),
});

const tokensSchema = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  refresh_token: z.string().exactOptional(),
  scope: z.string().exactOptional(),
  expires_in: z.number().exactOptional(),
  id_token: z.string().exactOptional(),
  issuer: z.string().exactOptional(),
});

/** What one authorization server knows us by, and has granted. */
const grantSchema = z.object({
  issuer: z.string(),
  client: clientSchema,
  /** Absent where they were refused: the registration is good for the next login. */
  tokens: tokensSchema.exactOptional(),
  /** Milliseconds since 1970; absent where the server did not say. */
  expiresAt: z.number().exactOptional(),
  /** When a person logged in, in milliseconds since 1970. */
  loggedInAt: z.number(),
  /** Where the server says which authorization server it trusts, if that is not the usual place. */
  resourceMetadataUrl: z.string().exactOptional(),
});

/** A login that has begun: what is needed to take the person's answer, in whichever process it arrives. */
const pendingSchema = z.object({
  state: z.string(),
  verifier: z.string(),
  redirectUrl: z.string(),
  client: clientSchema,
  /** Where the person was sent: no other server gets to see the code. */
  authorizationServerUrl: z.string(),
  resourceMetadataUrl: z.string().exactOptional(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

const accountSchema = z.object({
  key: z.string(),
  /** Name and URL, for people who read the file. */
  server: z.string(),
  url: z.string(),
  /** Port that the redirect URI of the registration names. */
  redirectPort: z.number().exactOptional(),
  /** One an issuer, the latest last. */
  grants: z.array(grantSchema),
  pending: z.array(pendingSchema),
});

const fileSchema = z.object({ format: z.literal(FORMAT), accounts: z.array(accountSchema) });

export type StoredClient = z.infer<typeof clientSchema>;
export type StoredTokens = z.infer<typeof tokensSchema>;
export type Grant = z.infer<typeof grantSchema>;
export type PendingLogin = z.infer<typeof pendingSchema>;
export type Account = z.infer<typeof accountSchema>;

/** Whose the credentials are. */
export interface Owner {
  readonly key: string;
  readonly config: RemoteUpstreamConfig;
}

/** The grant with other tokens; those that are told no life have no end. */
export function grantWith(grant: Omit<Grant, 'expiresAt'>, tokens: StoredTokens): Grant {
  const { issuer, client, loggedInAt, resourceMetadataUrl } = grant;
  const { expires_in: seconds } = tokens;
  return {
    issuer,
    client,
    loggedInAt,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    tokens,
    ...(seconds !== undefined && { expiresAt: Date.now() + seconds * 1000 }),
  };
}

/** Tokens as they are stored, from those of the SDK. */
export function toStoredTokens(tokens: object): StoredTokens {
  return tokensSchema.parse(withoutUndefined(tokens));
}

/** A registration as it is stored, from that of the SDK. */
export function toStoredClient(client: object): StoredClient {
  return clientSchema.parse(withoutUndefined(client));
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

/**
 * Tokens and registrations of all servers, in one file of mode 0600 in a folder of mode 0700 that all processes share. Nothing of it
 * belongs in a log, a result or an error.
 */
export class Credentials {
  readonly path: string;
  readonly #log: Log;
  #accounts: readonly Account[] = [];
  /** What tells the state of the file that `#accounts` was read from. */
  #stamp = '';

  constructor(path: string, log: Log) {
    this.path = path;
    this.#log = log;
  }

  /** What is known of a server now, by whichever process wrote it; costs a look at the file's date. */
  read(key: string): Account | undefined {
    return this.#read().find((account) => account.key === key);
  }

  /** Replaces what is known of a server; undefined forgets it. @throws the system's error. */
  async change(key: string, edit: (account: Account | undefined) => Account | undefined): Promise<void> {
    await this.#makeFolder();
    await withLock(this.path, async () => {
      const accounts = this.#read();
      const before = accounts.find((account) => account.key === key);
      const after = edit(before);
      const others = accounts.filter((account) => account !== before);
      await replaceFile(this.path, JSON.stringify({ format: FORMAT, accounts: after ? [...others, after] : others }));
    });
  }

  /** Keeps what a login or a refresh gave, besides what other authorization servers have granted. @throws the system's error. */
  async keep({ key, config: { name, url } }: Owner, grant: Grant): Promise<void> {
    await this.change(key, (account) => {
      const others = (account?.grants ?? []).filter(({ issuer }) => issuer !== grant.issuer);
      return { ...(account ?? { key, server: name, url, pending: [] }), grants: [...others, grant] };
    });
  }

  /** Runs `use` while no other process does so for the same server: a refresh token that is used twice may be lost. */
  async exclusively<T>(key: string, use: () => Promise<T>): Promise<T> {
    const folder = await this.#makeFolder();
    return withLock(join(folder, digestOf(key).slice(0, 16)), use);
  }

  async #makeFolder(): Promise<string> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // One that was there may be open to others. Windows keeps a user's folders to the user by itself.
    if (process.platform !== 'win32') await chmod(folder, 0o700);
    return folder;
  }

  #read(): readonly Account[] {
    const seen = statSync(this.path, { throwIfNoEntry: false });
    const stamp = seen === undefined ? '' : [seen.mtimeMs, seen.ctimeMs, seen.size, seen.ino].join(' ');
    if (stamp === this.#stamp) return this.#accounts;
    this.#accounts = seen === undefined ? [] : this.#parse();
    this.#stamp = stamp;
    return this.#accounts;
  }

  #parse(): readonly Account[] {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(this.path, 'utf8'))).accounts;
    } catch (error) {
      // The message of a JSON error quotes the text, and the text is secret.
      const why =
        error instanceof SyntaxError ? 'it is not JSON' : error instanceof z.ZodError ? 'odd' : messageOf(error);
      this.#log('error', `cannot read the stored logins, so all are asked for anew: ${why}`, { path: this.path });
      return [];
    }
  }
}
