import { defineConfig } from 'vitest/config';
import { NIGHTLY_TESTS, SHARED } from './vitest.config.ts';

/** `npm run test:nightly`: what measures time, memory or load for minutes, and whole hunts and corpora; one file after another. */
export default defineConfig({
  test: {
    ...SHARED,
    include: [NIGHTLY_TESTS],
    fileParallelism: false,
    globalSetup: ['vitest.folder.ts'],
  },
});
