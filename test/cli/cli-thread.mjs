// Hands runs of the command line to the process that makes them, and wakes the thread that waits for each.
import { fork } from 'node:child_process';
import { workerData } from 'node:worker_threads';

const { answered, port, bin } = workerData;
const start = () =>
  fork(new URL('cli-process.mjs', import.meta.url), [bin], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
let child;

port.on('message', (run) => {
  child ??= start();
  const current = child;
  const answer = (result) => {
    current.removeAllListeners('message').removeAllListeners('exit');
    port.postMessage(result);
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  current.on('message', answer);
  current.on('exit', (code, signal) => {
    child = undefined;
    answer({ code, stdout: '', stderr: `the process ended in the middle of a run: ${signal ?? code}` });
  });
  current.send(run);
});
port.on('close', () => child?.disconnect());
