import { messageOf, PlaybookError } from '../../errors.ts';
import type { Credentials, Owner, PendingLogin } from './credentials.ts';
import { grantWith } from './credentials.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { LoginProvider } from './provider.ts';
import type { Reception, RedirectServer } from './redirect-server.ts';
import { openRedirectServer } from './redirect-server.ts';

/** People log in; this is how long they may take. */
export const LOGIN_MS = 10 * 60 * 1000;
/** How often to look whether the login was finished in another process. */
const LOOK_MS = 500;

/** What a refusal asks for. */
export interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
}

/** For whom somebody logs in, and where that is kept. */
interface Target {
  readonly owner: Owner;
  readonly credentials: Credentials;
}

interface BeginOptions extends Target {
  readonly challenge: Challenge;
  /** Nobody else's: who knows it has seen the address. */
  readonly state: string;
}

/** A login under way: an address for the person, and a wait for what comes of it, here or in another process. */
export class Login {
  /** What the person opens. */
  readonly url: string;
  /** Resolves when the tokens are stored. @throws PlaybookError `tools/unauthorized` where nobody logs in within 10 minutes, or is refused. */
  readonly done: Promise<void>;
  readonly #settle: Settling;
  readonly #stop: () => void;

  private constructor(url: string, server: RedirectServer, target: Target) {
    this.url = url;
    this.#settle = withResolvers();
    this.done = this.#settle.promise;
    const before = tokenOf(target);
    const look = setInterval(() => {
      const now = tokenOf(target);
      if (now !== undefined && now !== before) this.#end();
    }, LOOK_MS).unref();
    const expiry = setTimeout(() => this.#end(failure(target, 'nobody has logged in within 10 minutes')), LOGIN_MS);
    this.#stop = () => {
      clearInterval(look);
      clearTimeout(expiry);
      server.close();
    };
    // Nobody may be waiting: the next call finds out by itself.
    this.done.catch(() => undefined);
  }

  /**
   * Finds the authorization server, registers us where that is needed, and waits at a port of this machine.
   * @throws PlaybookError `tools/unauthorized` saying why the server cannot be logged in to.
   */
  static async begin({ challenge, state, ...target }: BeginOptions): Promise<Login> {
    const { oauth = {} } = target.owner.config;
    const account = target.credentials.read(target.owner.key);
    let login: Login | undefined;
    let server: RedirectServer | undefined;
    try {
      server = await openRedirectServer({
        port: oauth.callbackPort ?? account?.redirectPort,
        mustHave: oauth.callbackPort !== undefined,
        receive: async (params) => (params.get('state') === state && login ? login.#receive(target, params) : 'odd'),
      });
      const provider = new LoginProvider({ config: oauth, account, redirectUrl: server.url, state });
      const url = await authorizationUrl(target, provider, challenge);
      await remember(target, provider, server.port);
      login = new Login(url, server, target);
      return login;
    } catch (error) {
      server?.close();
      throw failure(target, `it cannot be logged in to: ${reasonOf(error)}`, error);
    }
  }

  /** Gives up waiting. */
  close(): void {
    this.#end(new PlaybookError('tools/unauthorized', 'The login was given up.'));
  }

  async #receive(target: Target, params: URLSearchParams): Promise<Reception> {
    try {
      await finishLogin(target, params);
      this.#end();
      return { isLoggedIn: true, text: `You have logged in to ${target.owner.config.name}. You can close this page.` };
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(messageOf(error)));
      return { isLoggedIn: false, text: messageOf(error) };
    }
  }

  #end(error?: Error): void {
    this.#stop();
    if (error === undefined) this.#settle.resolve();
    else this.#settle.reject(error);
  }
}

/**
 * Takes the address that the browser was sent back to, of a login that any process has begun, and stores the tokens.
 * @throws PlaybookError `tools/unauthorized` saying what is wrong with it.
 */
