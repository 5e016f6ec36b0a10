import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Env, HttpConfig, HttpToken } from '../../config/index.ts';
import { USUAL_SCOPES } from './scopes.ts';

interface KnownToken {
  readonly digest: Buffer;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** The bearer tokens that somebody has written down: in the configuration, in a file, in the environment. */
export class TokenList {
  readonly #tokens: readonly KnownToken[];

  /**
   * Reads them all.
   * @throws the error of the file system where the configured file cannot be read.
   */
  static async read(config: HttpConfig, env: Env): Promise<TokenList> {
    const texts = await Promise.all(tokenFiles(config, env).map((path) => readFile(path, 'utf8')));
    const ofEnv = env['PLAYBOOK_MCP_TOKEN'] ?? '';
    return new TokenList([...config.tokens, ...texts.flatMap(tokensIn), ...(ofEnv === '' ? [] : [ofEnv])]);
  }

  private constructor(tokens: readonly (string | HttpToken)[]) {
    this.#tokens = tokens.map((each) => toKnown(typeof each === 'string' ? { token: each } : each));
  }

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  /** Who holds a token; undefined where it is none of these. Takes the same time for every token. */
  find(token: string): AuthInfo | undefined {
    const digest = digestOf(token);
    let found: KnownToken | undefined;
    for (const known of this.#tokens) if (timingSafeEqual(known.digest, digest)) found = known;
    if (found === undefined) return undefined;
    const { name, scopes } = found;
    // The SDK refuses tokens without an end.
    return {
      token,
      clientId: `token:${name}`,
      scopes: [...scopes],
      expiresAt: Number.MAX_SAFE_INTEGER,
      extra: { name },
    };
  }
}

/** Paths of the files that hold tokens. */
export function tokenFiles({ tokensFile }: HttpConfig, env: Env): readonly string[] {
  return [tokensFile, env['PLAYBOOK_MCP_TOKENS_FILE']].flatMap((path = '') => (path === '' ? [] : [path]));
}

/** A line is the token, then its name, then its scopes; what follows `#` at the begin of a line is for people. */
function tokensIn(text: string): readonly HttpToken[] {
  return text.split('\n').flatMap((line) => {
    const [token = '', name, ...scopes] = line.trim().split(/[\s,]+/);
    if (token === '' || token.startsWith('#')) return [];
    return [{ token, ...(name !== undefined && { name }), ...(scopes.length > 0 && { scopes }) }];
  });
}

function toKnown({ token, name, scopes = USUAL_SCOPES }: HttpToken): KnownToken {
  const digest = digestOf(token);
  // The same at every replica, and in every order of the list.
  return { digest, name: name ?? `token-${digest.toString('hex').slice(0, 8)}`, scopes };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
