import { expect, test } from 'vitest';
import { ROOT, run } from '../quality/testing/command.ts';

test.each<[string[], string]>([
  [['--at', '/__admin=spec/openapi.yaml'], 'error: --at: "/__admin=spec/openapi.yaml": /__admin and'],
  [['--at', '/~ida=spec/openapi.yaml'], 'error: --at: "/~ida=spec/openapi.yaml": /__admin and'],
  [['--allow-host', 'http://hooks.example'], 'error: --allow-host must be a list of host names'],
  [['--allow-host', '*'], 'error: --allow-host must be a list of host names'],
  [['--webhook-secret', 'not base64!'], 'error: --webhook-secret must be base64'],
])('mock %j is refused', async (args, message) => {
  const { code, output } = await run(ROOT, ['node', 'cli/paddock.js', 'mock', '--port', '0', ...args]);
  expect(output).toContain(message);
  expect(output).not.toContain('not base64!');
  expect(code).toBe(2);
});
