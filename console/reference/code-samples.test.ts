import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import type { ClientRequest } from '../code/client-request.ts';
import { codeSamples } from './code-samples.ts';

const request: ClientRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:4020/v1/pets',
  headers: [
    ['Authorization', 'Bearer $PADDOCK_API_KEY'],
    ['Content-Type', 'application/json'],
  ],
  cookies: [],
  body: '{"name": "O\'Hara"}',
};

const codeIn = (name: string, own: Partial<ClientRequest> = {}) =>
  codeSamples({ ...request, ...own }).find((one) => one.name === name)?.code;

test('curl quotes for a shell, and leaves the variable of the key to it', () => {
  expect(codeIn('curl')).toBe(
    `curl 'http://127.0.0.1:4020/v1/pets' \\
  -H "Authorization: Bearer $PADDOCK_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"name": "O'\\''Hara"}'`,
  );
});

test('a method is named where it does not follow from the body', () => {
  expect(codeIn('curl', { method: 'GET', body: undefined, headers: [] })).toBe(
    "curl 'http://127.0.0.1:4020/v1/pets'",
  );
  expect(codeIn('curl', { method: 'DELETE', body: undefined, headers: [] })).toContain('-X DELETE');
  expect(codeIn('curl', { method: 'HEAD', body: undefined, headers: [] })).toContain('--head');
});

test('the key is read from the environment in every language', () => {
  expect(codeIn('JavaScript')).toContain("Authorization: 'Bearer ' + process.env.PADDOCK_API_KEY");
  expect(codeIn('Python')).toContain('"Authorization": "Bearer " + os.environ["PADDOCK_API_KEY"]');
  expect(codeIn('Java')).toContain('.header("Authorization", "Bearer " + System.getenv("PADDOCK_API_KEY"))');
});

test('JavaScript is valid for any text', async () => {
  const body = '{\n "a": "`$' + '{1}\\\\ \' \\u2028 \u2028"\n}';
  const code = codeIn('JavaScript', { body })?.replace(
    'fetch(',
    '((_, options) => ({ status: options.body, text() {} }))(',
  );
  const printed = await new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      ['--input-type=module', '-e', `console.log = (text) => process.stdout.write(text);${code}`],
      { env: { PADDOCK_API_KEY: 'k' } },
      (error, out) => (error ? reject(error) : resolve(out)),
    ),
  );
  expect(printed).toBe(body);
});
