import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import type { Env, HttpConfig } from '../../config/index.ts';
import { messageOf, PlaybookError } from '../../errors.ts';
import { type FileWatch, watchFile } from '../../files/watch-file.ts';
import type { Log } from '../../tools/log.ts';
import { invalidToken, Issuer } from './issuer.ts';
import { ADMIN_SCOPE, USUAL_SCOPES } from './scopes.ts';
import { tokenFiles, TokenList } from './token-list.ts';

export interface AuthenticationOptions {
  /** As it is now: the configuration is followed. */
  readonly config: () => HttpConfig;
  readonly env: Env;
  readonly log: Log;
  /** Whether other machines can reach the server, so that nobody may call unknown. */
  readonly isExposed: boolean;
  /** The endpoint as it is listened at, for a server without a public address. */
  readonly ownUrl: () => string;
}

/** What one state of the configuration accepts. */
interface Accepted {
  readonly of: HttpConfig;
  readonly tokens: Promise<TokenList>;
  readonly issuer: Issuer | undefined;
}

/** Tells who calls, by a bearer token of a list or of an issuer. */
export class Authentication {
  readonly #options: AuthenticationOptions;
  readonly #watches = new Map<string, FileWatch>();
  /** Once on, it stays so until the process ends: an edit of the configuration opens nothing. */
  #isOn: boolean;
  #accepted: Accepted | undefined;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    const { env, config, isExposed } = options;
    const files = tokenFiles(config(), env);
    this.#isOn = isExposed || files.length > 0 || (env['PLAYBOOK_MCP_TOKEN'] ?? '') !== '';
  }

  /** Whether callers must tell who they are. */
  get isOn(): boolean {
    this.#isOn ||= this.#options.config().isGuarded === true;
    return this.#isOn;
  }

  /** The address that clients know. */
  get resource(): string {
    return this.#options.config().publicUrl ?? this.#options.ownUrl();
  }

  /**
   * Refuses a server that would be open to everybody who reaches it, or to nobody.
   * @throws PlaybookError `http/unprotected`.
   */
  async requireSense(host: string): Promise<void> {
    if (!this.isOn) return;
    const { tokens, issuer } = this.#acceptedNow();
    const list = await tokens.catch((error: unknown) => {
      throw new PlaybookError('http/unprotected', `The tokens cannot be read: ${messageOf(error)}.`, {
        hint: 'Write that file (a token a line, then its name, then its scopes), or correct `http.tokensFile` or PLAYBOOK_MCP_TOKENS_FILE.',
        cause: error,
      });
    });
    if (!list.isEmpty || issuer !== undefined) return;
    const [why, hint] = this.#options.isExposed
      ? [
          `Not serving at ${host}: other machines may reach it, and nothing tells who may call.`,
          ', or serve at 127.0.0.1',
        ]
      : ['The configuration asks for authentication, but no token or issuer of it can be used.', ''];
    throw new PlaybookError('http/unprotected', why, {
      hint: `Configure \`http.tokens\` or \`http.issuer\`, or set PLAYBOOK_MCP_TOKEN${hint}.`,
    });
  }

  /** Who sends a request; a refusal where the token is missing or bad; undefined where nobody has to tell. */
  async authenticate(request: Pick<Request, 'headers'>): Promise<AuthInfo | Response | undefined> {
    if (!this.isOn) return undefined;
    try {
      const verifier = { verifyAccessToken: (token: string) => this.#verify(token) };
      return await verifyBearerToken(request.headers.get('authorization'), { verifier });
    } catch (error) {
      if (error instanceof OAuthError) return this.#challenge(error, USUAL_SCOPES);
      // The keys of the issuer cannot be had, or the file of tokens is away: the token may be good.
      this.#options.log('error', `Nobody can be authenticated: ${messageOf(error)}`, {});
      return Response.json({ error: 'temporarily_unavailable' }, { status: 503, headers: { 'Retry-After': '5' } });
    }
  }

  /**
   * Whether a caller who was let in would be now, with the same scopes; undefined for one who did not have to tell. A JWT is good until
   * it expires: nothing takes it back.
   * @throws where the tokens cannot be read.
   */
  async isStill(caller: AuthInfo | undefined): Promise<boolean> {
    if (caller === undefined) return !this.isOn;
    const { token, clientId, scopes, expiresAt = 0 } = caller;
    if (expiresAt * 1000 < Date.now()) return false;
    const { tokens, issuer } = this.#acceptedNow();
    const listed = (await tokens).find(token);
    if (listed === undefined) return issuer !== undefined && issuer.isOf(clientId);
    return listed.clientId === clientId && listed.scopes.join(' ') === scopes.join(' ');
  }

  /**
   * Lets a person with the scope `admin` in, who has a browser: its question for a password is answered with the token, whatever the
   * name. Undefined where the request may go on.
   */
  async refuseAdmin(request: Request): Promise<Response | undefined> {
    if (!this.isOn) return undefined;
    const password = passwordIn(request.headers.get('authorization'));
    const headers = password === undefined ? request.headers : new Headers({ authorization: `Bearer ${password}` });
    const found = await this.authenticate({ headers });
    if (found instanceof Response) {
      if (found.status === 401) found.headers.append('WWW-Authenticate', 'Basic realm="playbook-mcp", charset="UTF-8"');
      return found;
    }
    return found?.scopes.includes(ADMIN_SCOPE) === true ? undefined : this.refuseScopes([ADMIN_SCOPE]);
  }

  /** Refuses a caller whose token does not have the scopes that a request needs. */
  refuseScopes(scopes: readonly string[]): Response {
    const message = `This needs the scope ${scopes.join(' ')}`;
    return this.#challenge(new OAuthError(OAuthErrorCode.InsufficientScope, message), scopes);
  }

  /** The metadata of RFC 9728; undefined where no authorization server gives tokens out. */
  metadata(): object | undefined {
    const { issuer } = this.#options.config();
    if (issuer === undefined) return undefined;
    return {
      resource: this.resource,
      authorization_servers: [issuer],
      scopes_supported: USUAL_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Playbooks',
    };
  }

  close(): void {
    this.#follow([]);
  }

  /** @see RFC 6750, section 3, and RFC 9728, section 5 */
  #challenge(error: OAuthError, scopes: readonly string[]): Response {
    const hasMetadata = this.#options.config().issuer !== undefined;
    return bearerAuthChallengeResponse(error, {
      requiredScopes: [...scopes],
      ...(hasMetadata && { resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(this.resource)) }),
    });
  }

  async #verify(token: string): Promise<AuthInfo> {
    const { tokens, issuer } = this.#acceptedNow();
    const listed = (await tokens).find(token);
    if (listed !== undefined) return listed;
    if (issuer === undefined || token.split('.').length !== 3) throw invalidToken('The token is not known here');
    return issuer.verify(token);
  }

  /** Looks at these files, and at no others any more. */
  #follow(files: readonly string[]): void {
    for (const [path, watch] of this.#watches) {
      if (files.includes(path)) continue;
      watch.close();
      this.#watches.delete(path);
    }
    for (const path of files) {
      if (this.#watches.has(path)) continue;
      this.#watches.set(
        path,
        watchFile(path, () => (this.#accepted = undefined)),
      );
    }
  }

  #acceptedNow(): Accepted {
    const config = this.#options.config();
    if (this.#accepted?.of === config) return this.#accepted;
    const { env } = this.#options;
    this.#follow(tokenFiles(config, env));
    const tokens = TokenList.read(config, env);
    // Told to whoever asks for them.
    tokens.catch(() => undefined);
    this.#accepted = { of: config, tokens, issuer: issuerOf(config) };
    return this.#accepted;
  }
}

/** @see RFC 7617 */
function passwordIn(authorization: string | null): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

function issuerOf({ issuer, audience, publicUrl, jwksUrl }: HttpConfig): Issuer | undefined {
  if (issuer === undefined) return undefined;
  const audiences = [audience, publicUrl].filter((each) => each !== undefined);
  return new Issuer({ issuer, audiences, ...(jwksUrl !== undefined && { jwksUrl }) });
}
