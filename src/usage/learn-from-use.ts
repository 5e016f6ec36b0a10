import { Worker } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import type { FromLearner, LearnerStart } from './learner-messages.ts';

/** A reading of the store that goes on in a thread of its own. */
export interface Lesson {
  /** What it came to; never rejects. */
  readonly learned: Promise<FromLearner>;
  /** Ends it, whether or not it is over. */
  readonly end: () => Promise<void>;
}

/**
 * Reads what use teaches in a thread, which does not keep the process.
 *
 * @param file absolute path of the bundled thread
 */
export function learnFromUse(file: string, start: LearnerStart): Lesson {
  // Its stdout is not ours: that belongs to the protocol.
  const worker = new Worker(file, { workerData: start, stdout: true });
  worker.unref();
  const learned = new Promise<FromLearner>((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error) => resolve({ kind: 'failed', problem: messageOf(error) }));
    worker.once('exit', () => resolve({ kind: 'failed', problem: 'the thread that reads has ended' }));
  });
  return {
    learned,
    end: async () => {
      await worker.terminate();
    },
  };
}
