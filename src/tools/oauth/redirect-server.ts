import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { messageOf } from '../../errors.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';

/** Waits on the person's own machine for the browser to come back from a login. */
export interface RedirectServer {
  /** What the authorization server is told to send the browser to. */
  readonly url: string;
  readonly port: number;
  readonly close: () => void;
}

/** What became of an answer: an odd one is not of this login, and the wait goes on. */
export type Reception = 'odd' | { readonly isLoggedIn: boolean; readonly text: string };

export interface RedirectOptions {
  /** The port to take; a free one where it is undefined, or taken and not `mustHave`. */
  readonly port: number | undefined;
  readonly mustHave: boolean;
  readonly receive: (params: URLSearchParams) => Promise<Reception>;
}

/** @throws Error whose message ends "it cannot be logged in to: …" where the port must be had and is taken. */
export async function openRedirectServer({ port, mustHave, receive }: RedirectOptions): Promise<RedirectServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
    const answer = (status: number, text: string): void => {
      // One browser comes once: without this, its idle connection would hold the port.
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', connection: 'close', ...SAFE });
      response.end(page(text));
    };
    if (request.method !== 'GET' || pathname !== PATH) return answer(404, 'There is nothing here.');
    void receive(searchParams).then(
      (received) =>
        received === 'odd'
          ? answer(400, 'This is not the answer to a login that was begun here.')
          : answer(received.isLoggedIn ? 200 : 400, received.text),
      (error: unknown) => answer(500, messageOf(error)),
    );
  });
  const taken = await listen(server, port, mustHave);
  return { url: `http://${HOST}:${taken}${PATH}`, port: taken, close: () => void server.close() };
}

async function listen(server: Server, port: number | undefined, mustHave: boolean): Promise<number> {
  try {
    server.listen(port ?? 0, HOST);
    await once(server, 'listening');
  } catch (error) {
    if (port === undefined || mustHave) throw new Error(`port ${port} is taken: ${messageOf(error)}`, { cause: error });
    return listen(server, undefined, false);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}

/** The address of the page has the code in it, so nothing may be told of it. */
const SAFE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'",
};

function page(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><title>playbook-mcp</title><p>${escaped}</p>\n`;
}
