/** Preloaded into a server: on SIGUSR2 it writes the 99th percentile of its event loop's delay, milliseconds, to `LOOP_DELAY_FILE`, and begins anew. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.LOOP_DELAY_FILE, String(histogram.percentile(99) / 1e6));
    histogram.reset();
  });
}
