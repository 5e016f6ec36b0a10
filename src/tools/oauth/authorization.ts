import { randomBytes } from 'node:crypto';

import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';

import type { RemoteUpstreamConfig, UpstreamConfig } from '../../config/index.ts';
import { digestOf } from '../json.ts';
import type { Credentials, Grant } from './credentials.ts';
import { grantWith } from './credentials.ts';
import { Login } from './login.ts';
import type { Challenge } from './login-flow.ts';
import { finishLogin } from './login-flow.ts';
import { LoginNeeded } from './login-needed.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { RefreshProvider } from './provider.ts';

/** A token that is about to expire would expire on the way. */
const EARLY_MS = 10_000;
const LONGEST_SCOPE = 200;

/** The authorization of one upstream; undefined where it has none, or the configuration brings its own. */
export function authorizationFor(config: UpstreamConfig, credentials: Credentials): Authorization | undefined {
  if (config.transport === 'stdio') return undefined;
  const hasOwn = Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization');
  return hasOwn ? undefined : new Authorization(config, credentials);
}

/**
 * Brings the tokens of one remote upstream to its requests, as `authProvider` and `fetch` of a transport of the SDK. It renews them
 * by itself, and asks nobody for anything: what needs a person fails with `LoginNeeded`, and `begin` starts the login.
 */
export class Authorization implements AuthProvider {
  readonly config: RemoteUpstreamConfig;
  readonly key: string;
  readonly credentials: Credentials;
  readonly #tokenSentFor = new WeakMap<Response, string>();
  #challenge: Challenge = {};
  #renewing: Promise<void> | undefined;
  #login: Promise<Login> | undefined;

  constructor(config: RemoteUpstreamConfig, credentials: Credentials) {
    this.config = config;
    this.credentials = credentials;
    this.key = digestOf([config.name, config.url, config.oauth?.clientId ?? null]);
  }

  /** Whether somebody has logged in. */
  get isGranted(): boolean {
    return this.#grant()?.tokens !== undefined;
  }

  /** The access token for the next request, renewed where it is about to expire. @throws LoginNeeded, and Error where it cannot be renewed now. */
  async token(): Promise<string | undefined> {
    const { expiresAt = Infinity, tokens } = this.#grant() ?? {};
    if (tokens?.refresh_token !== undefined && expiresAt - EARLY_MS < Date.now())
      await this.#renew(tokens.access_token);
    return this.#grant()?.tokens?.access_token;
  }

  /** Sees to it that the next `token` is another one than that which was refused. @throws as `token`. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    await this.#note(response);
    const refused = this.#tokenSentFor.get(response);
    if (refused === undefined && !this.isGranted)
      throw new LoginNeeded('it needs authorization, and nobody has logged in');
    await this.#renew(refused);
  }

  /** `fetch` for the transport: knows which token was refused, and takes a refusal for want of scope for what it is. */
  readonly fetch: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    const [, token] = /^Bearer (.+)$/i.exec(new Headers(init?.headers).get('authorization') ?? '') ?? [];
    if (token !== undefined) this.#tokenSentFor.set(response, token);
    if (response.status !== 403 || (await this.#note(response)) !== 'insufficient_scope') return response;
    const { scope } = this.#challenge;
    const what = scope === undefined ? '' : ` (${scope.slice(0, LONGEST_SCOPE)})`;
    throw new LoginNeeded(`it asks for more than was authorized${what}`);
  };

  /** Begins a login, or joins the one that is under way. @throws Error saying why the server cannot be logged in to. */
  begin(): Promise<Login> {
    if (this.#login !== undefined) return this.#login;
    const login = Login.begin({
      owner: this,
      credentials: this.credentials,
      challenge: this.#challenge,
      state: randomBytes(32).toString('base64url'),
    });
    const forget = (): void => {
      if (this.#login === login) this.#login = undefined;
    };
    login.then(async ({ done }) => done.finally(forget)).catch(forget);
    this.#login = login;
    return login;
  }

  /**
   * Takes the address that the browser was sent back to, of a login that this or another process has begun.
   * @throws PlaybookError `tools/unauthorized` saying what is wrong with it.
   */
  async finish(address: URL): Promise<void> {
    await finishLogin({ owner: this, credentials: this.credentials }, address.searchParams);
  }

  /** Forgets tokens and registrations. @returns whether there were any. */
  async forget(): Promise<boolean> {
    const had = this.credentials.read(this.key) !== undefined;
    if (had) await this.credentials.exclusively(this.key, () => this.credentials.change(this.key, () => undefined));
    return had;
  }

  /** Ends a login that nobody has finished. */
  async close(): Promise<void> {
    const [login] = await Promise.allSettled([this.#login]);
    if (login.status === 'fulfilled') login.value?.close();
  }

  #grant(): Grant | undefined {
    return this.credentials.read(this.key)?.grants.at(-1);
  }

  /** Many requests are refused at once; one of them renews. */
  #renew(refused: string | undefined): Promise<void> {
    this.#renewing ??= this.credentials
      .exclusively(this.key, () => this.#renewAlone(refused))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #renewAlone(refused: string | undefined): Promise<void> {
    const account = this.credentials.read(this.key);
    const grant = account?.grants.at(-1);
    // Another process, or another request, has been here first.
    if (grant?.tokens !== undefined && grant.tokens.access_token !== refused) return;
    if (grant?.tokens?.refresh_token === undefined)
      throw new LoginNeeded('its authorization has expired or was revoked');
    const redirectUrl = grant.client.redirect_uris?.at(0) ?? 'http://127.0.0.1/callback';
    const provider = new RefreshProvider({ config: this.config.oauth ?? {}, account, redirectUrl });
    const { auth } = await import('@modelcontextprotocol/client');
    const { resourceMetadataUrl } = grant;
    try {
      // What is refused is told by an error, or by a redirect, which is an error here.
      await auth(provider, {
        serverUrl: this.config.url,
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
        fetchFn: oauthFetch,
      });
    } finally {
      if (provider.refused) await this.#drop(grant, provider.refused);
    }
    if (provider.renewed) await this.credentials.keep(this, grantWith(grant, provider.renewed));
  }

  /** Gives up what is refused; a registration may be good for the next login although its tokens are not. */
  async #drop({ issuer }: Grant, what: 'tokens' | 'client'): Promise<void> {
    await this.credentials.change(this.key, (account) => {
      if (account === undefined) return undefined;
      const grants = account.grants.flatMap((grant) => {
        if (grant.issuer !== issuer) return [grant];
        const { tokens: _tokens, expiresAt: _expiresAt, ...registered } = grant;
        return what === 'tokens' ? [registered] : [];
      });
      return { ...account, grants };
    });
  }

  /** @returns the error that the server names. */
  async #note(response: Response): Promise<string | undefined> {
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
    if (response.status === 401 || error === 'insufficient_scope') {
      this.#challenge = {
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: resourceMetadataUrl.href }),
      };
    }
    return error;
  }
}
