import { defineConfig } from 'vitest/config';

const report = process.env['PLAYBOOK_MCP_TEST_REPORT'];

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
    // State and home of every process that a test starts: a stray HOME would make runs depend on the machine.
    setupFiles: ['test/isolate.ts'],
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
