import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import { toEvents } from './call-record.ts';
import { EventQueue } from './event-queue.ts';
import { causeText } from './failure.ts';
import { placeText } from './place.ts';
import { setAsideIfCorrupt } from './set-aside.ts';
import { UsageStore } from './usage-store.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

/**
 * The thread that writes usage: SQLite's calls hold their thread, and while several processes write, for long. Its only caller is
 * `UsageWriter`, which types what it sends.
 */
function serve(port: MessagePort, { place, queries, retentionDays }: WorkerStart): void {
  const answer = (message: FromWorker): void => port.postMessage(message);
  const tell = (level: 'warn' | 'info', message: string): void => answer({ kind: 'told', level, message });
  const open = async (isSuspect: boolean): Promise<UsageStore> => {
    if (isSuspect && place.kind === 'sqlite') {
      const aside = await setAsideIfCorrupt(place.path, new Date());
      if (aside !== undefined) {
        tell(
          'warn',
          `The usage in ${place.path} cannot be read any more: it is set aside as ${aside}, and begun anew.`,
        );
      }
    }
    return UsageStore.open(place, (message) => tell('info', message));
  };
  const maintain = async (store: UsageStore): Promise<boolean> => {
    await store.purgeOld(retentionDays, Date.now());
    return store.pack(Date.now());
  };
  const queue = new EventQueue({ open, maintain, tell });
  const report = async ({ number, report: given }: ToWorker & { readonly kind: 'report' }): Promise<void> => {
    const problem = await queue.report(given).then(
      () => undefined,
      (error: unknown) => causeText(error),
    );
    answer({ kind: 'reported', number, problem });
  };
  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'record': {
        const events = message.calls.flatMap((call) => toEvents(call, queries));
        queue.push(events, message.entries);
        return answer({ kind: 'taken', events: events.length });
      }
      case 'report':
        return void report(message);
      case 'close':
        return void queue.close().then(
          () => answer({ kind: 'closed' }),
          (error: unknown) => tell('warn', `Usage in ${placeText(place)}: ${messageOf(error)}`),
        );
    }
  });
}

if (parentPort !== null) serve(parentPort, workerData);
