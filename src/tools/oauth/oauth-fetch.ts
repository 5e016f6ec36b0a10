import type { FetchLike } from '@modelcontextprotocol/client';

/** An authorization server that answers nothing must not hold a call, or the lock that a refresh holds. */
const TIMEOUT_MS = 20_000;
const SECRETS = ['code', 'code_verifier', 'refresh_token', 'access_token', 'client_secret', 'client_assertion'];

/**
 * `fetch` for authorization servers. Of a refusal, what was sent and is secret is struck out, since its text ends up in errors and on
 * stderr; the headers that are configured for the upstream are none of their business.
 */
export const oauthFetch: FetchLike = async (url, init = {}) => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { body } = init;
  if (response.ok || !(body instanceof URLSearchParams)) return response;
  const secrets = SECRETS.flatMap((name) => body.getAll(name)).filter((value) => value !== '');
  const text = secrets.reduce((kept, secret) => kept.replaceAll(secret, '[secret]'), await response.text());
  return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
};
