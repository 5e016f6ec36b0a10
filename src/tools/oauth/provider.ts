import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import type { OAuthConfig } from '../../config/index.ts';
import type { Account, Grant, PendingLogin, StoredClient, StoredTokens } from './credentials.ts';
import { toStoredClient, toStoredTokens } from './credentials.ts';
import { LoginNeeded } from './login-needed.ts';

/** The client of the configuration, bound to the one authorization server that may see its secret. */
function configuredClient(
  { clientId, clientSecret, issuer }: OAuthConfig,
  account: Account | undefined,
  current: string | undefined,
): StoredClient | undefined {
  if (clientId === undefined) return undefined;
  const bound = issuer ?? account?.grants.find(({ client }) => client.client_id === clientId)?.issuer ?? current;
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(bound !== undefined && { issuer: bound }),
  };
}

type Invalidated = 'all' | 'client' | 'tokens' | 'verifier' | 'discovery';

/** What the SDK's flow needs of us, but for what differs between a refresh and a login. */
abstract class Provider implements OAuthClientProvider {
  readonly redirectUrl: string;
  protected readonly config: OAuthConfig;
  protected readonly account: Account | undefined;

  constructor({ config, account, redirectUrl }: ProviderOptions) {
    this.config = config;
    this.account = account;
    this.redirectUrl = redirectUrl;
    const { clientMetadataUrl } = config;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientMetadataUrl?: string;

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'playbook-mcp',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      ...(this.config.scopes && { scope: this.config.scopes.join(' ') }),
    };
  }

  grantOf(context: OAuthClientInformationContext | undefined): Grant | undefined {
    const grants = this.account?.grants ?? [];
    return context === undefined ? grants.at(-1) : grants.find(({ issuer }) => issuer === context.issuer);
  }

  abstract clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined;
  abstract tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined;
  abstract saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void;
  abstract redirectToAuthorization(url: URL): void;
  abstract saveCodeVerifier(verifier: string): void;
  abstract codeVerifier(): string;
}

export interface ProviderOptions {
  readonly config: OAuthConfig;
  readonly account: Account | undefined;
  readonly redirectUrl: string;
}

/** Renews tokens, and never begins anything that a person would have to finish. */
export class RefreshProvider extends Provider {
  /** What the refresh gave. */
  renewed: StoredTokens | undefined;
  /** What the authorization server does not take any more. */
  refused: 'tokens' | 'client' | undefined;
  /** The authorization server that was found last, which may be another than before. */
  #context: OAuthClientInformationContext | undefined;

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation {
    const client = configuredClient(this.config, this.account, context?.issuer) ?? this.grantOf(context)?.client;
    if (client === undefined || this.refused === 'client') throw expired();
    return client;
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    this.#context = context;
    return this.refused ? undefined : this.grantOf(context)?.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.renewed = toStoredTokens(tokens);
  }

  invalidateCredentials(scope: Invalidated): void {
    this.refused = this.refused === 'client' || scope === 'client' || scope === 'all' ? 'client' : 'tokens';
  }

  redirectToAuthorization(): void {
    if (this.refused || this.tokens(this.#context)?.refresh_token === undefined) throw expired();
    throw new Error('its authorization could not be renewed, since its authorization server does not answer');
  }

  saveCodeVerifier(): void {
    // It is made for the redirect, which is refused.
  }

  codeVerifier(): string {
    throw expired();
  }
}

/** One login, from the address that the person opens to the tokens. */
export class LoginProvider extends Provider {
  readonly stateText: string;
  /** Where the person logs in; undefined until the flow has come so far. */
  url: URL | undefined;
  client: StoredClient | undefined;
  /** What the login gave. */
  granted: { readonly issuer: string; readonly tokens: StoredTokens } | undefined;
  verifier = '';
  discovery: OAuthDiscoveryState | undefined;
  /** Absent for a client of the configuration: the SDK then refuses any other authorization server than its own. */
  saveClientInformation?: (client: StoredOAuthClientInformation) => void;

  constructor(options: ProviderOptions & { readonly state: string }) {
    super(options);
    this.stateText = options.state;
    if (options.config.clientId === undefined)
      this.saveClientInformation = (client) => void (this.client = toStoredClient(client));
  }

  /** The login that another process may have begun. */
  static resume(options: Omit<ProviderOptions, 'redirectUrl'>, pending: PendingLogin): LoginProvider {
    const provider = new LoginProvider({ ...options, redirectUrl: pending.redirectUrl, state: pending.state });
    provider.client = pending.client;
    provider.verifier = pending.verifier;
    const { authorizationServerUrl, resourceMetadataUrl } = pending;
    provider.discovery = { authorizationServerUrl, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
    return provider;
  }

  state(): string {
    return this.stateText;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    this.client ??= configuredClient(this.config, this.account, context?.issuer) ?? this.#registered(context);
    return this.client;
  }

  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    this.granted = { issuer: context?.issuer ?? tokens.issuer ?? '', tokens: toStoredTokens(tokens) };
  }

  invalidateCredentials(scope: Invalidated): void {
    if (scope === 'client' || scope === 'all') this.client = undefined;
  }

  redirectToAuthorization(url: URL): void {
    this.url = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  /** An earlier registration, where it allows the address that we wait at now. */
  #registered(context: OAuthClientInformationContext | undefined): StoredClient | undefined {
    const client = this.grantOf(context)?.client;
    const uris = client?.redirect_uris;
    return uris === undefined || uris.includes(this.redirectUrl) ? client : undefined;
  }
}

function expired(): LoginNeeded {
  return new LoginNeeded('its authorization has expired or was revoked');
}
