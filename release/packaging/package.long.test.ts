import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHROMIUM, launchChromium } from '../../quality/testing/chromium.ts';
import { ROOT, run, start } from '../../quality/testing/command.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { installMsw, installTools, NO_REGISTRY } from '../../quality/testing/temporary-tools.ts';
import { BROWSER_FILES } from './build-browser.ts';
import { installFromTarball, link, type Project, projectWith } from './testing/project.ts';

/** Tests the package as users get it: the tarball, installed into an empty project. */
const MB = 1e6;
const NO_BROWSER = 'no Chromium is installed: apt-get install chromium, or set CHROMIUM';
let project: Project;

beforeAll(async () => {
  project = await installFromTarball();
});

afterAll(() => rm(dirname(project.folder), { recursive: true }));

/** The oldest supported Node, and the clone's, by version. */
const OLDEST_NODE = '22.13.0';
const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const oldestNode = await installTools('oldest-node', [`${platform}@${OLDEST_NODE}`]);
const programs = oldestNode === undefined ? [] : [join(oldestNode, platform, 'bin/node')];
const NODES = [process.execPath, ...programs].map((program) => ({
  version: execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(),
  env: { PATH: [dirname(program), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) },
}));
/** Where both versions behave the same, only the oldest is tested. */
const OLDEST = NODES.slice(-1);

/** A package that was not tested on its oldest Node, with its types, must not be released. */
function leaveOut(skip: (reason: string) => never): never {
  if (process.env.RELEASE_FOLDER !== undefined) throw new Error(NO_REGISTRY);
  return skip(NO_REGISTRY);
}

/** Runs the suite against a mock; both are started as users do. */
async function check({ env }: (typeof NODES)[number], folder: string, ...options: string[]) {
  const paddock = ['npx', '--no-install', 'openapi-paddock'];
  const { found, stop } = await start(folder, [...paddock, 'mock', '--port', '0'], /base URL +(\S+)/, env);
  try {
    const args = ['check', found[1] as string, '--api-key', 'paddock-dev-key', ...options];
    return await run(folder, [...paddock, ...args], env);
  } finally {
    stop();
  }
}

test('the tests run on the oldest Node of the package, too', ({ skip }) => {
  if (oldestNode === undefined) leaveOut(skip);
  const oldest = JSON.parse(readFileSync(join(project.built, 'package.json'), 'utf8')).engines.node;
  expect(NODES.map(({ version }) => version)).toEqual([process.version, `v${oldest.replace('>=', '')}.0`]);
});

test.for(NODES)('$version: mock and check run in a project with no other package', async (node) => {
  const { code, output } = await check(node, project.folder);
  expect(output).toContain('The contract holds for 3 of 3 operations (8 of 8 responses). (exit 0)');
  expect(output.match(/ covered \d+\/\d+$/gm)).toHaveLength(8);
  expect(code).toBe(0);
});

test.for(OLDEST)(
  '$version: a fresh project: init --yes, then mock and check without a further word',
  async (node) => {
    const folder = await projectWith(project);
    const paddock = ['npx', '--no-install', 'openapi-paddock'];
    const made = await run(folder, [...paddock, 'init', '--yes'], node.env);
    expect(made).toMatchObject({
      code: 0,
      output: expect.stringContaining('paddock.config.yaml is written'),
    });
    // Only the port is changed, since that of the page may be in use on this machine.
    const file = join(folder, 'paddock.config.yaml');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('$schema=./node_modules/openapi-paddock/paddock.schema.json\n');
    await writeFile(file, text.replaceAll('4020', String(await freePort())));
    const { stop } = await start(folder, ['npm', 'run', 'mock'], /base URL[\s\S]*\n\n/, node.env);
    try {
      const env = { ...node.env, PADDOCK_API_KEY: 'paddock-dev-key' };
      const { code, output } = await run(folder, [...paddock, 'check'], env);
      expect(output).toContain('The contract holds for 3 of 3 operations (8 of 8 responses). (exit 0)');
      expect(code).toBe(0);
      const script = await run(folder, [...paddock, 'completion', 'bash'], env);
      expect(script.output).toContain('complete -F _paddock paddock openapi-paddock');
      expect((await run(folder, [...paddock, 'help', 'environment'], env)).output).toContain('PADDOCK_PORT');
    } finally {
      stop();
    }
  },
);

