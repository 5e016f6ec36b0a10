import { setTimeout as delay } from 'node:timers/promises';
import type { SeenEntry, StepReport, UsageEvent } from './event.ts';

import { causeText, failureOf, type StoreFailure } from './failure.ts';
import { usageKey } from './usage-key.ts';
import type { UsageBatch, UsageStore } from './usage-store.ts';
import { DAY_MS } from './day.ts';

/** Hours of work of one agent; then the oldest goes for each that comes. */
const MOST_EVENTS = 10_000;
const MOST_AT_ONCE = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
const MAINTAIN_EVERY_MS = 3_600_000;

export interface EventQueueOptions {
  /** @param isSuspect true after a failure that tells of a corrupt file. */
  readonly open: (isSuspect: boolean) => Promise<UsageStore>;
  /** Looks after a store: behind the first batch, and once an hour, or behind the next batch where it says that more is left. */
  readonly maintain?: (store: UsageStore) => Promise<boolean>;
  /** Told what goes wrong, each thing once. */
  readonly tell: (level: 'warn' | 'info', message: string) => void;
  /** For tests; 10,000 by default. */
  readonly mostEvents?: number;
}

/** `busy` passes by itself, so that the end of the process waits for it too. */
type Outcome = 'written' | 'busy' | 'failed' | 'over';

/**
 * What waits to be written to a store that may be busy, away or broken: written in batches, tried again with ever longer pauses,
 * never more than 10,000 events.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  #events: UsageEvent[] = [];
  #entries: SeenEntry[] = [];
  #opening: Promise<UsageStore> | undefined;
  /** Loaded with the store. */
  #lastSeen = new Map<string, number>();
  #running: Promise<void> | undefined;
  readonly #woken = { wake: (): void => undefined };
  /** When the store is to be looked after, milliseconds since 1970. */
  #maintainAt = 0;
  #isSuspect = false;
  #isClosing = false;
  #isOver = false;
  #pauseMs = 0;
  #dropped = 0;
  #told = '';

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Takes events and what there is to use now; returns at once. */
  push(events: readonly UsageEvent[], entries: readonly SeenEntry[] = []): void {
    if (this.#isOver) return;
    this.#events.push(...events);
    this.#entries.push(...entries);
    const excess = this.#events.length - (this.#options.mostEvents ?? MOST_EVENTS);
    if (excess > 0) {
      this.#events.splice(0, excess);
      this.#dropped += excess;
    }
    this.#run();
  }

  /** Writes a report, now. @throws what the store has to say. */
  async report(report: StepReport): Promise<void> {
    const store = await this.#opened();
    await store.write({ reports: [report] });
  }

  /** Writes what is left, trying once where the store fails, and closes it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#woken.wake();
    // What runs may have begun to fail before this was asked.
    await this.#running;
    this.#run();
    await this.#running;
    this.#dropped += this.#events.length;
    this.#tellDropped();
    this.#isOver = true;
    await this.#closeStore();
  }

  #run(): void {
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#events.length + this.#entries.length > 0) {
      const outcome = await this.#writeSome();
      if (outcome === 'over' || (outcome === 'failed' && this.#isClosing)) return;
      if (outcome === 'written') await this.#maintain();
      else await this.#pause();
      // Messages come in between two batches, each of which holds the thread.
      if (outcome === 'written') await delay(0);
    }
  }

  async #maintain(): Promise<void> {
    if (this.#isClosing || Date.now() < this.#maintainAt) return;
    this.#maintainAt = Date.now() + MAINTAIN_EVERY_MS;
    try {
      if ((await this.#options.maintain?.(await this.#opened())) === true) this.#maintainAt = 0;
    } catch {
      // Nothing is lost by it; what fails for the next batch too is told then.
    }
  }

  async #writeSome(): Promise<Outcome> {
    const events = this.#events.slice(0, MOST_AT_ONCE);
    const entryCount = this.#entries.length;
    try {
      const store = await this.#opened();
      const entries = this.#entries.slice(0, entryCount).filter((entry) => this.#isNews(entry));
      if (events.length + entries.length > 0) await store.write({ events, entries });
      for (const entry of entries) this.#lastSeen.set(usageKey(entry), entry.lastSeen);
      this.#take(events, entryCount);
      this.#recovered();
      return 'written';
    } catch (error) {
      return this.#failed(error, { events, entryCount });
    }
  }

  /** The oldest may have been dropped meanwhile, so events are known by their ids. */
  #take(events: readonly UsageEvent[], entryCount: number): void {
    const ids = new Set(events.map(({ id }) => id));
    this.#events = this.#events.filter(({ id }) => !ids.has(id));
    this.#entries.splice(0, entryCount);
  }

  async #failed(
    error: unknown,
    { events, entryCount }: { readonly events: UsageBatch['events'] & object; readonly entryCount: number },
  ): Promise<Outcome> {
    const failure = failureOf(error);
    if (failure === 'refused') {
      this.#take(events, entryCount);
      this.#dropped += events.length;
    }
    // The first time it is set aside, which is told by whoever does so.
    if (failure !== 'corrupt' || this.#isSuspect) this.#tell(failure, causeText(error));
    this.#isSuspect = failure === 'corrupt';
    this.#pauseMs =
      failure === 'busy' ? FIRST_PAUSE_MS : Math.min(this.#pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    if (failure !== 'busy') await this.#closeStore();
    if (failure !== 'newer') return failure === 'busy' ? 'busy' : 'failed';
    this.#isOver = true;
    this.#events = [];
    this.#entries = [];
    return 'over';
  }

  /** A report and a batch may both want it first. */
  async #opened(): Promise<UsageStore> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<UsageStore> {
    const store = await this.#options.open(this.#isSuspect);
    this.#isSuspect = false;
    this.#lastSeen = await store.lastSeen();
    return store;
  }

  #isNews(entry: SeenEntry): boolean {
    return entry.lastSeen - (this.#lastSeen.get(usageKey(entry)) ?? -Infinity) >= DAY_MS;
  }

  async #pause(): Promise<void> {
    const over = new AbortController();
    this.#woken.wake = () => over.abort();
    // So that several processes do not come back at the same moment.
    const ms = this.#pauseMs * (0.5 + Math.random());
    await delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
  }

  #recovered(): void {
    this.#pauseMs = 0;
    if (this.#told !== '') this.#options.tell('info', 'Usage is recorded again.');
    this.#told = '';
    this.#tellDropped();
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#options.tell('warn', `${this.#dropped} usage events were dropped, since they could not be stored in time.`);
    this.#dropped = 0;
  }

  #tell(failure: StoreFailure, message: string): void {
    // A store that is only busy is no news, and neither is the same failure again.
    if (failure === 'busy' || this.#told === message) return;
    this.#told = message;
    this.#options.tell('warn', failure === 'newer' ? message : `Usage cannot be recorded for now: ${message}`);
  }

  async #closeStore(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    // One that has failed may fail to close too; there is nothing left to do about it.
    await opening?.then((store) => store.close()).catch(() => undefined);
  }
}
