import { createInterface } from 'node:readline';
import { closestIds } from '../catalog/closest.ts';
import { PlaybookError } from '../errors.ts';
import type { Authorization } from '../tools/oauth/authorization.ts';
import type { Upstreams } from '../tools/upstreams.ts';
import { openBrowser } from './open-browser.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { exitWith, print, printJson, remark } from './print.ts';

export interface ToolsLoginOptions {
  readonly server: string;
  /** False for `--no-open`. */
  readonly open: boolean;
  /** The address that the browser was sent back to, of a login begun before. */
  readonly code?: string;
  readonly json?: boolean;
}

/**
 * Logs in to a remote upstream: prints the address, opens it where there is a browser, and waits for the browser to come back here,
 * or for its address to be pasted. Exits 5 where the server cannot be used after all.
 *
 * @throws PlaybookError `cli/usage`, `catalog/unknown-id`, `tools/unauthorized`.
 */
export async function toolsLoginCommand(common: CommonOptions, options: ToolsLoginOptions): Promise<void> {
  const { server, code } = options;
  await withRuntime({ ...common, listsUpstreams: false }, async ({ upstreams }) => {
    const authorization = findAuthorization(upstreams, server);
    if (code !== undefined) await authorization.finish(addressOf(code));
    else if (await isUsable(upstreams, server, authorization)) remark(`"${server}" wants no login.`);
    else await logIn(authorization, options);
    const status = await upstreams.probe(server);
    if (status?.state !== 'ready') exitWith(5);
    if (options.json === true) return printJson(status);
    if (status?.state === 'ready') return print(`${server}: authorized, ${status.toolCount ?? 0} tools`);
    return print(`${server}: ${status?.state ?? 'unknown'}: ${status?.reason ?? ''}`);
  });
}

/** Forgets the tokens and the registration of a server, for all processes; prints whether there were any. */
export async function toolsLogoutCommand(
  common: CommonOptions,
  { server }: { readonly server: string },
): Promise<void> {
  await withRuntime({ ...common, listsUpstreams: false }, async ({ upstreams }) => {
    const hadAny = await findAuthorization(upstreams, server).forget();
    print(hadAny ? `${server}: logged out` : `${server}: nobody was logged in`);
  });
}

/** Asks the server, which tells along the way which authorization server it trusts. */
async function isUsable(upstreams: Upstreams, server: string, { isGranted }: Authorization): Promise<boolean> {
  const status = await upstreams.probe(server);
  if (status?.state === 'failed') {
    throw new PlaybookError('tools/unavailable', `Server "${server}" cannot be used: ${status.reason ?? ''}.`);
  }
  // One that can be listed by anybody may want a login for its calls.
  return status?.state === 'ready' && isGranted;
}

async function logIn(authorization: Authorization, { server, open }: ToolsLoginOptions): Promise<void> {
  const login = await authorization.begin();
  remark(`Open this address in a browser to log in to "${server}":\n`);
  remark(login.url);
  remark(`\nWaiting. Where the browser runs on another machine, paste the address that it ends at here.`);
  if (open && !openBrowser(login.url)) remark('No browser was opened.');
  const input = createInterface({ input: process.stdin });
  const pasted = new Promise<void>((resolve, reject) => {
    input.on('line', (line) => {
      if (line.trim() === '') return;
      takePasted(authorization, line).then((isTaken) => (isTaken ? resolve() : undefined), reject);
    });
  });
  try {
    await Promise.race([login.done, pasted]);
  } finally {
    input.close();
    process.stdin.pause();
    login.close();
  }
}

/** @returns false for what is no such address, so that it can be pasted again. */
async function takePasted(authorization: Authorization, line: string): Promise<boolean> {
  try {
    await authorization.finish(addressOf(line));
    return true;
  } catch (error) {
    if (!(error instanceof PlaybookError) || error.code !== 'cli/usage') throw error;
    remark(`${error.message} ${error.hint ?? ''}`);
    return false;
  }
}

function addressOf(written: string): URL {
  const text = written.trim();
  if (URL.canParse(text) && new URL(text).searchParams.has('state')) return new URL(text);
  throw new PlaybookError('cli/usage', 'That is not the address that a login ends at.', {
    hint: 'Copy the whole address from the browser after logging in: it begins with http://127.0.0.1 and holds `state=`.',
  });
}

function findAuthorization(upstreams: Upstreams, server: string): Authorization {
  const names = upstreams.status().map(({ name }) => name);
  if (!names.includes(server)) {
    const closest = closestIds(names, server);
    throw new PlaybookError('catalog/unknown-id', `There is no upstream server "${server}".`, {
      hint: closest.length === 0 ? '`playbook-mcp tools status` lists them.' : `Closest: ${closest.join(', ')}.`,
    });
  }
  const authorization = upstreams.authorizationOf(server);
  if (authorization !== undefined) return authorization;
  throw new PlaybookError('cli/usage', `Nobody can log in to "${server}".`, {
    hint: 'It is a local program, is switched off, or has an Authorization header in the configuration.',
  });
}
