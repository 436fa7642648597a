import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM, launchChromium } from '../../quality/testing/chromium.ts';
import { ROOT, run, start } from '../../quality/testing/command.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { blocksOf, exitCodeIn, PAGES, shownAs } from '../../quality/testing/printed-commands.ts';

/**
 * Runs the commands of each page for users step by step in an empty folder, with free ports instead of those in the
 * text.
 */
const stepsOf = (page: string) =>
  blocksOf(page)
    .filter(({ place }) => place === 'project' || place === 'file')
    .flatMap(({ steps }) => steps);
const USED = PAGES.filter((page) => blocksOf(page).some(({ place }) => place === 'project'));

/** The installation on many pages runs once; a link to its packages saves npm's work on each page. */
const PRINTED_INSTALL = 'npm install --save-dev ../paddock/openapi-paddock-*.tgz';
const INSTALL = 'cp ../installed/package.json . && ln -s ../installed/node_modules';
const DOCUMENT = 'cp node_modules/openapi-paddock/spec/openapi.yaml openapi.yaml';
const MOCK = 'npx openapi-paddock mock openapi.yaml &';

/** What a reader has before the first command of a page; no entry: nothing. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  'docs/ci.md': [INSTALL, DOCUMENT, MOCK],
  'docs/compat.md': [
    INSTALL,
    DOCUMENT,
    'git init --quiet --initial-branch=main && git add openapi.yaml',
    'git -c user.name=u -c user.email=u@localhost commit --quiet --message=First',
  ],
  'docs/configuration.md': [INSTALL, DOCUMENT, "echo 'records: {}' > seed.yaml && echo '[]' > known.yaml"],
  'docs/getting-started.md': [INSTALL],
  'docs/https.md': [
    INSTALL,
    DOCUMENT,
    'openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout server.key -out server.pem',
  ],
  'docs/own-code.md': [INSTALL, DOCUMENT],
  'docs/hooks.md': [INSTALL],
  'docs/proxy.md': [INSTALL, DOCUMENT, MOCK],
  'docs/typed-clients.md': [
    `cp -r ../installed/. . && mkdir spec && ${DOCUMENT.replace(/ openapi.yaml$/, ' spec')}`,
  ],
};

/** For npm in these projects. */
const NPM = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  // npm passes settings of the clone's .npmrc to the programs that it runs there.
  npm_config_strict_allow_scripts: 'false',
};

/**
 * A folder with a clone and its tarball, made by the commands of README.md, and a project with the package; others are
 * beside them.
 */
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'printed-'));
  const clone = join(home, 'paddock');
  const unneeded = /^(?:node_modules|\.git|dist|dist-docs|\.linters|.*\.tgz)$/;
  await cp(ROOT, clone, { recursive: true, filter: (path) => !unneeded.test(basename(path)) });
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'dir');
  const build = blocksOf('README.md').find(({ first }) => first === 'npm run build');
  for (const step of build?.steps ?? []) await succeed(clone, 'command' in step ? step.command : '');
  await mkdir(join(home, 'installed'));
  await succeed(join(home, 'installed'), PRINTED_INSTALL, NPM);
});

afterAll(() => rm(home, { recursive: true }));

async function succeed(folder: string, command: string, env?: NodeJS.ProcessEnv) {
  const { code, output } = await run(folder, ['sh', '-c', command], env);
  expect({ command, code, output }).toEqual({ command, code: 0, output });
}

describe.for(USED)('%s', (page) => {
  const steps = stepsOf(page);
  const stops: (() => void)[] = [];
  let folder: string;
  let moved: (text: string) => string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(home, 'project-'));
    const ports = Object.fromEntries(
      await Promise.all(['4020', '4030', '8080'].map(async (port) => [port, String(await freePort())])),
    );
    moved = (text) => text.replace(/\b(?:4020|4030|8080)\b/g, (port) => ports[port]);
    env = {
      PADDOCK_PORT: ports['4020'],
      ...(page === 'docs/ci.md' && {
        STAGING_URL: moved('http://127.0.0.1:4020/v1'),
        PADDOCK_API_KEY: 'paddock-dev-key',
      }),
      // Leaves the certificates of the user who runs the tests unchanged.
      XDG_CACHE_HOME: join(folder, '.cache'),
      ...NPM,
    };
    for (const command of GIVEN[page] ?? []) {
      if (command.endsWith(' &')) await startServer(command, /base URL/);
      else await succeed(folder, command, env);
    }
  });

  afterAll(() => {
    for (const stop of stops) stop();
  });

  async function startServer(command: string, shown: RegExp) {
    const server = await start(folder, ['sh', '-c', `exec ${command.slice(0, -2)}`], shown, env);
    stops.push(server.stop);
  }

  test.for(steps.map((step) => ['file' in step ? `writes ${step.file}` : step.command, step] as const))(
    '%s',
    async ([, step]) => {
      if ('file' in step) {
        const place = join(folder, step.file);
        await mkdir(dirname(place), { recursive: true });
        return writeFile(place, moved(step.text));
      }
      const shown = shownAs(moved(step.shown));
      const command = step.command === PRINTED_INSTALL ? INSTALL : moved(step.command);
      if (command.endsWith(' &')) return startServer(command, shown);
      const { code, output } = await run(folder, ['sh', '-c', command], env);
      expect(output).toMatch(shown);
      expect({ output, code }).toEqual({ output, code: exitCodeIn(step.shown) });
    },
  );

  if (steps.some((step) => 'file' in step && step.file === 'index.html'))
    test('its page shows what is added, in Chromium', async (context) => {
      if (!CHROMIUM) return context.skip('no Chromium is installed');
      const browser = await launchChromium();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      await page.getByRole('listitem').first().waitFor();
      await page.getByLabel('Name').fill('Florentine');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Florentine' }).waitFor();
    });
});
