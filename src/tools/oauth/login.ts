import { messageOf, PlaybookError } from '../../errors.ts';
import type { Challenge, Target } from './login-flow.ts';
import { authorizationUrl, finishLogin, LOGIN_MS, loginFailure, reasonOf, remember } from './login-flow.ts';
import { LoginProvider } from './provider.ts';
import type { Reception, RedirectServer } from './redirect-server.ts';
import { openRedirectServer } from './redirect-server.ts';

/** How often to look whether the login was finished in another process. */
const LOOK_MS = 500;

interface BeginOptions extends Target {
  readonly challenge: Challenge;
  /** Nobody else's: who knows it has seen the address. */
  readonly state: string;
}

/** A login under way: an address for the person, and a wait for what comes of it, here or in another process. */
export class Login {
  /** What the person opens. */
  readonly url: string;
  /** Resolves when the tokens are stored. @throws PlaybookError `tools/unauthorized` where nobody logs in within 10 minutes, or is refused. */
  readonly done: Promise<void>;
  readonly #settle: Settling;
  readonly #stop: () => void;

  private constructor(url: string, server: RedirectServer, target: Target) {
    this.url = url;
    this.#settle = withResolvers();
    this.done = this.#settle.promise;
    const before = lastLoginOf(target);
    const look = setInterval(() => {
      const now = lastLoginOf(target);
      if (now !== undefined && now !== before) this.#end();
    }, LOOK_MS).unref();
    const expiry = setTimeout(
      () => this.#end(loginFailure(target, 'nobody has logged in within 10 minutes')),
      LOGIN_MS,
    );
    this.#stop = () => {
      clearInterval(look);
      clearTimeout(expiry);
      server.close();
    };
    // Nobody may be waiting: the next call finds out by itself.
    this.done.catch(() => undefined);
  }

  /**
   * Finds the authorization server, registers us where that is needed, and waits at a port of this machine.
   * @throws PlaybookError `tools/unauthorized` saying why the server cannot be logged in to.
   */
  static async begin({ challenge, state, ...target }: BeginOptions): Promise<Login> {
    const { oauth = {} } = target.owner.config;
    const account = target.credentials.read(target.owner.key);
    let login: Login | undefined;
    let server: RedirectServer | undefined;
    try {
      server = await openRedirectServer({
        port: oauth.callbackPort ?? account?.redirectPort,
        mustHave: oauth.callbackPort !== undefined,
        receive: async (params) => (params.get('state') === state && login ? login.#receive(target, params) : 'odd'),
      });
      const provider = new LoginProvider({ config: oauth, account, redirectUrl: server.url, state });
      const url = await authorizationUrl(target, provider, challenge);
      await remember(target, provider, server.port);
      login = new Login(url, server, target);
      return login;
    } catch (error) {
      server?.close();
      throw loginFailure(target, `it cannot be logged in to: ${reasonOf(error)}`, error);
    }
  }

  /** Gives up waiting. */
  close(): void {
    this.#end(new PlaybookError('tools/unauthorized', 'The login was given up.'));
  }

  async #receive(target: Target, params: URLSearchParams): Promise<Reception> {
    try {
      await finishLogin(target, params);
      this.#end();
      return { isLoggedIn: true, text: `You have logged in to ${target.owner.config.name}. You can close this page.` };
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(messageOf(error)));
      return { isLoggedIn: false, text: messageOf(error) };
    }
  }

  #end(error?: Error): void {
    this.#stop();
    if (error === undefined) this.#settle.resolve();
    else this.#settle.reject(error);
  }
}

/** A renewed token is no login: the person may still be at it. */
function lastLoginOf({ credentials, owner: { key } }: Target): number | undefined {
  return credentials.read(key)?.grants.at(-1)?.loggedInAt;
}

interface Settling {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** `Promise.withResolvers` needs Node 22. */
function withResolvers(): Settling {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
