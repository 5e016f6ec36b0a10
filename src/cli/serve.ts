import { serveOverStdio } from '../server/stdio.ts';
import { type CommonOptions, runtimeOptions } from './options.ts';

/** Serves until the client is gone, then ends the process: a handle that an upstream left open must not keep it alive. */
export async function serve(options: CommonOptions): Promise<void> {
  await serveOverStdio(runtimeOptions(options));
  process.exit();
}
