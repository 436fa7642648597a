import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openSuite } from './check.ts';

const DOCUMENT = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const TARGET = 'http://127.0.0.1:1/v1';
const respond = async () => new Response('[]', { headers: { 'Content-Type': 'application/json' } });

/** The first case is as the document says, and another one has no end. */
const STUCK = `
  import { openSuite } from ${JSON.stringify(new URL('check.ts', import.meta.url).href)};
  const respond = ${respond};
  const options = { target: '${TARGET}', document: ${JSON.stringify(DOCUMENT)}, fetch: respond, apiKey: 'x' };
  const { suite } = await openSuite({ ...options, only: '^listPets/200/(ordinary|distinct-ids)$', examples: 0 });
  const second = suite.cases.find(({ id }) => id === 'listPets/200/distinct-ids');
  Object.assign(second, { run: () => new Promise(() => undefined) });
  for await (const event of suite.executeAll()) ;
  const { verdict, exitCode, reason } = await suite.finish();
  console.log(JSON.stringify({ verdict, exitCode, reason }));
`;

test('a run with a case that waits for nothing ends when nothing is left to happen, with a report', async () => {
  const args = ['--input-type=module', '--eval', STUCK];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'incomplete',
    exitCode: 4,
    reason: expect.stringContaining('nothing was left to happen'),
  });
});

test('a case that has no end is not waited for when the time of the run is over', async () => {
  const given = { target: TARGET, document: DOCUMENT, fetch: respond, apiKey: 'x', maxTime: 1, timeout: 1 };
  const { suite } = await openSuite(given);
  const [first] = suite.cases;
  Object.assign(first ?? {}, { run: () => new Promise(() => undefined) });
  for await (const _ of suite.executeAll());
  const { cases } = await suite.finish();
  expect(cases).toHaveLength(suite.cases.length);
  expect(cases[0]).toMatchObject({ outcome: 'not reached', reason: '--max-time 1 is over' });
});

test('cases that send nothing leave the process a turn, in which it can be interrupted', async () => {
  const controller = new AbortController();
  const given = {
    target: TARGET,
    document: DOCUMENT,
    fetch: respond,
    apiKey: 'x',
    jobs: 1,
    signal: controller.signal,
  };
  const { suite } = await openSuite(given);
  for (const one of suite.cases) Object.assign(one, { run: async () => undefined });
  Object.assign(suite.cases[0] ?? {}, { run: async () => void setImmediate(() => controller.abort()) });
  for await (const _ of suite.executeAll());
  const { cases } = await suite.finish();
  expect(cases.filter(({ reason }) => reason === 'interrupted').length).toBeGreaterThan(cases.length / 2);
});

/** Its cases take more than one turn of the event loop. */
const LARGE = {
  openapi: '3.1.1',
  info: { title: 'A service', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: 150 }, (_, number) => {
      const names = Array.from({ length: 20 }, (_, member) => [`member${member}`, { type: 'integer' }]);
      const schema = { type: 'object', properties: Object.fromEntries(names) };
      const requestBody = { content: { 'application/json': { schema } } };
      return [`/things${number}`, { post: { requestBody, responses: { 201: { description: 'made' } } } }];
    }),
  ),
};

test('the cases of a large document are made no further when the run is interrupted', async () => {
  const document = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'large.json');
  await writeFile(document, JSON.stringify(LARGE));
  const options = { target: TARGET, document, fetch: respond };
  const { suite: whole } = await openSuite(options);
  const { suite } = await openSuite({ ...options, signal: AbortSignal.abort() });
  expect(suite.cases.length).toBeLessThan(whole.cases.length);
  for await (const _ of suite.executeAll());
  expect(await suite.finish()).toMatchObject({ exitCode: 4, reason: 'interrupted' });
});
