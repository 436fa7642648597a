import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_TESTS, SHARED } from './vitest.config.ts';

/** The longest files begin first, so that no worker is left alone with one at the end. */
const LONGEST = [
  'package',
  'image',
  'printed-commands',
  'site',
  'hunt-sample',
  'html.browser',
  'services',
  'devtools',
  'hostile',
  'edits',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.long.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

/** `npm run test:long`: what starts processes, browsers and databases, and is done in a few minutes. */
export default defineConfig({
  test: {
    ...SHARED,
    include: [LONG_TESTS],
    maxWorkers: 3,
    globalSetup: ['vitest.folder.ts'],
    sequence: { sequencer: LongestFirst },
  },
});
