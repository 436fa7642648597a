import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const FOLDERS = '{spec,certificates,mock,contract-tests,compat,traffic,cli,console,quality,release}';

/** What starts processes, browsers or databases, and is done in a few minutes. */
const LONG_TESTS = `${FOLDERS}/**/*.long.test.ts`;

/** What measures time, memory or load for minutes, or repeats what the others do. */
const NIGHTLY_TESTS = `${FOLDERS}/**/*.nightly.test.ts`;

/** Files that replace a module of Node: in a worker of their own, so that no other file gets the replaced one. */
const REPLACING_MODULES = ['contract-tests/run/{settle,trial}.test.ts'];

/** The longest files begin first, so that no worker is left alone with one at the end. */
const LONGEST = [
  'package',
  'site',
  'image',
  'devtools',
  'html.browser',
  'every-document',
  'reference',
  'records',
];

/** Long tests before unit ones, which are short. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      if (!moduleId.endsWith('.long.test.ts')) return LONGEST.length + 1;
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.long.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).sort((left, right) => rankOf(left) - rankOf(right));
  }
}

const SHARED = {
  setupFiles: ['quality/testing/property-seed.ts'],
  // Ends what hangs, on the busiest machine too, and measures nothing.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 60_000 } },
};

/** `npm run test:unit`, `test:long`, `test:all` and `test:nightly` choose among the projects. */
export default defineConfig({
  test: {
    // Most tests wait for servers and processes: two workers more than there are cores keep two cores busy.
    maxWorkers: 4,
    globalSetup: ['quality/testing/temporary-folder.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: 'unit',
          include: [`${FOLDERS}/**/*.test.ts`],
          exclude: [LONG_TESTS, NIGHTLY_TESTS, ...REPLACING_MODULES],
          // A worker keeps what it has loaded and compiled for its next file: a third of the CPU time of all tests.
          isolate: false,
        },
      },
      { test: { ...SHARED, name: 'unit: replaced modules', include: REPLACING_MODULES } },
      { test: { ...SHARED, name: 'long', include: [LONG_TESTS] } },
      { test: { ...SHARED, name: 'nightly', include: [NIGHTLY_TESTS] } },
    ],
  },
});
