import { expect, test } from 'vitest';
import { ROOT } from '../quality/testing/command.ts';
import { runPaddock } from '../quality/testing/paddock.ts';

test.each([
  [
    'prints each operation with its facts and their lines, and ends',
    [],
    [
      /^GET \/pets +\(listPets\) +spec\/openapi\.yaml:\d+$/m,
      /^ {2}page size +limit: .* spec\/openapi\.yaml:\d+$/m,
    ],
  ],
  [
    'names each file of a document that is split',
    ['fixtures/specs/notices/openapi.yaml'],
    [/^ {2}filter +channel: .*notices\/parameters\.yaml:\d+, .*order-base\.yaml:\d+$/m],
  ],
  [
    'names what has no effect',
    ['fixtures/specs/harbours.yaml'],
    [/^ {2}ignored +x-flags, zone: validated, without effect +fixtures\/specs\/harbours\.yaml:15, .*:16$/m],
  ],
])('--explain %s', async (_, document, wanted) => {
  const { code, output } = await runPaddock(['mock', ...document, '--explain'], { cwd: ROOT });
  expect(code).toBe(0);
  for (const line of wanted) expect(output).toMatch(line);
});
