import { isIP } from 'node:net';
import { networkInterfaces, hostname as machineName } from 'node:os';
import { PlaybookError } from '../../errors.ts';

/** Where the server listens. */
export interface HttpAddress {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8321;

/** The path of the endpoint that speaks the protocol. */
export const MCP_PATH = '/mcp';

/** Reads `[host:]port`, a host alone, or '' for 127.0.0.1:8321. @throws PlaybookError `cli/usage`. */
export function parseAddress(written: string): HttpAddress {
  const text = written.trim();
  const [, host = '', port = ''] =
    /^(?:(\[[^\]]*\]|[^:[\]]*):)?(\d+)$/.exec(text) ?? /^(\[[^\]]*\]|[^:[\]]*)$/.exec(text) ?? [];
  const address = {
    host: host.replace(/^\[|\]$/g, '') || DEFAULT_HOST,
    port: port === '' ? DEFAULT_PORT : Number(port),
  };
  const isRead = (host !== '' || port !== '' || text === '') && address.port <= 65_535;
  if (isRead && /^[\w.:%-]+$/.test(address.host)) return address;
  throw new PlaybookError('cli/usage', `"${written}" is no address to listen at.`, {
    hint: 'Give a port such as 8321, or host:port such as 0.0.0.0:8321 or [::1]:8321.',
  });
}

/** Whether only programs of this machine reach a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** The address as a URL without a path. */
export function originOf({ host, port }: HttpAddress): string {
  return `http://${inUrl(host)}:${port}`;
}

/** The names by which a server at this host is addressed, as URLs have them: of one that listens everywhere, all of this machine. */
export function ownNames(host: string): readonly string[] {
  const local = ['localhost', '127.0.0.1', '[::1]'];
  if (isLoopback(host)) return [...new Set([...local, inUrl(host)])];
  if (!['0.0.0.0', '::'].includes(host)) return [inUrl(host).toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap((each = []) =>
    each.map(({ address }) => inUrl(address)),
  );
  return [...new Set([...local, machineName().toLowerCase(), ...addresses])];
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