test.for(OLDEST)('$version: judge, mock --from-har and compat', async ({ env }) => {
  const folder = await projectWith(project);
  const paddock = ['npx', '--no-install', 'openapi-paddock'];
  const shipped = join(project.built, 'spec/openapi.yaml');
  const har = join(ROOT, 'fixtures/har/shop.har');
  const judged = await run(folder, [...paddock, 'judge', har, '--document', shipped], env);
  expect(judged.output).toContain('6 judged');
  expect(judged.code).toBe(1);
  const play = [...paddock, 'mock', shipped, '--port', '0', '--from-har', har];
  const { found, stop } = await start(folder, play, /recorded +(.*)/, env);
  stop();
  expect(found[1]).toBe('/pets  3 records');
  const changed = (await readFile(shipped, 'utf8')).replace('maximum: 100', 'maximum: 50');
  await writeFile(join(folder, 'next.yaml'), changed);
  const compared = await run(folder, [...paddock, 'compat', shipped, 'next.yaml'], env);
  expect(compared.output).toContain('NEW breaks clients of OLD. (exit 1)');
  expect(compared.code).toBe(1);
});

test.for(OLDEST)('$version: the proxy passes a request on', async ({ env }) => {
  const paddock = ['npx', '--no-install', 'openapi-paddock'];
  const { folder } = project;
  const mock = await start(folder, [...paddock, 'mock', '--port', '0'], /base URL +(\S+)/, env);
  const target = mock.found[1] as string;
  try {
    const proxied = [...paddock, 'proxy', target, '--port', '0'];
    const proxy = await start(folder, proxied, /base URL +(\S+)/, env);
    try {
      const { status } = await fetch(`${proxy.found[1]}/pets`, {
        headers: { authorization: 'Bearer paddock-dev-key' },
      });
      expect(status).toBe(200);
    } finally {
      proxy.stop();
    }
  } finally {
    mock.stop();
  }
});

test.for(NODES)('$version: each entry point and each file of the package loads', async ({ env }) => {
  const { exports } = JSON.parse(readFileSync(join(project.built, 'package.json'), 'utf8'));
  // The entry points for test runners can only be loaded by their workers.
  const names = Object.keys(exports)
    .filter((name) => name !== './vitest' && name !== './playwright')
    .map((name) => name.replace('.', 'openapi-paddock'));
  const chunks = await readdir(join(project.built, 'chunks'));
  expect([names.length, chunks.length > 30]).toEqual([8, true]);
  const files = chunks.map((name) => `./node_modules/openapi-paddock/chunks/${name}`);
  const program = `for (const one of ${JSON.stringify([...names, ...files])}) await import(one);`;
  await writeFile(join(project.folder, 'load.js'), program);
  expect(await run(project.folder, ['node', '--no-warnings', 'load.js'], env)).toEqual({
    code: 0,
    output: '',
  });
});

test.for(NODES)('$version: a body of a HAR that is compressed with zstd', async ({ env, version }) => {
  const text = zstdCompressSync('[{"id":1,"name":"Joey","categoryId":9}]').toString('base64');
  const headers = ['Content-Encoding: zstd', 'Content-Type: application/json'].map((line) => {
    const [name, value] = line.split(': ');
    return { name, value };
  });
  const entry = {
    startedDateTime: '2026-03-04T05:06:07.000Z',
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    response: { status: 200, headers, content: { size: 39, text, encoding: 'base64' } },
  };
  // The content of some HAR entries is not compressed although the header says so.
  const decoded = {
    ...entry,
    response: {
      ...entry.response,
      content: { text: Buffer.from('[]').toString('base64'), encoding: 'base64' },
    },
  };
  const file = join(project.folder, `zstd-${version}.har`);
  await writeFile(file, JSON.stringify({ log: { version: '1.2', entries: [entry, decoded] } }));
  const program = `import { createTally, readHar } from 'openapi-paddock/har';
    const tally = createTally();
    for await (const item of readHar(process.argv[1])) {
      tally.add(item);
      console.log(item.response.bodyMissing, Buffer.from(item.response.body).toString());
    }
    console.log(tally.lines().join('\\n'));`;
  const said = await run(project.folder, ['node', '--input-type=module', '--eval', program, file], env);
  const shown =
    version === process.version
      ? 'false [{"id":1,"name":"Joey","categoryId":9}]\nfalse []\nbodies that the file has compressed: decoded here: 1 (first: entry 1, line 1)\n'
      : 'true \nfalse []\nbodies compressed with zstd, which this version of Node cannot decompress: left out (Node 22.15 or newer reads them): 1 (first: entry 1, line 1)\n';
  expect(said).toEqual({ code: 0, output: expect.stringContaining(shown) });
});

