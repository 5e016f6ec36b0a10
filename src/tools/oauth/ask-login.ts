import { PlaybookError } from '../../errors.ts';
import { cancelled } from '../call-errors.ts';
import { orAborted } from '../deadline.ts';
import type { CallOptions } from '../provider.ts';
import type { Authorization } from './authorization.ts';

/** Failures of `ask` that mean that this client cannot put the question, now or ever. */
const CANNOT_ASK: ReadonlySet<string> = new Set(['tools/undeclared', 'tools/unanswered']);

/**
 * Has the person of a call log in, by the question that the protocol has for opening an address; resolves when they have.
 *
 * The address works for 10 minutes, whoever opens it: where the client cannot be asked, the error carries it to the agent, and the
 * same call finds the tokens later.
 * @throws PlaybookError `tools/unauthorized`, `tools/declined`, `tools/cancelled`.
 */
export async function askForLogin(authorization: Authorization, options: AskOptions): Promise<void> {
  const { ask, signal } = options;
  const { name } = authorization.config;
  const login = await authorization.begin();
  const message = `Log in to "${name}" at ${new URL(login.url).host}, so that its tools can be used.`;
  const params = { mode: 'url', url: login.url, message, elicitationId: `login-${name}` };
  const asked = ask({ method: 'elicitation/create', params }).catch((error: unknown) => {
    throw error instanceof PlaybookError && CANNOT_ASK.has(error.code) ? toBeOpened(name, login.url) : error;
  });
  const orCancelled = async <T>(promise: Promise<T>): Promise<T> => {
    try {
      return await orAborted(promise, signal);
    } catch (error) {
      throw signal?.aborted === true ? cancelled({ server: name, tool: 'the login' }, error) : error;
    }
  };
  const { action } = await orCancelled(asked);
  if (action !== 'accept') {
    throw new PlaybookError('tools/declined', `Nothing was called: the person did not want to log in to "${name}".`, {
      hint: 'Do not call it again for this, unless they ask for it; tell them what is not done.',
    });
  }
  await orCancelled(login.done);
}

/** Whether a call failed for want of a login: the server has not looked at it. */
export function isLoginNeeded(error: unknown): boolean {
  return error instanceof PlaybookError && error.code === 'tools/unauthorized';
}

interface AskOptions {
  readonly ask: NonNullable<CallOptions['ask']>;
  readonly signal: AbortSignal | undefined;
}

function toBeOpened(server: string, url: string): PlaybookError {
  return new PlaybookError(
    'tools/unauthorized',
    `Server "${server}" needs authorization, and nothing was called. A person must log in here: ${url}`,
    {
      hint:
        `Give the person this whole address to open in a browser on this machine, within 10 minutes; when they have logged in, execute the same call again. ` +
        `Without a browser here, they run \`playbook-mcp tools login ${server}\` in a terminal instead.`,
    },
  );
}
