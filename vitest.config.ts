import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const report = process.env['PLAYBOOK_MCP_TEST_REPORT'];

/** They wait half a minute for something slow: last, they would wait alone. */
const WAITING = ['slow-servers', 'cycles', 'sick-upstreams', 'usage-processes'];

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWaiting = ({ moduleId }: TestSpecification): boolean => WAITING.some((name) => moduleId.includes(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests start real processes on small machines, and some of them mostly wait: a third worker fills two cores, a fourth only
    // makes all of them wait on each other.
    maxWorkers: 3,
    // Tests keep nothing in what they import; to load it anew for each of 150 files took a tenth of the time.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    // State and home of every process that a test starts: a stray HOME would make runs depend on the machine.
    setupFiles: ['test/isolate.ts'],
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
