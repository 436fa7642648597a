import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readConfiguration } from '#configuration';
import { listening, PROGRAM, runPaddock, startPaddock } from '../quality/testing/paddock.ts';
import { HAS_TERMINAL, openTerminal } from '../quality/testing/terminal.ts';
import { vocabularyOf } from './apply-configuration.ts';
import { addScripts, configText } from './init/files.ts';
import { findDocuments } from './init/proposals.ts';
import { allCommands } from './program.ts';

/** `paddock init` in a new folder. */
const MANIFEST = '{\n  "name": "shop",\n  "scripts": {\n    "test": "vitest"\n  }\n}\n';
const SHOP = `openapi: 3.1.0
info: { title: Shop, version: 1.2.0 }
servers: [{ url: https://shop.example/api }]
paths:
  /orders:
    get: { responses: { 200: { description: Orders } } }
`;
let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'paddock-')));
});

async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}
const text = (name: string) => readFile(join(folder, name), 'utf8');
const init = (...args: string[]) => runPaddock(['init', ...args], { cwd: folder });

async function configuration(file = join(folder, 'paddock.config.yaml')) {
  return readConfiguration(file, vocabularyOf(await allCommands()), { PADDOCK_API_KEY: 'k', SHOP_KEY: 'k' });
}

test('--yes where there is no document: the Pet Store, of which mock and check work at once', async () => {
  await put('package.json', MANIFEST);
  const { code, output } = await init('--yes');
  expect(output).toContain('paddock.config.yaml is written\npackage.json has the scripts mock and check\n');
  expect(output).toMatch(/^ {2}npx openapi-paddock mock +# Pet Store 1\.0\.0, 3 operations$/m);
  expect(output).toMatch(/^ {2}export PADDOCK_API_KEY=paddock-dev-key /m);
  expect(code).toBe(0);
  expect(await configuration()).toMatchObject({ targets: new Map([['local', 'http://127.0.0.1:4020/v1']]) });
  const mock = await listening(startPaddock(['mock', '--port', '0'], { cwd: folder }));
  onTestFinished(() => void mock.stop());
  expect(mock.output().out).toContain('Pet Store');
  // The file's port may be in use on this machine, so the target is named by its URL.
  const env = { PADDOCK_API_KEY: 'paddock-dev-key' };
  const checked = await runPaddock(['check', mock.url, '--only', 'ordinary$'], { cwd: folder, env });
  expect(checked.output).toContain('The contract holds');
  expect(checked.code).toBe(0);
});

test('docs/getting-started.md shows what it prints', async () => {
  await put('package.json', MANIFEST);
  const { output } = await init('--yes');
  const page = await readFile(new URL('../docs/getting-started.md', import.meta.url), 'utf8');
  expect(page).toContain(`\n$ npx openapi-paddock init --yes\n${output}\`\`\`\n`);
});

test('--yes with a document: its base path, and no key where none is needed', async () => {
  await put('api/shop.yaml', SHOP);
  const { code, output } = await init('--yes');
  expect(code).toBe(0);
  expect(output).toContain('Shop 1.2.0, 1 operation');
  expect(output).not.toContain('export');
  const written = await text('paddock.config.yaml');
  expect(written).toMatch(
    /^# yaml-language-server: \$schema=\.\/node_modules\/openapi-paddock\/paddock\.schema\.json\n/,
  );
  expect(written).toContain('\ndocument: api/shop.yaml\n');
  expect(written).not.toContain('apiKeyEnv');
  expect((await configuration()).targets.get('local')).toBe('http://127.0.0.1:4020/api');
  expect(written).toContain('\noverlay: paddock.overlay.yaml\n');
  expect(await text('paddock.overlay.yaml')).toMatch(/^extends: api\/shop\.yaml$/m);
  const explained = await runPaddock(['explain', '--check'], { cwd: folder });
  expect(explained.output).toContain('agrees with the document');
});

test('nothing is overwritten without --force, and another form of the file never', async () => {
  await put('package.json', MANIFEST);
  await put('paddock.config.yaml', '# mine\n');
  const refused = await init('--yes');
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('--force overwrites it') });
  expect([await text('paddock.config.yaml'), await text('package.json')]).toEqual(['# mine\n', MANIFEST]);
  expect((await init('--yes', '--force')).output).toContain('paddock.config.yaml is overwritten');
  expect(await text('paddock.config.yaml')).toContain('targets:');
  await put('paddock.config.ts', '');
  expect(await init('--yes', '--force')).toMatchObject({
    code: 2,
    output: expect.stringContaining('remove it first'),
  });
});

test('a package.json that cannot be read: nothing is written', async () => {
  await put('package.json', '{ "scripts": [');
  const { code, output } = await init('--yes');
  expect(output).toMatch(/^error: package\.json: .*nothing has been written/);
  expect(code).toBe(2);
  expect(existsSync(join(folder, 'paddock.config.yaml'))).toBe(false);
});

