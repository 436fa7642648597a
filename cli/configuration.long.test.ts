import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../quality/testing/command.ts';
import { runPaddock, startPaddock } from '../quality/testing/paddock.ts';
import { started, run as startMock } from './testing/run-mock.ts';

/** `paddock.config.*` through the real command line. */

const SHIPPED = JSON.stringify(join(ROOT, 'spec/openapi.yaml'));

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'configuration-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries({ '.git': '', ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

test('mock and check run without a word on the command line, and --config names another file', async () => {
  const { url } = await started(startMock(['--port', '0', '--config', 'none']));
  const cwd = folderWith({
    'paddock.config.yaml': `
document: ${SHIPPED}
targets: { local: { url: ${JSON.stringify(url)}, apiKeyEnv: LOCAL_KEY, readOnly: true } }
report: { json: out/report.json }
check: { only: /200/, disposable: true }`.replace('/200/', "'/200/'"),
    'other.json': '{ "mock": { "explain": true } }',
    'below/file': '',
  });
  const env = { LOCAL_KEY: 'paddock-dev-key' };
  const checked = await runPaddock(['check'], { cwd, env });
  expect(checked.output).toContain('200  covered');
  const { code, output } = await runPaddock(['check', 'local'], { cwd: join(cwd, 'below'), env });
  expect(output).toContain('notice: options are read from ../paddock.config.yaml');
  expect(output).toContain('200  covered');
  expect([checked.code, code]).toEqual([0, 0]);
  expect(JSON.parse(readFileSync(join(cwd, 'out/report.json'), 'utf8')).target).toBe(url);
  const explained = await runPaddock(['mock'], { cwd, env: { PADDOCK_CONFIG: 'other.json' } });
  expect(explained.output).toContain('GET /pets');
  expect(explained.code).toBe(0);
});

const FILES: readonly (readonly [name: string, text: string, args: readonly string[], message: string])[] = [
  [
    'paddock.config.yaml',
    'mock:\n  port: abc\n  prot: 1',
    ['mock'],
    `error: paddock.config.yaml:2:9: mock.port: option '--port <n>' value 'abc' is invalid. It must be a whole number from 0 to 65535.
paddock.config.yaml:3:3: mock.prot: there is no such option here: did you mean "port"?\n`,
  ],
  [
    'paddock.config.json',
    '{\n  "check": { "max-time": 5 },\n  "seed": "7" }',
    ['mock'],
    `error: paddock.config.json:3:11: seed: option '--seed <n>' value '7' is invalid. It must be a number, without quotes.
paddock.config.json:2:14: check.max-time: there is no such option here: did you mean "maxTime"?\n`,
  ],
  [
    'paddock.config.ts',
    'export default { mock: { port: -1 as number } };',
    ['mock'],
    `error: paddock.config.ts: mock.port: option '--port <n>' value '-1' is invalid. It must be a whole number from 0 to 65535.\n`,
  ],
  ['paddock.config.ts', 'export const port = 1;', ['mock'], 'must export its options by default'],
  [
    'paddock.config.ts',
    'throw new RangeError("no luck");',
    ['mock'],
    'error: paddock.config.ts: RangeError: no luck\n',
  ],
  [
    'paddock.config.yml',
    'seed: 1\nport: 2\nseed: 3',
    ['check', 'http://127.0.0.1:1'],
    'error: paddock.config.yml:3:1: the key "seed" stands twice in one object: only the last one counts\n',
  ],
  [
    'paddock.config.yaml',
    'mock: { apiKey: hunter2 }\ncheck: { apiKey: [hunter2, }',
    ['mock'],
    'error: paddock.config.yaml:2:28: ',
  ],
  [
    'paddock.config.yaml',
    'mock: { apiKey: hunter2 }\ntargets: { t: { url: http://x, apiKeyEnv: "hunter2!" } }',
    ['mock'],
    `error: paddock.config.yaml:1:9: mock.apiKey: a secret does not belong in a file, and is not read from it: set the environment variable PADDOCK_API_KEY, or name the variable that holds it: apiKeyEnv: VARIABLE
paddock.config.yaml:2:43: targets.t.apiKeyEnv: must be the name of an environment variable, never a secret; what was given is not shown\n`,
  ],
  [
    'paddock.config.yaml',
    'mock: { latency: soon }',
    ['mock'],
    'error: paddock.config.yaml:1:18: --latency must be milliseconds up to 600000, or a range such as 50-150\n',
  ],
  [
    'paddock.config.yaml',
    'document: none.yaml',
    ['check', 'http://127.0.0.1:1'],
    'error: paddock.config.yaml:1:11: none.yaml:1:1: cannot read none.yaml: there is no such file\n',
  ],
  [
    'paddock.config.yaml',
    'check: { known: none.yaml }',
    ['check', 'http://127.0.0.1:1'],
    "error: paddock.config.yaml:1:17: --known: ENOENT: no such file or directory, open 'none.yaml'\n",
  ],
  [
    'paddock.config.yaml',
    'targets: { staging: { url: http://x } }',
    ['check', 'nosuch'],
    'error: "nosuch" is neither a base URL nor a target of paddock.config.yaml, which has staging\n',
  ],
];

