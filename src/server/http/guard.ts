import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { HttpConfig } from '../../config/index.ts';
import { type HttpAddress, ownNames } from './address.ts';
import { refusal } from './refusal.ts';

/** Refuses a request; undefined where it may go on. */
export type Guard = (request: Request) => Response | undefined;

/**
 * Refuses requests that are addressed to another name than ours, or come from a foreign web page: a page can point its own name at
 * this address (DNS rebinding) and would then speak to us as its own server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function hostGuard({ host: own }: HttpAddress, config: () => HttpConfig): Guard {
  const names = ownNames(own);
  return (request) => {
    const { publicUrl, hosts = [], origins = [] } = config();
    const ours = [...names, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...hosts.map(nameIn)];
    const host = validateHostHeader(request.headers.get('host'), ours);
    if (!host.ok)
      return refused(`${host.message}. The server’s configuration names it by \`http.publicUrl\` or \`http.hosts\`.`);
    const origin = validateOriginHeader(request.headers.get('origin'), [...ours, ...origins.map(nameIn)]);
    return origin.ok
      ? undefined
      : refused(`${origin.message}. The server’s configuration lets its pages call by \`http.origins\`.`);
  };
}

function refused(message: string): Response {
  return refusal(403, { error: { code: -32000, message } });
}

/** People write a host with its scheme or port where only the name counts. */
function nameIn(written: string): string {
  const url = written.includes('://') ? written : `http://${written}`;
  return URL.canParse(url) ? new URL(url).hostname : written;
}
