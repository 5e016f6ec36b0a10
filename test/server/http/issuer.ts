import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll } from 'vitest';

/** An authorization server, as far as a resource server sees it: its metadata and its keys. */
export interface TestIssuer {
  readonly url: string;
  /** A token that is good for an hour, but for what is given; `null` leaves a claim out. */
  readonly token: (claims?: Record<string, unknown>) => Promise<string>;
  /** Signs with a new key from now on, and forgets the old one. */
  readonly rotate: () => Promise<void>;
  /** The public key, for forgeries. */
  readonly publicKey: () => JWK;
}

export async function startIssuer(audience: string): Promise<TestIssuer> {
  let keys = await newKeys();
  const server = createServer((request, response) => {
    const isKeys = request.url === '/keys';
    const metadata = { issuer: url, jwks_uri: `${url}/keys` };
    if (!isKeys && request.url !== '/.well-known/oauth-authorization-server') response.statusCode = 404;
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify(isKeys ? { keys: [keys.jwk] } : metadata));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token: (claims = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: audience, sub: 'ada', scope: 'search execute', exp: now + 3600 };
      const all = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== null);
      return sign(Object.fromEntries(all), keys);
    },
    rotate: async () => void (keys = await newKeys()),
    publicKey: () => keys.jwk,
  };
}

interface Keys {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

let made = 0;

async function newKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  made += 1;
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${made}`, alg: 'RS256', use: 'sig' } };
}

function sign(claims: JWTPayload, { privateKey, jwk }: Keys): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: jwk.kid! }).sign(privateKey);
}