export async function finishLogin(target: Target, params: URLSearchParams): Promise<void> {
  const { credentials, owner } = target;
  const { key, config } = owner;
  await credentials.exclusively(key, async () => {
    const pending = await takePending(target, params.get('state'));
    const account = credentials.read(key);
    const provider = LoginProvider.resume({ config: config.oauth ?? {}, account }, pending);
    try {
      const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
      // It is never started: finishing a login is all that is wanted of it.
      const transport = new StreamableHTTPClientTransport(new URL(config.url), {
        authProvider: provider,
        fetch: oauthFetch,
      });
      await transport.finishAuth(params);
    } catch (error) {
      throw failure(target, `the login has failed: ${await oauthReasonOf(error)}`, error);
    }
    const { granted } = provider;
    if (granted === undefined) throw failure(target, 'the login gave no tokens');
    const { resourceMetadataUrl } = pending;
    const grant = {
      issuer: granted.issuer,
      client: pending.client,
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    };
    await credentials.keep(owner, grantWith(grant, granted.tokens));
  });
}

async function authorizationUrl(
  { owner: { config, key }, credentials }: Target,
  provider: LoginProvider,
  challenge: Challenge,
): Promise<string> {
  const { auth, computeScopeUnion } = await import('@modelcontextprotocol/client');
  // What was granted before must not be lost to what is asked for now.
  const granted = credentials.read(key)?.grants.at(-1)?.tokens?.scope;
  const scope = computeScopeUnion(
    granted,
    config.oauth?.scopes?.join(' ') ?? challenge.scope,
    granted && challenge.scope,
  );
  await auth(provider, {
    serverUrl: config.url,
    fetchFn: oauthFetch,
    forceReauthorization: true,
    ...(scope !== undefined && { scope }),
    ...(challenge.resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(challenge.resourceMetadataUrl) }),
  });
  const { url } = provider;
  if (url === undefined) throw new Error('its authorization server gave no address to log in at');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`${url.protocol} is no address for a browser`);
  return url.href;
}

async function remember(
  { owner: { config, key }, credentials }: Target,
  provider: LoginProvider,
  port: number,
): Promise<void> {
  const { client, discovery, verifier, stateText: state, redirectUrl } = provider;
  if (client === undefined || discovery === undefined) throw new Error('its authorization server is not known');
  const { authorizationServerUrl, resourceMetadataUrl } = discovery;
  const pending: PendingLogin = {
    state,
    verifier,
    redirectUrl,
    client,
    authorizationServerUrl,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    startedAt: Date.now(),
  };
  await credentials.change(key, (account) => ({
    ...(account ?? { key, server: config.name, url: config.url, grants: [] }),
    redirectPort: port,
    pending: [...(account?.pending ?? []).filter(isFresh), pending],
  }));
}

/** The login that the state belongs to; it cannot be taken twice. */
async function takePending({ owner, credentials }: Target, state: string | null): Promise<PendingLogin> {
  let taken: PendingLogin | undefined;
  await credentials.change(owner.key, (account) => {
    if (account === undefined) return undefined;
    taken = account.pending.filter(isFresh).find((pending) => pending.state === state);
    return { ...account, pending: account.pending.filter((pending) => isFresh(pending) && pending.state !== state) };
  });
  if (taken !== undefined) return taken;
  throw failure(
    { owner, credentials },
    'the address is not the answer to a login that was begun here in the last 10 minutes',
  );
}

function isFresh({ startedAt }: PendingLogin): boolean {
  return Date.now() - startedAt < LOGIN_MS;
}

function tokenOf({ credentials, owner: { key } }: Target): string | undefined {
  return credentials.read(key)?.grants.at(-1)?.tokens?.access_token;
}

/** Of what an authorization server refuses with, only the code: the rest is the text of whoever wrote the address. */
async function oauthReasonOf(error: unknown): Promise<string> {
  const { OAuthError, OAuthClientFlowError } = await import('@modelcontextprotocol/client');
  if (OAuthError.isInstance(error)) return `its authorization server answered ${error.code.slice(0, 100)}`;
  return OAuthClientFlowError.isInstance(error) ? messageOf(error) : reasonOf(error);
}

/** `fetch` tells only in its cause whether the host, the port or the certificate is wrong. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return (messageOf(error) + cause).slice(0, 500);
}

function failure(
  {
    owner: {
      config: { name },
    },
  }: Target,
  reason: string,
  cause?: unknown,
): PlaybookError {
  return new PlaybookError('tools/unauthorized', `Server "${name}" needs authorization: ${reason}.`, {
    hint: `A person can log in with \`playbook-mcp tools login ${name}\`. Where the server offers no login, give it an Authorization header, or an \`oauth.clientId\`, in the configuration.`,
    cause,
  });
}

interface Settling {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** `Promise.withResolvers` needs Node 22. */
function withResolvers(): Settling {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
