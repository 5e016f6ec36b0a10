// Runs many starts of the built product at the same time, each with a connection for its stdin and stdout: the entry is evaluated anew for
// each, what it loads only once. Whatever the product asks its process for, it is given by the start that it is asked in.
import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [, , bin] = process.argv;
const url = pathToFileURL(bin).href;
const starts = new AsyncLocalStorage();
const running = new Set();
let count = 0;

/** For a start whose client was never closed. */
const LONGEST_END_MS = 10_000;

for (const name of ['argv', 'env', 'stdin', 'stdout', 'stderr']) {
  const own = process[name];
  Object.defineProperty(process, name, { get: () => starts.getStore()?.[name] ?? own });
}
const { cwd: ownCwd, exit: ownExit } = process;
process.cwd = () => starts.getStore()?.cwd ?? ownCwd();
process.exit = (code) => {
  if (starts.getStore() === undefined) ownExit(code);
};

process.on('message', (message) => {
  const ended = run(message).finally(() => running.delete(ended));
  running.add(ended);
});
process.on('disconnect', async () => {
  await Promise.race([Promise.allSettled(running), delay(LONGEST_END_MS)]);
  ownExit();
});

function run({ address, args, cwd, env }) {
  const argv = [process.execPath, bin, ...args];
  const start = { argv, env, cwd, stderr: new Writable({ write: (_chunk, _encoding, done) => done() }) };
  return starts.run(start, async () => {
    // Made here, so that what happens to it belongs to this start too.
    const socket = connect({ path: address, allowHalfOpen: true });
    // The client may go away without a word when the product listens no more.
    socket.on('error', () => undefined);
    Object.assign(start, { stdin: socket, stdout: socket });
    count += 1;
    await import(`${url}?start=${count}`);
    socket.end();
  });
}
