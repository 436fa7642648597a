import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { ROOT, run } from '../quality/testing/command.ts';
import { startPaddock } from '../quality/testing/paddock.ts';

const KEY = 'key-of-the-mock';
const DOCUMENT = join(ROOT, 'spec/openapi.yaml');
const CONFIG = join(ROOT, 'cli/configuration/define-config.ts');

let mock: Mock;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  mock = await createMock({ document: DOCUMENT, apiKeys: [KEY] });
});
afterAll(async () => {
  await mock.close();
  await rm(folder, { recursive: true });
});

/** A check with a configuration file. */
async function check(name: string, text: string, ...args: readonly string[]) {
  const file = join(folder, name);
  await writeFile(file, text);
  const { ended, output } = startPaddock(
    ['check', mock.url, DOCUMENT, '--config', file, '--settle', '0', ...args],
    { cwd: folder, env: { NO_COLOR: '1', THE_KEY: KEY, PADDOCK_EXAMPLES: '1' } },
  );
  return { code: await ended, output: output().all };
}

test.for([
  ['yaml', "check: { credentials: { bearer: { command: 'echo $THE_KEY' } } }"],
  ['yaml', 'check: { credentials: { bearer: { env: THE_KEY } } }'],
  ['mjs', 'export default { check: { credentials: { bearer: () => process.env.THE_KEY } } };'],
  ['ts', "export default { check: { credentials: { bearer: (): string => process.env.THE_KEY ?? '' } } };"],
] as const)('credentials of a file, %s: %s', async ([end, text]) => {
  const { code, output } = await check(`credentials.${end}`, text);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('The contract holds for 3 of 3 operations'),
  });
  expect(output).not.toContain(KEY);
});

test('--credential has the same sources, and an option wins over the file', async () => {
  const { code } = await check(
    'wins.yaml',
    'check: { credentials: { bearer: { command: "false" } } }',
    '--credential',
    'bearer={env: THE_KEY}',
  );
  expect(code).toBe(0);
});

test.for([
  ['{login: POST /x, take: {body: /t}, form: {pin: abc}}', /--credential baerer: form\.pin is a secret/],
  ['{abc: abc}', /^error: --credential baerer: /m],
  ...['{env: THE_KEY}', 'abc', '{abc'].map(
    (source) => [source, /^error: --credential \(or PADDOCK_CREDENTIAL_NAME\): .* "baerer"/m] as const,
  ),
] as const)('--credential baerer=%s is an error of the user', async ([source, message]) => {
  const { code, output } = await check('none.yaml', '', '--credential', `baerer=${source}`);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(message) });
  expect(output).not.toContain('abc');
});

test.for([
  [
    'code.yaml',
    'check:\n  beforeRequest: x',
    /code\.yaml:2:3: check\.beforeRequest: it is code: write it in paddock\.config\.ts/,
  ],
  [
    'secret.yaml',
    'check: { credentials: { bearer: abc } }',
    /its value is a secret, which does not belong in a file.*\{ env: NAME \}/,
  ],
  [
    'login.yaml',
    'check: { credentials: { bearer: { login: POST /x, take: { body: /t }, body: { user: ann, password: abc } } } }',
    /login\.yaml:1:10: check\.credentials: bearer: body\.password is a secret, which does not belong in a file/,
  ],
  [
    'scheme.mjs',
    'export default { check: { credentials: { baerer: () => "abc" } } };',
    /^error: check\.credentials: .*openapi\.yaml:\d+ has no security scheme "baerer"; it has bearer$/m,
  ],
  [
    'form.yaml',
    'check: { credentials: { bearer: { grant: code } } }',
    /bearer: its grant is not of the right form/,
  ],
  [
    'law.mjs',
    'export default { check: { laws: [{ name: "schema", judge() {} }] } };',
    /law\.mjs: check\.laws: "schema" is a law of Paddock's/,
  ],
  [
    'throws.mjs',
    'export default { check: { beforeRequest() { throw new Error("no moon"); } } };',
    /the hook beforeRequest failed: Error: no moon\n +at .*throws\.mjs:1:/,
  ],
] as const)('%s is an error of the user', async ([name, text, message]) => {
  const { code, output } = await check(name, text, '--api-key', KEY);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(message) });
  expect(output).not.toContain('abc');
});

