import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

/** An MCP server that wants bearer tokens, and the authorization server that gives them, on one port. */
export interface OAuthServer {
  /** Of the MCP server. */
  readonly url: string;
  /** What was asked of the authorization server, as `METHOD path`, in its order. */
  readonly asked: readonly string[];
  /** Every secret that was ever handed out. */
  readonly secrets: readonly string[];
  /** Takes access tokens away; refresh tokens stay good. */
  readonly expire: () => void;
  /** Takes everything away. */
  readonly revoke: () => void;
  readonly close: () => void;
}

export interface OAuthServerOptions {
  readonly era?: 'modern' | 'legacy' | 'sse';
  /** Life of access tokens in seconds, as it is told; they are good until `expire`. */
  readonly expiresIn?: number;
  /** The `iss` of the answer, where it is to be another than the truth. */
  readonly iss?: string;
  /** False where nobody can register. */
  readonly registers?: boolean;
  /** Lets `initialize` and listing pass without a token. */
  readonly isOpenToList?: boolean;
}

const TOOLS = ['echo', 'admin'];

export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const { era = 'modern', expiresIn, registers = true, isOpenToList = false } = options;
  const asked: string[] = [];
  const secrets: string[] = [];
  const secret = (kind: string): string => {
    const made = `${kind}-${randomUUID()}`;
    secrets.push(made);
    return made;
  };
  const codes = new Map<string, URLSearchParams>();
  /** Scope by token. */
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `http://127.0.0.1:${address.port}`;

  const json = (response: ServerResponse, status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    if (url.pathname === '/mcp') return protectedMcp(request, response);
    asked.push(`${request.method} ${url.pathname}`);
    switch (url.pathname) {
      case '/resource':
        return json(response, 200, {
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          scopes_supported: ['read'],
        });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(registers && { registration_endpoint: `${origin}/register` }),
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/register':
        return json(response, 201, { ...JSON.parse(await text(request)), client_id: `client-${randomUUID()}` });
      case '/authorize':
        return authorize(url.searchParams, response);
      case '/token':
        return token(new URLSearchParams(await text(request)), response);
      default:
        return json(response, 404, {});
    }
  }

  /** The person agrees at once. */
  function authorize(given: URLSearchParams, response: ServerResponse): void {
    const code = secret('code');
    codes.set(code, given);
    const back = new URL(given.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', given.get('state') ?? '');
    back.searchParams.set('iss', options.iss ?? origin);
    response.writeHead(302, { location: back.href }).end();
  }

  function token(given: URLSearchParams, response: ServerResponse): void {
    const refused = (): void =>
      json(response, 400, { error: 'invalid_grant', error_description: `no: ${given.toString()}` });
    if (given.get('resource') !== `${origin}/mcp`) return refused();
    let scope: string | undefined;
    if (given.get('grant_type') === 'refresh_token') {
      scope = refresh.get(given.get('refresh_token') ?? '');
      // Rotated: a second use is theft.
      refresh.delete(given.get('refresh_token') ?? '');
    } else {
      const begun = codes.get(given.get('code') ?? '');
      codes.delete(given.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(given.get('code_verifier') ?? '')
        .digest('base64url');
      const isGood = begun?.get('code_challenge') === challenge && begun.get('client_id') === given.get('client_id');
      scope =
        isGood && begun.get('redirect_uri') === given.get('redirect_uri') ? (begun.get('scope') ?? '') : undefined;
    }
    if (scope === undefined) return refused();
    const [accessToken, refreshToken] = [secret('access'), secret('refresh')];
    access.set(accessToken, scope);
    refresh.set(refreshToken, scope);
    return json(response, 200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      scope,
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
    });
  }

  async function protectedMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await text(request) : '';
    const scope = access.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    const isCall = body.includes('"tools/call"');
    const challenge = (status: number, more: string): void =>
      void response
        .writeHead(status, { 'www-authenticate': `Bearer ${more}resource_metadata="${origin}/resource"` })
        .end();
    if (scope === undefined && (isCall || !isOpenToList)) return challenge(401, '');
    if (isCall && body.includes('"admin"') && !scope?.split(' ').includes('admin'))
      return challenge(403, 'error="insufficient_scope", scope="admin", ');
    return era === 'modern' ? modern(request, response, body) : legacy(request, response, body);
  }

  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'protected', version: '1.0.0' });
    const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
    for (const name of TOOLS)
      mcp.registerTool(name, { inputSchema }, () => ({ content: [{ type: 'text', text: `${name} done` }] }));
    return mcp;
  });

  async function modern(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await handler.fetch(
      new Request(`${origin}/mcp`, { method: request.method ?? 'GET', headers, body: body === '' ? null : body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  let stream: ServerResponse | undefined;

  /** The transport that came before Streamable HTTP: answers come on the stream that the client opened. */
  function opensStream(request: IncomingMessage, response: ServerResponse): boolean {
    if (era !== 'sse' || request.method !== 'GET') return false;
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    stream.write('event: endpoint\ndata: /mcp\n\n');
    return true;
  }

  function legacy(request: IncomingMessage, response: ServerResponse, body: string): void {
    if (opensStream(request, response)) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const answers: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'protected', version: '1' },
      },
      'tools/list': { tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' } })) },
      'tools/call': { content: [{ type: 'text', text: `${params?.name} done` }] },
    };
    const result = answers[method];
    const error = { code: -32_601, message: 'unknown method' };
    const answer = { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
    if (stream === undefined) return json(response, 200, answer);
    response.writeHead(202).end();
    return void stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
  }

  return {
    url: `${origin}/mcp`,
    asked,
    secrets,
    expire: () => access.clear(),
    revoke: () => {
      access.clear();
      refresh.clear();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
