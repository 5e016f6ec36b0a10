import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refusal } from './refusal.ts';

/** Counts the requests of each caller in a minute; at each replica by itself. */
export class RateLimit {
  readonly #limiter = new RateLimiterMemory({ points: 1, duration: 60 });

  /**
   * Counts a request; a refusal where its caller has made too many.
   * @param callsPerMinute requests that one caller may make, as of now
   */
  async count(caller: string, callsPerMinute: number): Promise<Response | undefined> {
    this.#limiter.points = callsPerMinute;
    try {
      await this.#limiter.consume(caller);
      return undefined;
    } catch (spent: unknown) {
      if (!(spent instanceof RateLimiterRes)) throw spent;
      return refusal(429, {
        error: { code: -32_000, message: 'Too many requests: wait for as long as Retry-After says.' },
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(spent.msBeforeNext / 1000))) },
      });
    }
  }
}
