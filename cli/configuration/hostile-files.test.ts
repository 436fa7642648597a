import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { broken, EFFORT, faultsOf } from '../../quality/testing/attack.ts';
import { ROOT } from '../../quality/testing/command.ts';
import { runPaddock } from '../../quality/testing/paddock.ts';

/** Broken and malicious configuration files. */
const COUNT = 24 * EFFORT;

/** No message may repeat it, as it stands in the place of a secret. */
const SECRET = 'hunter2-hunter2';

const GOOD = `document: ${join(ROOT, 'spec/openapi.yaml')}
seed: 7
report: [json=out/report.json]
targets:
  staging: { url: https://staging.example/v1, apiKeyEnv: STAGING_KEY, readOnly: true }
mock: { port: 4010, count: 5, latency: 10-20, log: false }
check: { only: GET, maxTime: 20, credentialEnv: { key: OTHER_KEY } }
proxy: { enforce: true, host: 127.0.0.1 }
`;

const words = (text: string) => text.split(' ');
const KEYS = fc.constantFrom(
  ...words(
    'document overlay seed report targets mock check proxy judge compat port count latency log only maxTime',
  ),
  ...words(
    '__proto__ constructor toString hasOwnProperty prototype $schema url apiKeyEnv store host fixture',
  ),
  ...['', ' ', '\u0000', '\u001b[2J', 'a'.repeat(5000), '<<', '0', 'true', 'null'],
);
const VALUES = fc.oneof(
  fc.constantFrom<unknown>(...[null, true, -1, 0, 1e308, 2 ** 53, '', '\u0000', 'x'.repeat(5000)]),
  fc.constantFrom(...words('../../../etc/passwd file:///etc/passwd - /dev/zero (a+)+$ [ http://[')),
  fc.constant(`https://user:${SECRET}@x/`),
  fc.jsonValue({ maxDepth: 3 }),
);
const PIECES = fc.constantFrom(
  ...words('{ } [ ] " \' # | > % @ ` *a \ufeff \u0000 \ud800'),
  ...['\t', '- ', ': ', '&a ', '!!js/function ', '!!binary ', '<<: *a\n', '? ', '---\n', '...\n', '\n  '],
  '__proto__: { polluted: true }\n',
);

const brokenGood = broken(GOOD, fc.nat(6), fc.oneof(PIECES, fc.string()));

const odd = fc
  .dictionary(
    KEYS,
    fc.oneof(
      { weight: 2, arbitrary: VALUES },
      { weight: 1, arbitrary: fc.dictionary(KEYS, VALUES, { noNullPrototype: true }) },
    ),
    { maxKeys: 6, noNullPrototype: true },
  )
  .map((value) => JSON.stringify({ ...value, mock: { adminToken: SECRET, ...(value.mock as object) } }));

const BOMB = Array.from({ length: 40 }, (_, at) =>
  `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}1]`.replaceAll('*a-1, ', ''),
).join('\n');
const fixed = fc.constantFrom(
  BOMB,
  `check: ${'['.repeat(20_000)}`,
  `${'{"check":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `${'- '.repeat(5000)}a`,
  `a: &a { b: *a }`,
  '\u0000',
);

test('a broken file is read, or refused with a message that neither shows a secret nor is a crash', async () => {
  let [refused, read] = [0, 0];
  const attack = {
    attempts: fc.oneof(
      { weight: 4, arbitrary: brokenGood },
      { weight: 4, arbitrary: odd },
      { weight: 1, arbitrary: fixed },
    ),
    workers: 2,
    async stands(text: string, at: number) {
      const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
      writeFileSync(join(folder, '.git'), '');
      writeFileSync(join(folder, at % 4 === 0 ? 'paddock.config.json' : 'paddock.config.yaml'), text);
      const { code, output } = await runPaddock(['mock', '--explain'], { cwd: folder });
      rmSync(folder, { recursive: true });
      if (code === 2) refused += 1;
      else read += 1;
      const isReported = code === 0 || (code === 2 && /^error: /m.test(output));
      const isCrash = /^ {4}at |bug of Paddock|RangeError|TypeError/m.test(output);
      if (!isReported || isCrash || output.includes(SECRET))
        throw new Error(`${code}: ${output.slice(0, 600)}`);
    },
    shown: (text: string) => JSON.stringify(text.slice(0, 1500)),
  };
  expect(await faultsOf(attack, COUNT)).toEqual([]);
  expect(refused + read).toBe(COUNT);
  expect(refused).toBeGreaterThan(5);
});

test('a URL with a password is not shown where it is no value of an option', async () => {
  const project = projectIn({});
  writeFileSync(join(project, 'paddock.config.yaml'), `log: https://user:${SECRET}@x/\n`);
  const { code, output } = await runPaddock(['mock', '--explain'], { cwd: project });
  expect(code).toBe(2);
  expect(output).toContain("value 'a URL with a password' is invalid");
  expect(output).not.toContain(SECRET);
});

/** A project's folder in one that another user has filled. */
function projectIn(files: Readonly<Record<string, string>>): string {
  const above = mkdtempSync(join(tmpdir(), 'above-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(above, name), text);
  const project = join(above, 'project');
  mkdirSync(join(project, 'below'), { recursive: true });
  return project;
}

const ATTACK = `console.log('executed'); export default {};`;

test('a program above the root of a repository is not run', async () => {
  const project = projectIn({ 'paddock.config.ts': ATTACK });
  writeFileSync(join(project, '.git'), '');
  const { code, output } = await runPaddock(['mock', '--explain'], { cwd: join(project, 'below') });
  expect({ code, isRun: output.includes('executed') }).toEqual({ code: 0, isRun: false });
});

test.each([
  ['the document', 'document: "http://127.0.0.1:1/openapi.yaml#\\u001b[2J"'],
  ['a key', '"\\u001b]0;title\\u0007": 1'],
  ['a value', 'mock: { port: "\\u001b[2J\\u009b31m" }'],
  ['the name of a target', 'targets: { "\\u001b[2J": { url: "http://x" } }'],
])('control characters do not reach the terminal: %s', async (_, text) => {
  const project = projectIn({});
  writeFileSync(join(project, 'paddock.config.yaml'), text);
  const { code, output } = await runPaddock(['mock', '--explain'], { cwd: project });
  expect(code).toBe(2);
  expect(output).not.toMatch(/(?!\n)\p{Cc}/u);
});

test.each([
  [
    'JSON',
    'paddock.config.json',
    '{"__proto__":{"explain":true,"port":1},"mock":{"__proto__":{"explain":true}}}',
  ],
  ['YAML', 'paddock.config.yaml', '__proto__: { explain: true }\nmock: { __proto__: { explain: true } }'],
  ['targets', 'paddock.config.yaml', 'targets: { __proto__: { url: "http://127.0.0.1:1", readOnly: true } }'],
])('no key is a prototype: %s', async (_, name, text) => {
  const project = projectIn({});
  writeFileSync(join(project, name), text);
  const { code, output } = await runPaddock(
    ['check', '__proto__', '--document', join(ROOT, 'spec/openapi.yaml')],
    { cwd: project },
  );
  expect(code).toBe(2);
  expect(output).toMatch(/^error: /);
});
