import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, ROOT, run as runIn, start as startIn } from '../quality/testing/command.ts';
import { freePort } from '../quality/testing/free-port.ts';
import { blocksOf, NOT_RUN, PAGES as PRINTING, shownAs } from '../quality/testing/printed-commands.ts';

/** Runs every command of the README and the pages that is meant for a clone, with free ports in place of the printed ones. */
const readText = (file: string) => readFile(join(ROOT, file), 'utf8');
const README = await readText('README.md');
const TEXTS = await Promise.all(PRINTING.map(readText));
/** Each command, with its printed output. */
const sessionOf = (file: string) =>
  blocksOf(file)
    .filter(({ place }) => place === 'clone')
    .flatMap(({ steps }) => steps.flatMap((step) => ('command' in step ? step : [])));
const PAGES = PRINTING.map((file) => ({ file, session: sessionOf(file) }));
const PORT = '4020';
const PRISM_PORT = '4010';
const port = String(await freePort());
const prismPort = String(await freePort());
const scripts = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).scripts as Record<
  string,
  string
>;
const stops: (() => void)[] = [];

/** A copy of the clone made of links, which keeps files of commands out of the clone. */
let linked: string;

/** Runs a line in a shell, as npm runs scripts. */
function run(line: string, env: Record<string, string> = {}): Promise<Ended> {
  return runIn(line.includes(' --output ') ? linked : ROOT, ['sh', '-c', moved(line)], env);
}

/** The text with free ports. */
function moved(text: string): string {
  // In one pass, and only whole numbers, as a free port may contain another one's digits.
  return text.replace(/\b(?:4020|4010)\b/g, (number) => (number === PORT ? port : prismPort));
}

/** Starts a server, and returns its output up to the ready line. */
async function start(line: string, ready: RegExp, env: Record<string, string> = {}): Promise<string> {
  const { found, stop } = await startIn(ROOT, ['sh', '-c', line], ready, env);
  stops.push(stop);
  return found.input;
}

function blocks(language: string, page: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text = '']) => text,
  );
}

const isServer = (command: string) => command === 'npm start';
let started = '';

beforeAll(async () => {
  linked = await mkdtemp(join(tmpdir(), 'clone-'));
  for (const name of await readdir(ROOT)) await symlink(join(ROOT, name), join(linked, name));
  started = await start('npm start', /stateful[\s\S]*\n\n/, { PADDOCK_PORT: port });
  await start(`npm run prism -- --port ${prismPort}`, /Prism is listening/);
});

afterAll(async () => {
  for (const stop of stops) stop();
  await rm(linked, { recursive: true });
});

test('what npm start prints', () => {
  const [shown] = sessionOf('README.md').filter(({ command }) => isServer(command));
  expect(started).toMatch(shownAs(moved(shown?.shown ?? '')));
});

test('the curl line that npm start prints answers 200', async () => {
  const [, line = ''] = /^ *try +(curl .*)$/m.exec(started) ?? [];
  const { output } = await run(`${line} -s -o /dev/null -w '%{http_code}'`);
  expect(output).toBe('200');
});

describe.for(PAGES.filter(({ session }) => session.length > 0))('$file', ({ session }) => {
  beforeAll(async () => {
    // Each page begins in the state of a mock that was just started.
    expect((await run(`curl -sf -X POST http://127.0.0.1:${PORT}/__admin/reset`)).code).toBe(0);
  });

  test.for(session.filter(({ command }) => !isServer(command)))('$command', async ({ command, shown }) => {
    const { code, output } = await run(command);
    expect(output).toMatch(shownAs(moved(shown)));
    expect(code).toBe(0);
  });
});

test('the first two commands are npm ci, without which no test runs, and one of the session', () => {
  expect(blocks('sh', README)[0]).toBe('npm ci\nnpm start\n');
});

test('npm start -- another document, and --help all', async () => {
  const other = await start('npm start -- spec/openapi.yaml --port 0', /base URL +http/);
  expect(other).toContain('base URL');
  expect(await run('npm start -- --help all')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Examples:'),
  });
});

test('each printed block of commands is run by a test, or listed with the reason why not', () => {
  const blocks = PRINTING.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));
  const listed = blocks.filter(({ place }) => place === 'not run');
  expect(listed.map(({ page, first }) => [page, first])).toEqual(
    Object.entries(NOT_RUN)
      .sort()
      .flatMap(([page, reasons]) => Object.keys(reasons).map((first) => [page, first])),
  );
  // release/site/printed-commands.nightly.test.ts runs the project's commands, this test the clone's.
  expect(blocks.filter(({ place, steps }) => place !== 'not run' && steps.length === 0)).toEqual([]);
  expect(blocks.filter(({ place }) => place === 'project').length).toBeGreaterThan(20);
  expect(blocks.filter(({ place }) => place === 'clone').length).toBeGreaterThan(15);
});

test('every option in the tables exists', async () => {
  const verbs = ['mock', 'check', 'judge', 'proxy', 'compat', 'learn'];
  const helps = verbs.map((verb) => run(`npm run --silent paddock -- ${verb} --help all`));
  const help = (await Promise.all(helps)).map(({ output }) => output).join('');
  const text = TEXTS.join('');
  const named = [...text.matchAll(/^\| (`--.*?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/--[a-z-]+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  for (const option of named) expect(help).toContain(option);
});

test('Prism listens where the page says', async () => {
  expect(await readText('docs/comparison.md')).toContain(
    `\`npm run prism\` starts Prism's mock on port ${PRISM_PORT}`,
  );
  // A port in the script would be a second one beside the user's.
  expect(scripts.prism).toBe('prism mock spec/openapi.yaml');
  expect((await run('npm run prism -- --help')).output).toMatch(
    new RegExp(`--port .*\\[default: ${PRISM_PORT}\\]`),
  );
});
