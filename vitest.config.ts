import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,mock,contract-tests,cli,packaging,bench,attacks}/**/*.test.ts'],
    globalSetup: ['vitest.folder.ts'],
    setupFiles: ['vitest.seed.ts'],
    // Many tests start real servers, processes and browsers, on machines that do other things as well: a limit is
    // there to end what hangs, and measures nothing.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
