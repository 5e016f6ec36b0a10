import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { learnQueries } from '../search/learned.ts';
import { connectExisting } from './connect-existing.ts';
import { causeText } from './failure.ts';
import { readLearnedPairs } from './learned-pairs.ts';
import type { FromLearner, LearnerStart } from './learner-messages.ts';

/**
 * The thread that reads what use teaches: SQLite's calls hold their thread, and reading twenty thousand queries takes longer than a
 * thousand searches. It ends when it has answered, or soon after it is told to. Its only caller is `learnFromUse`.
 */
async function serve(port: MessagePort, start: LearnerStart): Promise<void> {
  const end = { isAsked: false };
  port.once('message', () => (end.isAsked = true));
  let answer: FromLearner;
  try {
    const pairs = await pairsOf(start, () => end.isAsked);
    answer = { kind: 'learned', queries: learnQueries(pairs) };
  } catch (error) {
    answer = { kind: 'failed', problem: causeText(error) };
  }
  port.postMessage(answer);
  port.close();
}

async function pairsOf({ place, now }: LearnerStart, isEnded: () => boolean): ReturnType<typeof readLearnedPairs> {
  const database = await connectExisting(place);
  if (database === undefined) return [];
  try {
    return await readLearnedPairs(database, { kind: place.kind, now, isEnded });
  } finally {
    await database.destroy();
  }
}

if (parentPort !== null) await serve(parentPort, workerData);
