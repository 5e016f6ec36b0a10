import type { ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../tools/log.ts';

const EVERY_MS = 5_000;

export interface SubscriptionsOptions {
  /** Whether a caller is still who they were when they subscribed. */
  readonly isStill: (caller: AuthInfo | undefined) => Promise<boolean>;
  readonly log: Log;
}

/** Open streams of subscriptions: each is ended a few seconds after its caller's token has been. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<ServerResponse, AuthInfo | undefined>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  /** Watches over a stream until it ends. @param caller undefined where nobody had to tell */
  add(response: ServerResponse, caller: AuthInfo | undefined): void {
    this.#open.set(response, caller);
    response.once('close', () => this.#open.delete(response));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    for (const [response, caller] of this.#open) {
      try {
        if (!(await this.#options.isStill(caller))) response.destroy();
      } catch (error) {
        // Where tokens cannot be read, nobody is let in, but nobody is known to be bad.
        this.#options.log('debug', `A subscriber cannot be looked at: ${messageOf(error)}`, {});
      }
    }
  }
}
