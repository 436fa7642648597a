import { expect, test } from 'vitest';
import { renderCorpus } from './render-corpus.ts';
import type { Check, Row } from './row.ts';

const CHECK: Check = {
  exitCode: 0,
  promises: 4,
  ms: 300,
  covered: 3,
  uncovered: [],
  left: 0,
  findings: [],
  bugs: [],
};
const START = { ms: 400, mib: 90, stateful: 2, sampled: 1 };

const row = (document: string, more: Partial<Row>): Row => ({
  source: 'harbours',
  document,
  bytes: 9,
  ...more,
});

const ROWS: Row[] = [
  row('good.yaml', { start: START, check: CHECK }),
  row('bad.yaml', {
    start: START,
    check: {
      ...CHECK,
      exitCode: 1,
      findings: ['a: schema: <b>|one', 'b: schema: two', 'c: status: three'],
    },
  }),
  row('empty.yaml', { start: START, check: { ...CHECK, exitCode: 4, promises: 0 } }),
  row('refused.yaml', { refused: 'refused.yaml:7: no such thing' }),
  row('slow.yaml', { crash: 'no result after 9 s' }),
];

test('the page counts all rows and shows the exceptions, each reason once for a document', () => {
  const page = renderCorpus(ROWS, [
    { says: ': schema:', fault: 'document', why: 'its own example breaks it' },
  ]);
  expect(page).toContain(
    '5 documents: 4 read; 1 of the 3 that promise anything with a mock that the suite accepts (33.3%), 1 crashed',
  );
  expect(page).toContain('| harbours | 5 | 1 | 1 | 1 | 1 | 1 | 9 | 6 | 400 ms | 90 MiB | 300 ms |');
  const lines = page.split('\n').filter((line) => line.startsWith('| harbours: '));
  expect(lines).toEqual([
    '| harbours: bad.yaml | disagrees | a: schema: \\<b\\>\\|one | document | its own example breaks it |',
    '| harbours: bad.yaml | disagrees | c: status: three | **open** | nobody has looked into it |',
    '| harbours: refused.yaml | is refused | refused.yaml:7: no such thing | **open** | nobody has looked into it |',
    '| harbours: slow.yaml | crashes | no result after 9 s | **open** | nobody has looked into it |',
  ]);
});