const PYTHON = `
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    reply = {"id": event["id"]}
    if event["event"] == "beforeRequest":
        reply["headers"] = {"X-Operation": event["request"]["operationId"]}
    if event["event"] == "afterResponse" and event["response"]["status"] == 200:
        reply["headers"] = {"X-Seen": event["request"]["headers"]["X-Operation"]}
    WHAT
    print(json.dumps(reply), flush=True)
`;

test('hooks in Python change requests and responses', async () => {
  await writeFile(join(folder, 'hooks.py'), PYTHON.replace('WHAT', ''));
  const law = `export default { check: { laws: [{ name: 'is-seen', judge: ({ response, operation }) =>
    response.status !== 200 || response.headers.some(([name, value]) => name === 'X-Seen' && value === operation.id) ? [] : { received: 'no' } }] } };`;
  const { code, output } = await check('seen.mjs', law, '--hook', 'python3 hooks.py', '--api-key', KEY);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('The contract holds for 3 of 3 operations'),
  });
  expect(output).not.toContain('is-seen');
});

test.for([
  [
    'dies',
    'if event["event"] == "afterResponse": raise KeyError("the moon")',
    /its process ended \(exit code 1\); it wrote:\n.*KeyError: 'the moon'/s,
  ],
  [
    'writes something else',
    'print("debug")',
    /a line of its standard output is no JSON object; it wrote:\ndebug/,
  ],
  [
    'says that it fails',
    'if event["event"] == "beforeRequest": reply["error"] = "no key"',
    /beforeRequest failed: no key/,
  ],
  ['takes no event', 'reply["events"] = ["onRequest"]', /there is no event "onRequest": there are before,/],
  [
    'names no operation',
    'reply["prepare"] = ["nope"]',
    /^error: check\.prepare: the document has no operation "nope"/,
  ],
] as const)('a process that %s ends the run with exit code 2', async ([name, what, message]) => {
  await writeFile(join(folder, `${name}.py`), PYTHON.replace('WHAT', what));
  const { code, output } = await check(
    'hook.yaml',
    `check: { hook: "python3 '${name}.py'" }`,
    '--api-key',
    KEY,
  );
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(message) });
});

test('names of operations are types', async () => {
  const program = (name: string) => `
    import { defineConfig } from '${CONFIG}';
    interface operations { getPet: object; listPets: object }
    export default defineConfig<unknown, operations>({
      document: 'openapi.yaml',
      check: {
        credentials: { bearer: async ({ scheme }) => ({ value: scheme, expiresIn: 5 }) },
        prepare: { ${name}: () => ({ path: { petId: 1 } }) },
        beforeRequest: ({ operationId }) => (operationId === '${name}' ? { skip: 'later' } : undefined),
        laws: [{ name: 'mine', judge: ({ response }) => (response.ms > 0 ? [] : { received: 'none' }) }],
      },
    });`;
  await run(ROOT, ['node', 'cli/generate.ts', 'types']);
  // Inside the clone, whose tsconfig.json it uses.
  const place = await mkdtemp(join(ROOT, 'hooks-types-'));
  try {
    await writeFile(
      join(place, 'tsconfig.json'),
      JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }),
    );
    await writeFile(join(place, 'good.ts'), program('getPet'));
    expect(await run(place, ['tsc', '--project', place])).toEqual({ code: 0, output: '' });
    await writeFile(join(place, 'bad.ts'), program('getPett'));
    const { code, output } = await run(place, ['tsc', '--project', place]);
    expect(code).not.toBe(0);
    expect(output).toMatch(/bad\.ts.*'getPett' does not exist/);
    expect(output).not.toContain('good.ts');
  } finally {
    await rm(place, { recursive: true });
  }
});
