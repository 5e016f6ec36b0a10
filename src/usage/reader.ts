import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CodedPages } from './coded-pages.ts';
import { connectUsage } from './connect.ts';
import type { EventPlace } from './read-page.ts';
import type { FromReader, ReaderStart, ToReader } from './reader-messages.ts';

/** The thread that reads a large store while another one counts. Its only caller is `PagesAhead`, which types what it sends. */
async function serve(port: MessagePort, { path, until }: ReaderStart): Promise<void> {
  const database = await connectUsage({ kind: 'sqlite', path });
  const pages = new CodedPages(database, { kind: 'sqlite', until });
  let after: EventPlace | undefined;
  const answer = async (message: ToReader): Promise<void> => {
    switch (message.kind) {
      case 'begin':
        ({ after } = message);
        return;
      case 'more':
        for (let left = message.pages; left > 0 && after !== undefined; left -= 1) {
          const page = await pages.read(after);
          after = page.end;
          port.postMessage({ kind: 'page', page } satisfies FromReader, [page.numbers.buffer, page.ids.buffer]);
        }
        return;
      case 'close':
        await database.destroy();
        port.close();
    }
  };
  // One after the other; what fails ends the thread.
  let work = Promise.resolve();
  port.on('message', (message: ToReader) => {
    work = work.then(() => answer(message));
  });
  port.postMessage({ kind: 'ready' } satisfies FromReader);
}

if (parentPort !== null) await serve(parentPort, workerData);
