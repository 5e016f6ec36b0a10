import { orAborted } from './deadline.ts';

/** Lets one after the other, in the order in which they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the turn. @returns what ends it. @throws the signal's reason as soon as that aborts. */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    const before = this.#last;
    let end = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last = before.then(() => mine);
    try {
      await orAborted(before, signal);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }
}
