import { Worker } from 'node:worker_threads';
import { messageOf, PlaybookError } from '../errors.ts';
import type { Log } from '../tools/log.ts';
import type { CallRecord } from './call-record.ts';
import type { SeenEntry, StepReport } from './event.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

/** What a killed process loses is at most this, and what the worker has not written yet. */
const FLUSH_MS = 250;
/** Calls on their way to a worker that does not take them: a disk that hangs, a machine that is far too busy. */
const MOST_UNTAKEN = 5_000;
/** The worker ends by itself where the store fails; a disk or a server that hangs must not hold up the end of the process. */
const CLOSE_MS = 30_000;
const REPORT_MS = 8_000;

export interface UsageWriterOptions extends WorkerStart {
  /** Absolute path of the bundled worker. */
  readonly workerFile: string;
  readonly log: Log;
}

/**
 * Hands what is to be recorded to a worker thread, which is started by the first record. Nothing here waits, but for `report` and
 * `close`; nothing throws.
 */
export class UsageWriter {
  readonly #options: UsageWriterOptions;
  #worker: Worker | undefined;
  #calls: CallRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #untaken = 0;
  #dropped = 0;
  #lastReport = 0;
  readonly #reports = new Map<number, (problem: string | undefined) => void>();
  #onClosed: (() => void) | undefined;
  /** Why nothing is recorded any more. */
  #problem: string | undefined;

  constructor(options: UsageWriterOptions) {
    this.#options = options;
  }

  /** Takes the events of one call. */
  record(call: CallRecord): void {
    if (this.#problem !== undefined) return;
    if (this.#untaken >= MOST_UNTAKEN) {
      this.#dropped += call.events.length;
      return;
    }
    this.#untaken += call.events.length;
    this.#calls.push(call);
    this.#flushSoon();
  }

  /** Takes some of what there is to use now; the store keeps since when. */
  note(entries: readonly SeenEntry[]): void {
    if (this.#problem === undefined) this.#post({ kind: 'record', calls: [], entries });
  }

  /** Stores a report. @throws PlaybookError `usage/unavailable` where that cannot be done now. */
  async report(report: StepReport): Promise<void> {
    const problem = this.#problem ?? (await this.#sendReport(report));
    if (problem === undefined) return;
    throw new PlaybookError('usage/unavailable', `The report was not stored: ${problem}.`, {
      hint: 'Tell the person whom you work for what is wrong instead; `playbook-mcp usage status` tells more.',
    });
  }

  /** Writes what is left and ends the worker; what cannot be written within 30 s is lost. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#calls.length > 0) this.#flush();
    if (this.#dropped > 0) this.#options.log('warn', `${this.#dropped} usage events were dropped.`, {});
    const worker = this.#worker;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_MS);
      this.#onClosed = () => {
        clearTimeout(timer);
        resolve();
      };
      worker.postMessage({ kind: 'close' } satisfies ToWorker, []);
    });
    this.#worker = undefined;
    this.#problem = 'recording has ended';
    await worker.terminate();
  }

  /** @returns why it was not stored. */
  async #sendReport(report: StepReport): Promise<string | undefined> {
    this.#lastReport += 1;
    const number = this.#lastReport;
    return new Promise<string | undefined>((resolve) => {
      const answer = (problem: string | undefined): void => {
        clearTimeout(timer);
        this.#reports.delete(number);
        resolve(problem);
      };
      // Also keeps the process until the worker has answered, which by itself does not.
      const timer = setTimeout(() => answer('the store does not answer'), REPORT_MS);
      this.#reports.set(number, answer);
      this.#post({ kind: 'report', number, report });
    });
  }

  #flushSoon(): void {
    // The worker takes a moment to start: it does so while the first records gather.
    this.#worker ??= this.#start();
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const calls = this.#calls;
    this.#calls = [];
    this.#post({ kind: 'record', calls, entries: [] });
  }

  #post(message: ToWorker): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message, []);
  }

  #start(): Worker {
    const { workerFile, place, queries, retentionDays } = this.#options;
    const workerData: WorkerStart = { place, queries, retentionDays };
    // Its stdout is not ours: that belongs to the protocol.
    const worker = new Worker(workerFile, { workerData, stdout: true });
    worker.on('message', (message: FromWorker) => this.#hear(message));
    worker.on('error', (error) => this.#fail(messageOf(error)));
    worker.on('exit', () => this.#fail('the thread that writes has ended'));
    worker.unref();
    return worker;
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case 'taken':
        this.#untaken -= message.events;
        return;
      case 'reported':
        return this.#reports.get(message.number)?.(message.problem);
      case 'told':
        return this.#options.log(message.level, message.message, {});
      case 'closed':
        return this.#onClosed?.();
    }
  }

  /** A bug, or a platform that libsql has no build for: told once, and nothing is recorded any more. */
  #fail(problem: string): void {
    this.#onClosed?.();
    if (this.#problem !== undefined || this.#onClosed !== undefined) return;
    this.#problem = problem;
    this.#calls = [];
    for (const resolve of this.#reports.values()) resolve(problem);
    this.#options.log('warn', `Usage is not recorded: ${problem}.`, {});
  }
}
