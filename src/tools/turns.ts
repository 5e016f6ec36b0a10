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
    let giveUp = (): void => undefined;
    const isGivenUp = new Promise<true>((resolve) => {
      giveUp = () => patience.isHeldUp() && resolve(true);
    });
    const timer = setInterval(giveUp, patience.timeoutMs);
    try {
      const hasTurn = await orAborted(Promise.race([before.then(() => true), isGivenUp.then(() => false)]), signal);
      if (hasTurn) return end;
      end();
      return undefined;
    } catch (error) {
      end();
      throw error;
    } finally {
      clearInterval(timer);
    }
  }
}
