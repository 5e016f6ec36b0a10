import { randomUUID } from 'node:crypto';
import { PlaybookError } from '../errors.ts';
import type { JsonObject } from '../model.ts';
import type { Question } from '../tools/provider.ts';
import { ANSWER_MS } from './ask-client.ts';

/** One request of the client: the first call, or one that brings answers. */
export interface Leg {
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
}

/** What runs behind a held call gets in place of the client. */
export interface HeldClient extends Leg {
  readonly ask: (question: Question) => Promise<JsonObject>;
}

/** How a leg ends: with the result of the call, or with every question that is open, by its key. */
export type LegEnd<T> =
  | { readonly kind: 'result'; readonly result: T }
  | { readonly kind: 'questions'; readonly questions: Readonly<Record<string, Question>> };

interface OpenQuestion {
  readonly question: Question;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** The request of the client that waits for the call. */
interface WaitingLeg<T> extends Leg {
  readonly resolve: (end: LegEnd<T>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A call that goes on while its client, which cannot be asked during a call, fetches answers: 2026-07-28 ends the request with
 * `input_required` and calls again. Cancelling any leg cancels the call; so does leaving it for 10 minutes between two legs.
 */
export class HeldCall<T> {
  readonly #abort = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #onGivenUp: (id: string) => void;
  #id: string | undefined;
  /** Hands the outcome of the call over, once there is one. */
  #deliver: ((leg: WaitingLeg<T>) => void) | undefined;
  #leg: WaitingLeg<T> | undefined;
  #endLeg = (): void => undefined;
  #expiry: NodeJS.Timeout | undefined;
  #askCount = 0;

  /** @param onGivenUp is told when the client has left the call for too long, or has cancelled it. */
  constructor(run: (client: HeldClient) => Promise<T>, onGivenUp: (id: string) => void) {
    this.#onGivenUp = onGivenUp;
    const client: HeldClient = {
      signal: this.#abort.signal,
      onProgress: (progress) => this.#leg?.onProgress?.(progress),
      ask: (question) => this.#ask(question),
    };
    run(client).then(
      (result) => this.#settle(({ resolve }) => resolve({ kind: 'result', result })),
      (error: unknown) => this.#settle(({ reject }) => reject(error)),
    );
  }

  /** Most calls are never held, and need none. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  /** Hands in answers, by the keys of the questions, and waits for what comes of them. */
  next(leg: Leg, answers: JsonObject): Promise<LegEnd<T>> {
    clearTimeout(this.#expiry);
    this.#endLeg();
    const cancel = (): void => this.#cancel(leg.signal.reason);
    leg.signal.addEventListener('abort', cancel, { once: true });
    this.#endLeg = () => leg.signal.removeEventListener('abort', cancel);
    // It may have been cancelled while what answers calls was being loaded.
    if (leg.signal.aborted) cancel();
    return new Promise((resolve, reject) => {
      this.#leg = { ...leg, resolve, reject };
      this.#takeAnswers(answers);
      this.#answerLeg();
    });
  }

  /** Cancels what is running. */
  close(): void {
    this.#cancel(new Error('nobody answered'));
  }

  #cancel(reason: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(reason);
    this.#giveUp();
  }

  #ask(question: Question): Promise<JsonObject> {
    if (this.#abort.signal.aborted) return Promise.reject(unanswered());
    this.#askCount += 1;
    const key = `question-${this.#askCount}`;
    return new Promise((resolve, reject) => {
      this.#open.set(key, { question, resolve, reject });
      // Several that are asked at once go out together.
      queueMicrotask(() => this.#answerLeg());
    });
  }

  /** Questions of a call that is over are refused: they may be another's, whose server does not say so. */
  #settle(deliver: (leg: WaitingLeg<T>) => void): void {
    this.#refuseOpen();
    this.#deliver = deliver;
    this.#answerLeg();
  }

  /** Answers the waiting leg where there is anything to answer with. */
  #answerLeg(): void {
    const leg = this.#leg;
    if (leg === undefined || (this.#deliver === undefined && this.#open.size === 0)) return;
    this.#leg = undefined;
    if (this.#deliver !== undefined) {
      this.#endLeg();
      this.#deliver(leg);
      return;
    }
    // A leg that is cancelled before its questions are out is never answered: nobody will come back. So it is listened to until
    // the next one.
    this.#expiry = setTimeout(() => this.close(), ANSWER_MS).unref();
    const entries = [...this.#open].map(([key, { question }]) => [key, question] as const);
    leg.resolve({ kind: 'questions', questions: Object.fromEntries(entries) });
  }

  #takeAnswers(answers: JsonObject): void {
    for (const [key, { resolve }] of this.#open) {
      const answer = answers[key];
      if (typeof answer !== 'object' || answer === null) continue;
      this.#open.delete(key);
      resolve({ ...answer });
    }
  }

  #giveUp(): void {
    clearTimeout(this.#expiry);
    this.#endLeg();
    if (this.#id !== undefined) this.#onGivenUp(this.#id);
    this.#refuseOpen();
  }

  #refuseOpen(): void {
    for (const { reject } of this.#open.values()) reject(unanswered());
    this.#open.clear();
  }
}

function unanswered(): PlaybookError {
  return new PlaybookError('tools/unanswered', 'The client did not answer a question of the tool in time.', {
    hint: 'It may have happened in part: look before you call again.',
  });
}
