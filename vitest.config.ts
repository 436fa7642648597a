import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,mock,contract-tests,cli,packaging,bench}/**/*.test.ts'],
    // Many tests start real servers and processes, on machines that do other things as well.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
