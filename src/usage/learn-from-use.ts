import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import type { FromLearner, LearnerStart, ToLearner } from './learner-messages.ts';

/** A database that does not answer must not hold up the end of the process. */
const END_MS = 5_000;

/** A reading of the store that goes on in a thread of its own. */
export interface Lesson {
  /** What it came to; never rejects. */
  readonly learned: Promise<FromLearner>;
  /** Has it end soon, whether or not it is over. */
  readonly end: () => Promise<void>;
}

/**
 * Reads what use teaches in a thread, which does not keep the process. It is asked to end and never made to: libsql takes the process
 * along with a thread that is ended amid a call.
 *
 * @param file absolute path of the bundled thread
 */
export function learnFromUse(file: string, start: LearnerStart): Lesson {
  // Its stdout is not ours: that belongs to the protocol.
  const worker = new Worker(file, { workerData: start, stdout: true });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const learned = new Promise<FromLearner>((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error) => resolve({ kind: 'failed', problem: messageOf(error) }));
    void ended.then(() => resolve({ kind: 'failed', problem: 'the thread that reads has ended' }));
  });
  return {
    learned,
    end: async () => {
      worker.postMessage('end' satisfies ToLearner, []);
      const waiting = new AbortController();
      // The timer also keeps the process until the thread has ended, which by itself does not.
      const late = delay(END_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([ended, late]);
      waiting.abort();
    },
  };
}
