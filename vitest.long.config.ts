import { defineConfig } from 'vitest/config';
import config, { LONG_TESTS } from './vitest.config.ts';

/** `npm run test:long`. One file after another: what is measured shares the machine with nothing else. */
export default defineConfig({
  test: { ...config.test, include: [LONG_TESTS], exclude: [], fileParallelism: false, maxWorkers: 1 },
});
