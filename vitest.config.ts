import { defineConfig } from 'vitest/config';

const FOLDERS = '{spec,mock,contract-tests,cli,packaging,bench,attacks}';

/** What asserts time or memory, or takes long, is named `*.long.test.ts`: see vitest.long.config.ts. */
export const LONG_TESTS = `${FOLDERS}/**/*.long.test.ts`;

export default defineConfig({
  test: {
    include: [`${FOLDERS}/**/*.test.ts`],
    exclude: [LONG_TESTS],
    // Most tests wait for servers and processes: one worker more than there are cores keeps two cores busy.
    maxWorkers: 3,
    globalSetup: ['vitest.folder.ts'],
    setupFiles: ['vitest.seed.ts'],
    // Many tests start real servers, processes and browsers on busy machines: the limit ends what hangs, and
    // measures nothing.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