test('a package.json behind a link stays there, with its mode', async () => {
  await put('shared/package.json', MANIFEST);
  await chmod(join(folder, 'shared/package.json'), 0o640);
  await symlink('shared/package.json', join(folder, 'package.json'));
  expect((await init('--yes')).code).toBe(0);
  expect((await lstat(join(folder, 'package.json'))).isSymbolicLink()).toBe(true);
  expect(await text('shared/package.json')).toContain('"mock": "npx openapi-paddock mock"');
  expect((await stat(join(folder, 'shared/package.json'))).mode & 0o777).toBe(0o640);
});

test('without a terminal there are no questions', async () => {
  expect(await init()).toMatchObject({
    code: 2,
    output: expect.stringContaining('--yes accepts the defaults'),
  });
});

test('documents are found by what is in them', async () => {
  await put('petstore.yml', "'openapi': '3.0.3'\npaths: {}\n");
  await put('legacy/old.json', '{ "info": {}, "swagger": "2.0", "paths": {} }');
  await put('legacy/openapi.yaml', `# A comment\n---\n${SHOP}`);
  await put('openapi.yaml', 'overlay: 1.0.0\nactions: []\n');
  await put('openapi.json', '{ "openapi": "2", "note": "openapi: 3.1.0" }');
  await put('nested.json', '{ "document": { "openapi": "3.1.0" } }');
  await put('broken.json', '{ "openapi": "3.1.0", ');
  await put('readme.txt', SHOP);
  await put('node_modules/other/openapi.yaml', SHOP);
  await put('.git/openapi.yaml', SHOP);
  await put('a/b/c/d/e/f/g/deep.yaml', SHOP);
  await symlink(join(folder, 'legacy'), join(folder, 'linked'));
  expect(await findDocuments(folder)).toEqual(['petstore.yml', 'legacy/openapi.yaml', 'legacy/old.json']);
});

test('a document that cannot be read is no default', async () => {
  await put('a.yaml', 'openapi: 3.1.0\npaths: [\n');
  await put('b.yaml', SHOP);
  await init('--yes');
  expect(await text('paddock.config.yaml')).toContain('\ndocument: b.yaml\n');
});

test.for([
  ['openapi.yaml', 'local', 'http://127.0.0.1:4020'],
  ["it's mine: a #1 file.yaml", 'null', 'http://127.0.0.1:4020/v1'],
  ['https://shop.example/openapi.json', '7', 'https://shop.example/api'],
  ['"quoted".yaml', 'a.b-c_d', 'http://[::1]:8080/%7Eme'],
  [undefined, 'true', 'http://localhost/'],
] as const)('the file can be read: %j %s %s', async ([document, target, url]) => {
  await put(
    'paddock.config.yaml',
    configText(
      { document, target, url, variable: 'SHOP_KEY', scripts: false },
      { schema: './s.json', port: 4020 },
    ),
  );
  const read = await configuration();
  expect([...read.targets]).toEqual([[target, url]]);
  const chosen = read.choose('check', target, () => false);
  const given = (key: string) => chosen.find(({ setting }) => setting.key === key)?.value;
  expect(given('apiKey')).toEqual(['k']);
  const readOnly = url.includes('shop.example') ? true : undefined;
  expect(given('readOnly')).toBe(readOnly);
  if (document === undefined) expect(given('document')).toBeUndefined();
  else expect([given('document')].flat()[0]).toContain(document);
});

describe('scripts in package.json', () => {
  test.for<[string, string, string]>([
    [
      'two spaces',
      MANIFEST,
      MANIFEST.replace('"vitest"', '"vitest",\n    "mock": "paddock mock",\n    "check": "paddock check"'),
    ],
    [
      'tabs, and no end of line',
      '{\n\t"scripts": {\n\t\t"a": "b"\n\t},\n\t"x": 1\n}',
      '{\n\t"scripts": {\n\t\t"a": "b",\n\t\t"mock": "paddock mock",\n\t\t"check": "paddock check"\n\t},\n\t"x": 1\n}',
    ],
    [
      'CRLF',
      '{\r\n    "scripts": {\r\n        "a": "{}"\r\n    }\r\n}\r\n',
      '{\r\n    "scripts": {\r\n        "a": "{}",\r\n        "mock": "paddock mock",\r\n        "check": "paddock check"\r\n    }\r\n}\r\n',
    ],
    [
      'no scripts',
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "scripts": {\n    "mock": "paddock mock",\n    "check": "paddock check"\n  }\n}\n',
    ],
    [
      'empty scripts',
      '{\n  "scripts": {},\n  "x": 1\n}\n',
      '{\n  "scripts": {\n    "mock": "paddock mock",\n    "check": "paddock check"\n  },\n  "x": 1\n}\n',
    ],
    ['nothing', '{}', '{\n  "scripts": {\n    "mock": "paddock mock",\n    "check": "paddock check"\n  }\n}'],
  ])('%s', ([, before, after]) => {
    expect(addScripts(before, true)).toEqual({ text: after, added: ['mock', 'check'], kept: [] });
    expect(JSON.parse(after)).toMatchObject(JSON.parse(before));
  });

  test('npx fetches this package where the project has none, and not the one that is named paddock', async () => {
    const scripts = { mock: 'npx openapi-paddock mock', check: 'npx openapi-paddock check' };
    const fetched = addScripts('{}', false).text;
    expect(JSON.parse(fetched)).toEqual({ scripts });
    expect(addScripts(fetched, true)).toEqual({ text: fetched, added: [], kept: [] });
    await put('package.json', '{}');
    await mkdir(join(folder, 'node_modules/openapi-paddock'), { recursive: true });
    const { output } = await init('--yes');
    expect(JSON.parse(await text('package.json')).scripts.mock).toBe('paddock mock');
    expect([output, await text('paddock.config.yaml')].join()).not.toContain('npx paddock');
  });

  test('a script of that name stays', () => {
    const other = '{\n  "scripts": { "mock": "mock-server", "check": "paddock check" }\n}\n';
    expect(addScripts(other, true)).toEqual({ text: other, added: [], kept: ['mock'] });
  });

  test.for(['[]', 'null', '7', '{ "scripts": [] }', '{ "scripts": null }'])('%s is refused', (broken) => {
    expect(() => addScripts(broken, true)).toThrow();
  });
});

