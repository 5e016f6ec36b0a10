// Runs the built command line again and again: its entry is evaluated anew each time, what it loads only once.
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [, , bin] = process.argv;
const url = pathToFileURL(bin).href;
let runs = 0;

process.on('message', async ({ args, cwd, env, input }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, bin, ...args];
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) process[name].write = writeTo(written, name);
  runs += 1;
  await import(`${url}?run=${runs}`);
  process.send({ code: process.exitCode ?? 0, ...written });
});

function writeTo(written, name) {
  return (chunk, ...rest) => {
    written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    rest.find((each) => typeof each === 'function')?.();
    return true;
  };
}
