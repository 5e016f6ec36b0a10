import type { ServerResponse } from 'node:http';

/** The exchanges that are going on, for an end that finishes them. */
export class InFlight {
  readonly #responses = new Set<ServerResponse>();
  #onSettled: (() => void) | undefined;

  /** Counts an exchange until its response is out, or its client gone. */
  begin(response: ServerResponse): void {
    this.#responses.add(response);
    response.once('close', () => this.leave(response));
  }

  /** Does not wait for an exchange any more: one that lasts until either side ends it. */
  leave(response: ServerResponse): void {
    this.#responses.delete(response);
    if (this.#responses.size === 0) this.#onSettled?.();
  }

  /** Resolves when no exchange is going on. */
  settled(): Promise<void> {
    if (this.#responses.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onSettled = resolve;
    });
  }
}
