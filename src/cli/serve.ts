import { serveOverStdio } from '../server/stdio.ts';
import { type CommonOptions, runtimeOptions } from './options.ts';
import { remark } from './print.ts';

/** Serves until the client is gone, then ends the process: a handle that an upstream left open must not keep it alive. */
export async function serve(options: CommonOptions): Promise<void> {
  if (process.stdin.isTTY)
    remark('Serving over stdio: an agent is meant to start this. Commands: playbook-mcp --help. Ctrl-C ends it.');
  await serveOverStdio(runtimeOptions(options));
  process.exit();
}