test('the console works from the package', async (context) => {
  if (!CHROMIUM) {
    process.stderr.write(`skipped: ${NO_BROWSER}\n`);
    return context.skip(NO_BROWSER);
  }
  const paddock = ['npx', '--no-install', 'openapi-paddock', 'mock', '--port', '0'];
  const { found, stop } = await start(project.folder, paddock, /base URL +(\S+)/);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(new URL('/', found[1]).href);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByRole('table').waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    stop();
  }
});

test('it is below 30 MB, and installs neither a test runner nor an outside judge', async () => {
  const modules = join(project.folder, 'node_modules');
  const files = await readdir(modules, { recursive: true, withFileTypes: true });
  const sizes = files.map(async (file) => (await stat(join(file.parentPath, file.name))).size);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total / MB).toBeLessThan(30);
  const folders = files.filter((file) => file.isDirectory());
  // Packages contain folders of their own, such as that of the entry point for Playwright.
  const names = folders
    .filter(({ parentPath }) => /node_modules(?:\/@[^/]+)?$/.test(parentPath))
    .map(({ name }) => name);
  expect(names).toContain('openapi-paddock');
  expect(names.filter((name) => /vitest|prism|dredd|playwright|^msw$/.test(name))).toEqual([]);
});

test('the tarball contains the code, its types, and the files that they need; nothing else', async () => {
  const { output } = await run(project.folder, ['tar', '-tzf', project.tarball]);
  const files = output
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
  const expected =
    /^(?:brand|browser|certificates|chunks|cli|compat|contract-tests|devtools|forwarder|mock|spec|traffic)\/[\w/.-]+\.(?:js|d\.ts|cjs|d\.cts)$|^console\/[\w/-]+\.(?:js|css)$/;
  expect(files.filter((file) => !expected.test(file)).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'brand/mark.svg',
    'brand/palette.css',
    'browser/licences.txt',
    'cli/completion/paddock.bash',
    'cli/completion/paddock.fish',
    'cli/completion/paddock.zsh',
    'console/index.html',
    'console/proxy.html',
    'console/reference.html',
    'devtools/licences.txt',
    'package.json',
    'paddock.schema.json',
    'report.schema.json',
    'spec/openapi.yaml',
    'x-paddock.schema.json',
  ]);
  expect(files.filter((file) => /[.]test\.|\/testing\/|\/mutants\//.test(file))).toEqual([]);
  const chunks = BROWSER_FILES.filter((file) => file !== 'index.js').map((file) => `browser/${file}`);
  const code = files.filter((file) => /^(?!console\/|chunks\/).*\.c?js$/.test(file));
  const typed = code.filter((file) => !chunks.includes(file));
  expect(typed.sort()).toEqual([
    'browser/index.js',
    'cli/configuration/define-config.js',
    'cli/paddock.js',
    'cli/program.js',
    'devtools/index.js',
    'mock/factories/index.js',
    'mock/index.js',
    'mock/matchers/index.js',
    'mock/matchers/vitest.js',
    'mock/playwright/index.js',
    'traffic/check.js',
    'traffic/har/index.js',
  ]);
  const types = typed.map((file) => file.replace(/\.(c?)js$/, '.d.$1ts'));
  expect(types.filter((file) => !files.includes(file))).toEqual([]);
});

test('each file that a page of the console names is served from the package', async () => {
  const paddock = ['npx', '--no-install', 'openapi-paddock', 'mock', '--port', '0'];
  const { found, stop } = await start(project.folder, paddock, /console +(\S+)\/$/m);
  try {
    for (const path of ['/', '/reference']) {
      const page = await (await fetch(`${found[1]}${path}`)).text();
      const files = [...page.matchAll(/(?:src|href)="([^"]+)"|"\.\/([^"]+\.mjs)"/g)];
      expect(files.length).toBeGreaterThan(5);
      for (const [, file, library] of files) {
        const { status } = await fetch(`${found[1]}/${file ?? library}`);
        expect([file ?? library, status]).toEqual([file ?? library, 200]);
      }
    }
  } finally {
    stop();
  }
});

test('the build prints where the package is, and no warning', () => {
  const { RELEASE_FOLDER: made } = process.env;
  expect(project.printed).toMatch(made ? /^$/ : /^The package is in \S+\. A tarball of it: npm pack \S+\n$/);
});

test('publint has no suggestion', async () => {
  const { messages, pkg } = await publint({ pkgDir: project.built, strict: true, pack: 'npm' });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

/** Part of the report of are-the-types-wrong. */
interface TypeAnalysis {
  readonly analysis: {
    readonly entrypoints: Readonly<
      Record<string, { readonly resolutions: Readonly<Record<string, Resolved>> }>
    >;
  };
}

interface Resolved {
  readonly resolution?: { readonly isTypeScript: boolean };
}

test('are-the-types-wrong finds no problem', async ({ skip }) => {
  const tools = await installTools('types', ['@arethetypeswrong/cli@0.18.5']);
  if (tools === undefined) return leaveOut(skip);
  // JSON, because the layout of its tables depends on the width of the terminal.
  const options = ['--profile', 'esm-only', '--format', 'json'];
  const { code, output } = await run(project.folder, [join(tools, '.bin/attw'), project.tarball, ...options]);
  const { analysis } = JSON.parse(output) as TypeAnalysis;
  for (const mode of ['node16-esm', 'bundler'])
    expect(
      Object.entries(analysis.entrypoints).map(([name, { resolutions }]) => [
        name,
        resolutions[mode]?.resolution?.isTypeScript,
      ]),
    ).toEqual([
      ['./mock', true],
      ['./browser', true],
      ['./devtools', true],
      ['./check', true],
      ['./har', true],
      ['./config', true],
      ['./factories', true],
      ['./matchers', true],
      ['./vitest', true],
      ['./playwright', true],
    ]);
  expect(code).toBe(0);
});

test.each([['nodenext'], ['esnext', '--moduleResolution', 'bundler']])(
  'types for a user of %s',
  async (...mode) => {
    const { folder } = project;
    await copyFile(join(ROOT, 'release/packaging/testing/use-of-types.txt'), join(folder, 'use.ts'));
    const strict = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--types', ''];
    const platform = ['--target', 'esnext', '--lib', 'esnext,dom,dom.iterable', '--module', ...mode];
    expect(await run(folder, ['tsc', ...strict, ...platform, 'use.ts'])).toEqual({ code: 0, output: '' });
  },
);

/** Library code that depends on the version of Node: routes, patterns, SQLite files. */
const PROGRAM = `
import { createMock } from 'openapi-paddock/mock';
import { check } from 'openapi-paddock/check';
const document = 'node_modules/openapi-paddock/spec/openapi.yaml';
const mock = await createMock({ document, port: 0, store: 'file:records.sqlite' });
const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
const body = '{"name":"Tom","categoryId":9007199254740993}';
console.log(await (await fetch(mock.url + '/pets', { method: 'POST', headers, body })).text());
let run = check({ target: mock.url, document, apiKey: 'paddock-dev-key' });
let step = await run.next();
while (!step.done) step = await run.next();
console.log(step.value.verdict);
await mock.close();
`;

test.for(OLDEST)('$version: the library, with a database', async ({ env, version }) => {
  await writeFile(join(project.folder, 'program.js'), PROGRAM);
  const { code, output } = await run(project.folder, ['node', 'program.js'], env);
  await Promise.all(
    ['', '-wal', '-shm'].map((end) => rm(join(project.folder, `records.sqlite${end}`), { force: true })),
  );
  const said = output.replace(/^\(node:.*\n|^\(Use `node --trace.*\n/gm, '');
  expect([version, said]).toEqual([version, '{"id":51,"name":"Tom","categoryId":9007199254740993}\nholds\n']);
  expect(code).toBe(0);
});

test.for(OLDEST)('$version: a configuration file', async ({ env, version }) => {
  const folder = join(project.folder, `configured-${version}`);
  await mkdir(join(folder, '.git'), { recursive: true });
  const program = join(project.folder, 'node_modules/openapi-paddock/cli/paddock.js');
  const mock = (options: readonly string[] = [], more: NodeJS.ProcessEnv = {}) =>
    run(folder, ['node', program, 'mock', '--explain', ...options], { ...env, ...more });
  const file = join(folder, 'paddock.config.ts');
  await writeFile(
    file,
    `import { defineConfig } from 'openapi-paddock/config';
    export default defineConfig({ document: '../node_modules/openapi-paddock/spec/openapi.yaml' as const });`,
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const { output } = await mock();
  if (version.startsWith('v22'))
    expect(output).toBe(
      'error: paddock.config.ts: Node 22.13.0 does not run TypeScript by itself, as from 22.18 on: set NODE_OPTIONS=--experimental-strip-types, or write paddock.config.yaml in its place\n',
    );
  const stripping = await mock([], { NODE_OPTIONS: '--experimental-strip-types --no-warnings' });
  expect(stripping.output).toContain('/node_modules/openapi-paddock/spec/openapi.yaml:');
  await rm(file);
  await writeFile(join(folder, 'paddock.config.yaml'), 'mock: { prot: 4010 }');
  expect(await mock()).toEqual({
    code: 2,
    output: 'error: paddock.config.yaml:1:9: mock.prot: there is no such option here: did you mean "port"?\n',
  });
  const { output: told } = await mock(['--config', 'none']);
  expect(told).toContain('GET /pets');
  const schema = join(project.folder, 'node_modules/openapi-paddock/paddock.schema.json');
  expect(JSON.parse(await readFile(schema, 'utf8')).title).toBe('Configuration of Paddock');
});

/** Runs a command as if this was Node 20. */
function runOnOldNode(...args: string[]) {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`;
  const preload = `data:text/javascript,${encodeURIComponent(older)}`;
  return run(project.folder, [process.execPath, '--import', preload, ...args]);
}

const TOO_OLD = 'Paddock needs Node 22.13 or newer, and this is Node 20.19.0';

test('an older Node gets a message with the required version', async () => {
  const program = join(project.folder, 'node_modules/openapi-paddock/cli/paddock.js');
  expect(await runOnOldNode(program, 'mock')).toEqual({ code: 2, output: `error: ${TOO_OLD}\n` });
});

test.each(['mock', 'check'])('an older Node gets it when it imports openapi-paddock/%s', async (entry) => {
  const program = `import('openapi-paddock/${entry}').catch((error) => console.log(String(error)))`;
  expect(await runOnOldNode('--eval', program)).toEqual({ code: 0, output: `Error: ${TOO_OLD}\n` });
});

/** The examples for front ends, and the tools that they import. */
const page = await readFile(join(ROOT, 'docs/front-end.md'), 'utf8');
const blocks = [...page.matchAll(/^```ts\n(?:\/\/ (\S+)\n)?(.*?)^```/gms)].map(([, file, text = '']) => ({
  file,
  text,
}));
const examples = blocks
  .filter(({ file }) => file === undefined)
  .map(({ text }) => ({ text, tools: ['msw'].filter((tool) => text.includes(`'${tool}`)) }));

test('there is an example for vitest, one for msw and one for Playwright', () => {
  expect(examples.map(({ tools }) => tools)).toEqual([[], ['msw']]);
  expect(blocks.flatMap(({ file }) => file ?? [])).toEqual(['playwright.config.ts', 'pets.spec.ts']);
});

/** The program that `npx playwright` runs. */
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
/** Strict type checking, with the types of Node. */
const STRICT = '--strict --noEmit --skipLibCheck --target esnext --module nodenext --types node'.split(' ');

test.for(OLDEST)(
  '$version: Playwright, of which two workers share a mock',
  async ({ env, version }, { skip }) => {
    skip(!CHROMIUM, NO_BROWSER);
    const folder = await projectWith(project, '@types', '@playwright', 'playwright', 'playwright-core');
    // Node resolves imports from a module's real path, not from that of a link to it.
    const installed = join(folder, 'node_modules/openapi-paddock');
    await rm(installed);
    await cp(join(project.folder, 'node_modules/openapi-paddock'), installed, { recursive: true });
    await copyFile(
      join(folder, 'node_modules/openapi-paddock/spec/openapi.yaml'),
      join(folder, 'openapi.yaml'),
    );
    const port = String(await freePort());
    const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]));
    for (const [file, text] of files) await writeFile(join(folder, file), text.replaceAll('4020', port));
    expect(await run(folder, ['tsc', ...STRICT, ...files.map(([file]) => file)])).toEqual({
      code: 0,
      output: '',
    });
    const options = ['--workers', '2', '--repeat-each', '2', '--reporter', 'line'];
    const { code, output } = await run(folder, ['node', PLAYWRIGHT, 'test', ...options], {
      ...env,
      CHROMIUM,
      PADDOCK_PORT: port,
    });
    expect([version, output]).toEqual([version, expect.stringContaining('Running 6 tests using 2 workers')]);
    expect(output).toContain('6 passed');
    expect(code).toBe(0);
  },
);

test.for(examples)('the example with $tools', async ({ text, tools }, context) => {
  const folder = await projectWith(project, '@types', 'vitest');
  if (tools.includes('msw')) {
    const modules = await installMsw();
    if (modules === undefined) return leaveOut(context.skip);
    await link(modules, folder, 'msw');
  }
  await mkdir(join(folder, 'spec'));
  const shipped = join(folder, 'node_modules/openapi-paddock/spec/openapi.yaml');
  await copyFile(shipped, join(folder, 'spec/openapi.yaml'));
  const file = join(folder, 'example.test.ts');
  await writeFile(file, text);
  expect(await run(folder, ['tsc', ...STRICT, file])).toEqual({ code: 0, output: '' });
  for (const { env, version } of OLDEST) {
    const { code, output } = await run(folder, ['vitest', 'run'], env);
    expect([version, output]).toEqual([version, expect.stringMatching(/Tests +1 passed/)]);
    expect(code).toBe(0);
  }
});
