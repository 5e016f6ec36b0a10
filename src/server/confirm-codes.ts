import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../model.ts';
import { digestOf } from '../tools/json.ts';

/** Codes are good for this long. */
export const CONFIRM_MINUTES = 10;
const LIFE_SECONDS = CONFIRM_MINUTES * 60;
const MAC_BYTES = 16;

/** The call that a code is for, and for no other. */
export interface ConfirmedCall {
  readonly id: string;
  readonly arguments: JsonObject;
  /** See `Caller.identity`. */
  readonly caller: string;
}

export interface ConfirmCodesOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** One of its own where absent. */
  readonly key?: Buffer;
  /** Spends a code at all replicas; false where one of them has done so. @param expires milliseconds since 1970 */
  readonly claim?: (stem: string, expires: number) => Promise<boolean>;
}

/** `foreign`: not a code of ours, or one for another call. */
export type CodeVerdict = 'good' | 'expired' | 'spent' | 'foreign';

/**
 * Codes that prove that a call was shown: an HMAC over the call, its caller and the time at which the code expires.
 *
 * The key lives and dies with the process, unless replicas share one: a key that is kept in a file would make spent codes good again
 * after a restart. Replicas share what is spent as well.
 */
export class ConfirmCodes {
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #claim: ConfirmCodesOptions['claim'];
  /** Spent codes, and when they expire, in seconds since 1970. */
  readonly #spent = new Map<string, number>();

  constructor({ now = Date.now, key = randomBytes(32), claim }: ConfirmCodesOptions = {}) {
    this.#now = now;
    this.#key = key;
    this.#claim = claim;
  }

  /** A new code: `expiry.nonce.mac`, about 40 characters of `A-Za-z0-9_.-`. */
  issue(call: ConfirmedCall): string {
    const expires = this.#seconds() + LIFE_SECONDS;
    const stem = `${expires.toString(36)}.${randomBytes(6).toString('base64url')}`;
    return `${stem}.${this.#mac(stem, call).toString('base64url')}`;
  }

  /** Judges a code that came back, and spends it where it is good. @throws as `claim` does; the code is as good as before then. */
  async redeem(code: string, call: ConfirmedCall): Promise<CodeVerdict> {
    const [, stem, expiry, mac] = /^(([0-9a-z]{1,10})\.[\w-]{8})\.([\w-]{22})$/.exec(code.trim()) ?? [];
    if (stem === undefined || expiry === undefined || mac === undefined) return 'foreign';
    if (!timingSafeEqual(Buffer.from(mac, 'base64url'), this.#mac(stem, call))) return 'foreign';
    const expires = Number.parseInt(expiry, 36);
    if (expires <= this.#seconds()) return 'expired';
    if (this.#spent.has(stem)) return 'spent';
    for (const [old, until] of this.#spent) if (until <= this.#seconds()) this.#spent.delete(old);
    this.#spent.set(stem, expires);
    try {
      return this.#claim === undefined || (await this.#claim(stem, expires * 1000)) ? 'good' : 'spent';
    } catch (error) {
      // Nothing was run for it.
      this.#spent.delete(stem);
      throw error;
    }
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  #mac(stem: string, call: ConfirmedCall): Buffer {
    const text = JSON.stringify([stem, call.id, digestOf(call.arguments), call.caller]);
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, MAC_BYTES);
  }
}
