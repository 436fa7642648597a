import { defineConfig } from 'vitest/config';

const FOLDERS = '{spec,certificates,mock,contract-tests,compat,traffic,cli,console,quality,release}';

/** What starts processes, browsers or databases: see vitest.long.config.ts. */
export const LONG_TESTS = `${FOLDERS}/**/*.long.test.ts`;

/** What measures time, memory or load for minutes, or repeats what the others do: see vitest.nightly.config.ts. */
export const NIGHTLY_TESTS = `${FOLDERS}/**/*.nightly.test.ts`;

/** Files that replace a module of Node: in a worker of their own, so that no other file gets the replaced one. */
const REPLACING_MODULES = ['contract-tests/run/{settle,trial}.test.ts'];

export const SHARED = {
  setupFiles: ['vitest.seed.ts'],
  // Ends what hangs, on the busiest machine too, and measures nothing.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    // Most tests wait for servers and processes: one worker more than there are cores keeps two cores busy.
    maxWorkers: 3,
    globalSetup: ['vitest.folder.ts'],
    projects: [
      {
        test: {
          ...SHARED,
          name: 'tests',
          include: [`${FOLDERS}/**/*.test.ts`],
          exclude: [LONG_TESTS, NIGHTLY_TESTS, ...REPLACING_MODULES],
          // A worker keeps what it has loaded and compiled for its next file: a third of the CPU time of all tests.
          isolate: false,
        },
      },
      { test: { ...SHARED, name: 'replacing modules', include: REPLACING_MODULES } },
    ],
  },
});
