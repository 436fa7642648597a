import { expect, test } from 'vitest';
import { ROOT, run } from '../quality/testing/command.ts';

test.each<[string[], string]>([
  [['--source', 'listPets=real'], '--source needs a real service: name it with --upstream'],
  [['--upstream', 'localhost:80'], '--upstream must be a URL with http or https'],
  [
    ['--upstream', 'http://127.0.0.1:9', '--source', 'listPets'],
    '"listPets" is not of the form OPERATION=real',
  ],
  [
    ['--upstream', 'http://127.0.0.1:9', '--source', 'none=mock'],
    '--source: the document has no operation "none"',
  ],
])('mock %j is refused', async (args, message) => {
  const { code, output } = await run(ROOT, ['node', 'cli/paddock.js', 'mock', '--port', '0', ...args]);
  expect(output).toContain(message);
  expect(code).toBe(2);
});