test.concurrent.for(FILES)('%s: %j', async ([name, text, args, message]) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'configuration-')));
  writeFileSync(join(folder, '.git'), '');
  writeFileSync(join(folder, name), text);
  const { code, output } = await runPaddock(args, { cwd: folder });
  expect(output).toContain(message);
  expect(output).not.toContain('hunter2');
  expect(code).toBe(2);
  rmSync(folder, { recursive: true });
});

test('two files in one folder are refused, and --config none reads neither', async () => {
  const cwd = folderWith({ 'paddock.config.yaml': '', 'paddock.config.ts': '' });
  const refused = await runPaddock(['mock'], { cwd });
  expect(refused.output).toMatch(
    /^error: \S+ has two configuration files, paddock.config.yaml and paddock.config.ts/,
  );
  expect(refused.code).toBe(2);
  for (const file of ['none', 'missing.yaml']) {
    const { code } = await runPaddock(['mock', '--explain', '--config', file], { cwd });
    expect([file, code]).toEqual([file, file === 'none' ? 0 : 2]);
  }
  expect((await runPaddock(['mock', '--explain'], { cwd, env: { PADDOCK_CONFIG: 'none' } })).code).toBe(0);
});

test('paddock.config.ts is read with its types, its imports, and in a package of CommonJS', async () => {
  // Node itself reads the file, not the test runner.
  const ended = async (args: readonly string[], options: object) => {
    const paddock = startPaddock(args, options);
    return { code: await paddock.ended, output: paddock.output().all };
  };
  const cwd = folderWith({
    'package.json': '{ "type": "module" }',
    'values.ts': 'export const count: number = 3;',
    'paddock.config.ts': `import { count } from './values.ts';
interface Options { readonly explain: boolean; readonly count: number }
export default { document: ${SHIPPED}, mock: { explain: true, count } satisfies Options };`,
    'old/package.json': '{ "type": "commonjs" }',
    'old/paddock.config.ts': `module.exports = { mock: { explain: true } };`,
    'new/package.json': '{ "type": "commonjs" }',
    'new/paddock.config.ts': `export default { mock: { explain: true } };`,
  });
  for (const folder of ['.', 'old']) {
    const { code, output } = await ended(['mock'], { cwd: join(cwd, folder) });
    expect([folder, output]).toEqual([folder, expect.stringContaining('GET /pets')]);
    expect(code).toBe(0);
  }
  const { code, output } = await ended(['mock'], { cwd: join(cwd, 'new') });
  expect(output).toContain('says that it is CommonJS; name it paddock.config.mts, or write');
  expect(code).toBe(2);
  renameSync(join(cwd, 'new/paddock.config.ts'), join(cwd, 'new/paddock.config.mts'));
  expect(await ended(['mock'], { cwd: join(cwd, 'new') })).toMatchObject({ code: 0 });
});
