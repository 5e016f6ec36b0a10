import { type Client, isSpecType } from '@modelcontextprotocol/client';
import * as z from 'zod';

import type { JsonObject } from '../model.ts';
import type { Question } from './provider.ts';

/** One call while it runs, as far as what the server asks meanwhile concerns it. */
export interface RunningCall {
  readonly ask: (question: Question) => Promise<JsonObject>;
  /** See `CallOptions.roots`. */
  readonly roots: readonly string[];
}

const elicitResult = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
});

/** How long a server may take to fetch its new roots, before the call that is about them is made all the same. */
const ROOTS_MS = 1000;
const ROOTS_SETTLE_MS = 50;

export interface RunningCallsOptions {
  /** What the server is told while no call is running. */
  readonly defaultRoots: () => Promise<readonly string[]>;
  /** The server asks something that only a caller can answer: from now on its calls are to be made one at a time. */
  readonly onFirstQuestion: () => void;
}

/** Whom a server of the 2025 era means when it asks something, which it does not say: a call that is running. */
export class RunningCalls {
  readonly #calls = new Set<RunningCall>();
  readonly #defaultRoots: () => Promise<readonly string[]>;
  /** The roots that the server was last told; undefined where it never asked. */
  #toldRoots: string | undefined;
  #onRootsTold: (() => void) | undefined;
  readonly #onFirstQuestion: () => void;
  #hasAsked = false;
  /** Cancelled calls that the server may not know of yet. */
  #cancelledCount = 0;

  constructor({ defaultRoots, onFirstQuestion }: RunningCallsOptions) {
    this.#defaultRoots = defaultRoots;
    this.#onFirstQuestion = onFirstQuestion;
  }

  /** Lets the server ask: to be called before the handshake, at whose end some already do. */
  listenTo(client: Client): void {
    client.setRequestHandler('roots/list', async () => {
      const uris = this.#latest()?.roots ?? (await this.#defaultRoots());
      this.#toldRoots = JSON.stringify(uris);
      // Whoever begins to wait later waits for a later answer than this one.
      const told = this.#onRootsTold;
      // The answer is on its way when this returns; the server has yet to take it in, and says nothing when it has.
      if (told !== undefined) setTimeout(told, ROOTS_SETTLE_MS).unref();
      return { roots: uris.map((uri) => ({ uri })) };
    });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      return elicitResult.parse(await this.#ask({ method: 'elicitation/create', params }));
    });
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      const answer = await this.#ask({ method: 'sampling/createMessage', params: { ...params } });
      if (isSpecType.CreateMessageResult(answer)) return answer;
      throw new Error('the client answered with something that is no message');
    });
  }

  /** From now on, questions of the server may be put to this call. */
  add(call: RunningCall): void {
    this.#calls.add(call);
  }

  delete(call: RunningCall): void {
    this.#calls.delete(call);
  }

  /** Refuses questions while the promise is pending: they may be about a call that was cancelled. */
  async refuseDuring(promise: Promise<unknown>): Promise<void> {
    this.#cancelledCount += 1;
    try {
      await promise;
    } finally {
      this.#cancelledCount -= 1;
    }
  }

  /** Sees to it that a server that asks for roots knows those of the call that is about to be made. */
  async renewRoots(client: Client, roots: readonly string[]): Promise<void> {
    if (this.#toldRoots === undefined || this.#toldRoots === JSON.stringify(roots)) return;
    // A server that does not ask again is not waited for a second time.
    this.#toldRoots = JSON.stringify(roots);
    const told = new Promise<void>((resolve) => {
      this.#onRootsTold = resolve;
      setTimeout(resolve, ROOTS_MS).unref();
    });
    // oxlint-disable-next-line typescript/no-deprecated -- servers of the 2025 era know no other way
    await client.sendRootsListChanged();
    await told;
  }

  /** @throws PlaybookError as `CallOptions.ask`. */
  async #ask(question: Question): Promise<JsonObject> {
    if (!this.#hasAsked) {
      this.#hasAsked = true;
      this.#onFirstQuestion();
    }
    const call = this.#latest();
    if (call === undefined) throw new Error('no call is running whose client could be asked');
    if (this.#cancelledCount > 0) throw new Error('a call was cancelled, and it may be the one that asks this');
    return call.ask(question);
  }

  /** Where several run, which happens only before the first question, they are calls of one client: it answers for all. */
  #latest(): RunningCall | undefined {
    return [...this.#calls].at(-1);
  }
}
