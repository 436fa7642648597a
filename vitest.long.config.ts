import { defineConfig } from 'vitest/config';
import { LONG_TESTS, SHARED } from './vitest.config.ts';

/** What measures time or memory, loads the machine, or looks for races: one file after another, and nothing beside it. */
const ALONE = [
  'bench,day,durability,growth,hostile,large,load,many-operations,memory,pattern,proxy-load,routes,session-cost,validator',
  'delayed-responses,fuzz,parallel-workers,printed-commands,reports,same-bytes,same-findings,shared-staging,slow-readers',
  'hunt,hunt-sample,judged-traffic,judges-in-batches,order-and-moment,services,through-proxy',
].map((names) => `**/{${names}}.long.test.ts`);

/** `npm run test:long`: first what starts processes, browsers and databases, then what has to run alone. */
export default defineConfig({
  test: {
    globalSetup: ['vitest.folder.ts'],
    projects: [
      {
        test: {
          ...SHARED,
          name: 'processes',
          include: [LONG_TESTS],
          exclude: ALONE,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...SHARED,
          name: 'alone',
          include: ALONE,
          exclude: ['**/node_modules/**'],
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
