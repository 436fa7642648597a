import { defineConfig } from 'vitest/config';
import { LONG_TESTS, SHARED } from './vitest.config.ts';

/** `npm run test:long`. One file after another: what is measured shares the machine with nothing else. */
export default defineConfig({
  test: {
    ...SHARED,
    globalSetup: ['vitest.folder.ts'],
    include: [LONG_TESTS],
    fileParallelism: false,
    maxWorkers: 1,
  },
});
