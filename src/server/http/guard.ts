import { hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import type { HttpConfig } from '../../config/index.ts';
import { type HttpAddress, ownNames } from './address.ts';

/** Refuses a request; undefined where it may go on. */
export type Guard = (request: Request) => Response | undefined;

/**
 * Refuses requests that are addressed to another name than ours, or come from a foreign web page: a page can point its own name at
 * this address (DNS rebinding) and would then speak to us as its own server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function hostGuard({ host }: HttpAddress, config: () => HttpConfig): Guard {
  const own = ownNames(host);
  return (request) => {
    const { publicUrl, hosts = [], origins = [] } = config();
    const ours = [...own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]), ...hosts.map(nameIn)];
    return (
      hostHeaderValidationResponse(request, ours) ??
      originValidationResponse(request, [...ours, ...origins.map(nameIn)])
    );
  };
}

/** People write a host with its scheme or port where only the name counts. */
function nameIn(written: string): string {
  const url = written.includes('://') ? written : `http://${written}`;
  return URL.canParse(url) ? new URL(url).hostname : written;
}
