import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CodedPages } from './coded-pages.ts';
import { connectUsage } from './connect.ts';
import type { EventPlace } from './read-page.ts';
import type { FromReader, ReaderStart, ToReader } from './reader-messages.ts';

/** The thread that reads a large store while another one counts. Its only caller is `PagesAhead`, which types what it sends. */
async function serve(port: MessagePort, { path, until, ...start }: ReaderStart): Promise<void> {
  const database = await connectUsage({ kind: 'sqlite', path });
  const pages = new CodedPages(database, { kind: 'sqlite', until });
  let after: EventPlace | undefined = start.after;
  const end = { isAsked: false };
  const read = async (count: number): Promise<void> => {
    for (let left = count; left > 0 && after !== undefined && !end.isAsked; left -= 1) {
      const page: FromReader = await pages.read(after);
      port.postMessage(page, [page.numbers.buffer, page.ids.buffer]);
      after = page.end;
      // Lets a message arrive that says to end.
      await nextTurn();
    }
  };
  const close = async (): Promise<void> => {
    await database.destroy();
    port.close();
  };
  // One after the other; what fails ends the thread.
  let work = Promise.resolve();
  port.on('message', (message: ToReader) => {
    end.isAsked ||= message.kind === 'close';
    work = work.then(() => (message.kind === 'more' ? read(message.pages) : close()));
  });
}

if (parentPort !== null) await serve(parentPort, workerData);
