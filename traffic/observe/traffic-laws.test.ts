import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { REACH } from '../../contract-tests/laws/law.ts';

const SHOWN_BY = {
  exchange: 'one exchange',
  records: 'several exchanges',
  'own requests': 'own requests',
} as const;

test('docs/judge.md says of every law what traffic shows of it', async () => {
  const page = await readFile(new URL('../../docs/judge.md', import.meta.url), 'utf8');
  const rows = [
    ...page.matchAll(/^\| `([a-z-]+)` +\| (one exchange|several exchanges|own requests) +\| (.*?) *\|$/gm),
  ];
  const notices = rows.map(([, law, reach, why]) => [law, reach, why]);
  expect(notices).toEqual(
    Object.entries(REACH).map(([law, [reach, why = '']]) => [law, SHOWN_BY[reach], why]),
  );
});
