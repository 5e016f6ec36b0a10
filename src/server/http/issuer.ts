import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { messageOf } from '../../errors.ts';
import { isJsonObject } from '../../model.ts';

/** Signatures that only the issuer can make: what is verified with a shared secret could be made by whoever verifies it. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Clocks differ. */
const TOLERANCE_SECONDS = 5;
/** An unknown key is looked for anew, for anybody who makes one up as well: so seldom. */
const COOLDOWN_MS = 5_000;
const FETCH_MS = 5_000;
/** Begins the names of callers of issuers. */
const CALLER_PREFIX = 'jwt:';

/** Codes of `jose` for tokens that are bad, whatever becomes of the keys. */
const BAD_TOKEN = new Set([
  'ERR_JWT_EXPIRED',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_INVALID',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
]);

export interface IssuerOptions {
  /** As tokens name it in `iss`. */
  readonly issuer: string;
  /** One of them must be in `aud`: never empty. */
  readonly audiences: readonly string[];
  /** Where its keys are; its metadata tells where absent. */
  readonly jwksUrl?: string;
}

/** Verifies the JWTs of one authorization server. Its keys are fetched when needed, and again when it signs with new ones. */
export class Issuer {
  readonly #options: IssuerOptions;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  /**
   * Who holds a token.
   * @throws OAuthError `invalid_token`; any other error where the keys cannot be had.
   */
  async verify(token: string): Promise<AuthInfo> {
    const { issuer, audiences } = this.#options;
    const { jwtVerify } = await import('jose');
    const keys = await this.#keysNow();
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        clockTolerance: TOLERANCE_SECONDS,
      });
      return toAuthInfo(token, payload);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (typeof code !== 'string' || !BAD_TOKEN.has(code)) throw error;
      throw invalidToken(whyBad(error));
    }
  }

  /** Whether it was an issuer that let a caller in. */
  isOf(clientId: string): boolean {
    return clientId.startsWith(CALLER_PREFIX);
  }

  #keysNow(): Promise<JWTVerifyGetKey> {
    this.#keys ??= keysOf(this.#options).catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }
}

/** What its holder may know: a claim is looked at only where the issuer has signed it. */
function whyBad(error: unknown): string {
  const { code, claim, reason } = isJsonObject(error) ? error : {};
  if (code === 'ERR_JWT_EXPIRED') return 'The token has expired';
  if (code !== 'ERR_JWT_CLAIM_VALIDATION_FAILED') return 'The token is not valid here';
  return `The token is not valid here: its claim ${String(claim)} is ${reason === 'missing' ? 'missing' : 'not what is expected'}`;
}

/** A token that is refused. */
export function invalidToken(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

async function keysOf({ issuer, jwksUrl }: IssuerOptions): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import('jose');
  const url = new URL(jwksUrl ?? (await discoverJwks(issuer)));
  return createRemoteJWKSet(url, { cooldownDuration: COOLDOWN_MS, timeoutDuration: FETCH_MS });
}

/** @see RFC 8414, section 3, and OpenID Connect Discovery, section 4 */
async function discoverJwks(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  for (const place of places) {
    const response = await fetch(place, { signal: AbortSignal.timeout(FETCH_MS) }).catch((error: unknown) => {
      // `fetch failed` says neither where nor why.
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      throw new Error(`${place}: ${messageOf(cause)}`, { cause: error });
    });
    const metadata: unknown = response.ok ? await response.json() : undefined;
    if (!isJsonObject(metadata) || metadata['issuer'] !== issuer) continue;
    if (typeof metadata['jwks_uri'] === 'string') return metadata['jwks_uri'];
  }
  throw new Error(`No metadata of ${issuer} tells where its keys are; \`http.jwksUrl\` may.`);
}

function toAuthInfo(token: string, payload: JWTPayload): AuthInfo {
  const { sub, exp = 0 } = payload;
  const client = [payload['client_id'], payload['azp']].find((claim) => typeof claim === 'string');
  const subject = sub ?? client;
  if (typeof subject !== 'string' || subject === '') throw invalidToken('The token does not say whose it is');
  // A user's token at one client is not the same caller as the same user's at another.
  const clientId = `${CALLER_PREFIX}${JSON.stringify([subject, client ?? null])}`;
  return { token, clientId, scopes: scopesIn(payload), expiresAt: exp + TOLERANCE_SECONDS, extra: { name: subject } };
}

/** `scope` of RFC 9068, or `scp` as others write it. */
function scopesIn({ scope, scp }: JWTPayload): string[] {
  const written = [scope, scp].flat();
  return written.flatMap((each: unknown) => (typeof each === 'string' ? each.split(' ').filter(Boolean) : []));
}
