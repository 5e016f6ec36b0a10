import { messageOf, PlaybookError } from '../../errors.ts';
import type { Credentials, Owner, PendingLogin } from './credentials.ts';
import { grantWith } from './credentials.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { LoginProvider } from './provider.ts';

/** People log in; this is how long they may take. */
export const LOGIN_MS = 10 * 60 * 1000;

/** What a refusal asks for. */
export interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
}

/** For whom somebody logs in, and where that is kept. */
export interface Target {
  readonly owner: Owner;
  readonly credentials: Credentials;
}

/** The address at which a person gives the challenge its due; registers us where that is needed. @throws whatever the flow does. */
export async function authorizationUrl(
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

/** Stores what it takes to finish the login, in this process or another. @throws the system's error. */
export async function remember(
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
      throw loginFailure(target, `the login has failed: ${await oauthReasonOf(error)}`, error);
    }
    const { granted } = provider;
    if (granted === undefined) throw loginFailure(target, 'the login gave no tokens');
    const { resourceMetadataUrl } = pending;
    const grant = {
      issuer: granted.issuer,
      loggedInAt: Date.now(),
      client: pending.client,
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    };
    await credentials.keep(owner, grantWith(grant, granted.tokens));
  });
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
  throw loginFailure(
    { owner, credentials },
    'the address is not the answer to a login that was begun here in the last 10 minutes',
  );
}

function isFresh({ startedAt }: PendingLogin): boolean {
  return Date.now() - startedAt < LOGIN_MS;
}

/** Of what an authorization server refuses with, only the code: the rest is the text of whoever wrote the address. */
async function oauthReasonOf(error: unknown): Promise<string> {
  const { OAuthError, OAuthClientFlowError } = await import('@modelcontextprotocol/client');
  if (OAuthError.isInstance(error)) return `its authorization server answered ${error.code.slice(0, 100)}`;
  return OAuthClientFlowError.isInstance(error) ? messageOf(error) : reasonOf(error);
}

/** Why something failed, for a message; `fetch` tells only in its cause whether the host, the port or the certificate is wrong. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return (messageOf(error) + cause).slice(0, 500);
}

/** @param reason ends the sentence "Server x needs authorization: …". */
export function loginFailure(target: Target, reason: string, cause?: unknown): PlaybookError {
  const { name } = target.owner.config;
  return new PlaybookError('tools/unauthorized', `Server "${name}" needs authorization: ${reason}.`, {
    hint: `A person can log in with \`playbook-mcp tools login ${name}\`. Where the server offers no login, give it an Authorization header, or an \`oauth.clientId\`, in the configuration.`,
    cause,
  });
}
