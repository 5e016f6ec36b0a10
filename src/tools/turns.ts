import { orAborted } from './deadline.ts';

/** How long somebody waits for the turn. */
export interface Patience {
  readonly timeoutMs: number;
  /** Asked whenever so long has passed: whether whoever has the turn does nothing with it. */
  readonly isHeldUp: () => boolean;
}

/** Lets one after the other, in the order in which they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the turn. @returns what ends it; undefined where that is not worth while any more. @throws the signal's reason as soon as that aborts. */
  async take(signal: AbortSignal | undefined, patience: Patience): Promise<(() => void) | undefined> {
    const before = this.#last;
    let end = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last = before.then(() => mine);
    let timer: NodeJS.Timeout | undefined;
    const givenUp = new Promise<false>((resolve) => {
      timer = setInterval(() => patience.isHeldUp() && resolve(false), patience.timeoutMs);
    });
    let hasTurn = false;
    try {
      hasTurn = await orAborted(Promise.race([before.then(() => true), givenUp]), signal);
      return hasTurn ? end : undefined;
    } finally {
      clearInterval(timer);
      if (!hasTurn) end();
    }
  }
}