describe.skipIf(!HAS_TERMINAL)('questions on a terminal', () => {
  const start = () => openTerminal(`'${process.execPath}' '${PROGRAM}' init`, folder, { NO_COLOR: '1' });

  test('the four questions, with answers that are refused first', async () => {
    await put('package.json', MANIFEST);
    await put('one.yaml', SHOP);
    await put(
      'two.json',
      JSON.stringify({ openapi: '3.1.0', info: { title: 'Two', version: '2' }, paths: {} }),
    );
    const terminal = start();
    onTestFinished(terminal.close);
    await terminal.see(
      /1 {2}one\.yaml\s+2 {2}two\.json\s+OpenAPI document \(number, path or URL\) \[one\.yaml\]: /,
    );
    terminal.type('nosuch.yaml\r');
    await terminal.see(/nosuch\.yaml[\s\S]*OpenAPI document .*: /);
    terminal.type('1\r');
    await terminal.see(/Shop 1\.2\.0, 1 operation\s+Name of the target \[local\]: /);
    terminal.type('https://x\r');
    await terminal.see(/letters, digits[\s\S]*Name of the target \[local\]: /);
    terminal.type('staging\r');
    await terminal.see(/Base URL of the target \[http:\/\/127\.0\.0\.1:4020\/api\]: /);
    terminal.type('https://staging.example/api\r');
    await terminal.see(/or none \[none\]: /);
    terminal.type('s3cret-key!\r');
    await terminal.see(/never the key itself[\s\S]*or none \[none\]: /);
    terminal.type('SHOP_KEY\r');
    await terminal.see(/\(yes or no\) \[yes\]: /);
    terminal.type('n\r');
    await terminal.see(/export SHOP_KEY=\.\.\./);
    expect(await terminal.ended).toBe(0);
    expect(await text('package.json')).toBe(MANIFEST);
    const written = await text('paddock.config.yaml');
    expect(written).toContain('document: one.yaml\n');
    expect(written).toContain('    url: https://staging.example/api\n');
    expect(written).toContain('    apiKeyEnv: SHOP_KEY\n');
    expect(written).toContain('    readOnly: true\n');
  });

  test('Enter takes the defaults', async () => {
    await put('package.json', MANIFEST);
    const terminal = start();
    onTestFinished(terminal.close);
    for (const question of [
      /the Pet Store\): /,
      /\[local\]: /,
      /\/v1\]: /,
      /\[PADDOCK_API_KEY\]: /,
      /\[yes\]: /,
    ]) {
      await terminal.see(question);
      terminal.type('\r');
    }
    expect(await terminal.ended).toBe(0);
    const answered = await text('paddock.config.yaml');
    await init('--yes', '--force');
    expect(await text('paddock.config.yaml')).toBe(answered);
    expect(await text('package.json')).toContain('"check": "npx openapi-paddock check"');
  });

  test.for([
    ['Ctrl-D', '\x04'],
    ['Ctrl-C', '\x03'],
  ])('%s: nothing is written', async ([, key = '']) => {
    await put('package.json', MANIFEST);
    const terminal = start();
    onTestFinished(terminal.close);
    await terminal.see(/the Pet Store\): /);
    terminal.type(key);
    expect(await terminal.ended).not.toBe(0);
    expect(terminal.output()).toContain('nothing has been written');
    expect([existsSync(join(folder, 'paddock.config.yaml')), await text('package.json')]).toEqual([
      false,
      MANIFEST,
    ]);
  });
});
