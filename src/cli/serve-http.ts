import { PlaybookError } from '../errors.ts';
import { parseAddress } from '../server/http/address.ts';
import { serveOverHttp } from '../server/http/serve.ts';
import { type CommonOptions, runtimeOptions } from './options.ts';
import { remark } from './print.ts';

/** `--http`, `--host` and `--port`, as written; `true` is `--http` without an address. */
export interface HttpFlags {
  readonly http?: string | true;
  readonly host?: string;
  readonly port?: string;
}

/** Serves over HTTP until a signal ends the process. @throws PlaybookError `cli/usage`, and as `serveOverHttp`. */
export async function serveHttp(common: CommonOptions, flags: HttpFlags): Promise<void> {
  await serveOverHttp({
    ...runtimeOptions(common),
    address: addressOf(flags),
    onListening: (url) => remark(`Serving at ${url} (Ctrl-C ends it)`),
  });
  process.exit();
}

function addressOf({ http = true, host, port }: HttpFlags): ReturnType<typeof parseAddress> {
  if (http === true) {
    const named = host === undefined ? '' : `${host.includes(':') ? `[${host}]` : host}:`;
    return parseAddress(`${named}${port ?? (host === undefined ? '' : '8321')}`);
  }
  if (host === undefined && port === undefined) return parseAddress(http);
  throw new PlaybookError('cli/usage', `--http ${http} has an address already; --host and --port name another.`, {
    hint: 'Give either --http host:port, or --host and --port.',
  });
}
