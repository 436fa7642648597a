import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { loadContract, stringifyJson } from '#spec';
import type { CheckOptions } from '../settings/check-options.ts';
import { resolveSettings } from '../settings/settings.ts';
import { asHtml, textOf } from '../testing/build-of.ts';
import { findingsOf } from '../testing/found.ts';
import { reportOf } from '../testing/report-on.ts';
import { ask } from '../testing/steps.ts';
import { renderGithub } from './annotations.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';
import { counts } from './verdict.ts';

const KIOSK = fileURLToPath(new URL('../testing/kiosk.yaml', import.meta.url));
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const papers = [{ id: 1, name: 'Post', pages: 8, editor: 'Ann', daily: true }];
const sweets = [{ id: 1, colour: 'red', price: 3 }];

type Answer = { readonly status: number; readonly body?: unknown };

/** A kiosk that lists, and answers anything else, and invalid input, in ways of its own. */
async function startKiosk(other: (path: string, query: URLSearchParams) => Answer | undefined) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const { status, body } = other(pathname, searchParams) ?? {
      status: 200,
      body: pathname.endsWith('sweets') ? sweets : papers,
    };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const LISTS: Partial<CheckOptions> = { writes: false, only: '^list', settle: 0, jobs: 1, retries: 0 };

/** Invalid input is answered 422, where the document has 400. */
const isInvalid = (query: URLSearchParams) =>
  [...query].some(([name, value]) =>
    name === 'limit' ? !/^([1-9]\d?|100)$/.test(value) : !/^(true|false)$/.test(value),
  );
const elsewhere = (_: string, query: URLSearchParams): Answer | undefined =>
  isInvalid(query) ? { status: 422, body: 'invalid' } : undefined;
/** Neither list filters: nothing of that is said here. */
const NO_FILTER = { ...LISTS, only: ['^list', '!daily|sour|limit|page'] };
const KNOWN_ROOT = 'invalid-refused/422-for-400';

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), name);
  await writeFile(file, text);
  return file;
}

test('another status for invalid input is one cause, and one line of --known accepts it', async () => {
  const target = await startKiosk(elsewhere);
  const run = { target, document: KIOSK, ...LISTS, only: '^list\\w+/(400/|200/ordinary$)' };
  const report = await reportOf(run);
  const [cause, ...others] = report.causes;
  expect(others).toEqual([]);
  expect(cause).toMatchObject({
    key: KNOWN_ROOT,
    title: `422 where only 400 is documented for invalid input: ${cause?.count} requests, 2 operations`,
    operations: expect.arrayContaining(['listPapers', 'listSweets']),
    gates: true,
    statuses: expect.arrayContaining([
      { operationId: 'listPapers', status: 422, count: 10 },
      { operationId: 'listSweets', status: 422, count: 4 },
    ]),
  });
  expect(
    cause?.instances
      .map(({ operationId }) => operationId)
      .slice(0, 2)
      .sort(),
  ).toEqual(['listPapers', 'listSweets']);
  expect(cause?.instances).toHaveLength(3);
  expect(new Set(report.findings.map(({ key }) => key)).size).toBe(2);
  expect(new Set(report.findings.map(({ root }) => root))).toEqual(new Set([KNOWN_ROOT]));
  expect(JSON.parse(renderSarif(report)).runs[0].results).toHaveLength(1);
  expect(renderGithub(report).match(/^::error file=/gm)).toHaveLength(1);

  const known = await fileOf('known.yaml', `- { key: ${KNOWN_ROOT}, until: 2999-12-31 }\n`);
  const accepted = await reportOf({ ...run, known });
  expect(accepted.causes).toMatchObject([{ gates: false, knownUntil: '2999-12-31' }]);
  expect(accepted.findings.every(({ gates }) => !gates)).toBe(true);
  expect(accepted.verdict).not.toBe('broken');
  expect(accepted.notices).toEqual([]);

  const over = await fileOf('known.yaml', `- { key: ${KNOWN_ROOT}, until: 2020-12-31 }\n`);
  const expired = await reportOf({ ...run, known: over });
  expect(expired.verdict).toBe('broken');
  expect(expired.notices.map(({ text }) => text).join()).toContain('it expired on 2020-12-31');
});

test('the key of one finding accepts that alone', async () => {
  const target = await startKiosk(elsewhere);
  const run = { target, document: KIOSK, ...LISTS, only: '^list\\w+/(400/|200/ordinary$)' };
  const [key] = (await reportOf(run)).findings.map((one) => one.key);
  const known = await fileOf('known.yaml', `- { key: '${key}', until: 2999-12-31 }\n`);
  const { findings, causes, verdict } = await reportOf({ ...run, known });
  expect(new Set(findings.filter(({ gates }) => !gates).map((one) => one.key))).toEqual(new Set([key]));
  expect([causes[0]?.gates, verdict]).toEqual([true, 'broken']);
});

test('what the document is silent on gates with --strict statuses only', async () => {
  const contract = await loadContract(KIOSK);
  const found = findingsOf(contract, {
    'listPapers/200/a': [ask('listPapers', {}, 403, 'no')],
    'createPaper/201/a': [ask('createPaper', { body: { name: 'Post' } }, 409, 'no')],
    // It is no matter of rules that a document may leave out.
    'listSweets/200/a': [ask('listSweets', {}, 418, 'no')],
  });
  const settings = (isStrict: boolean) =>
    resolveSettings({
      target: 'http://localhost',
      document: KIOSK,
      strict: isStrict ? ['statuses'] : [],
    });
  const gating = (isStrict: boolean) => found.map((one) => counts(one, settings(isStrict)));
  expect(gating(false)).toEqual([false, false, true]);
  expect(gating(true)).toEqual([true, true, true]);
});

test('of a minified document a report shows the part that is meant, indented, and its column', async () => {
  const { document } = await loadContract(KIOSK);
  const minified = await fileOf('kiosk.json', stringifyJson(document.root.value));
  const target = await startKiosk((path) =>
    path.endsWith('papers') ? { status: 200, body: [{ id: 1 }] } : undefined,
  );
  const report = await reportOf({
    target,
    document: minified,
    ...NO_FILTER,
    only: 'listPapers/200/ordinary',
  });
  const [finding] = report.findings;
  expect(report.findings).toHaveLength(1);
  expect(finding).toMatchObject({ at: `${minified}:1`, pointer: '/components/schemas/Paper/required/0' });
  for (const { text } of finding?.source ?? []) expect(text.length).toBeLessThan(300);
  expect(finding?.excerpt).toEqual(['"required": [', '  "name"', ']']);

  const place = `${minified}:1:${finding?.place.column}`;
  const terminal = renderTerminal(report, false).split('\n');
  const at = terminal.findIndex((line) => line.startsWith('   documented'));
  expect(terminal.slice(at, at + 4).map((line) => line.trim())).toEqual([
    `documented  [0].name is required, at ${place}  /components/schemas/Paper/required/0`,
    '"required": [',
    '"name"',
    ']',
  ]);
  expect(renderMarkdown(report)).toContain(`\`\`\`json\n"required": [\n  "name"\n]\n\`\`\``);
  expect(textOf(asHtml(report))).toContain('"required": [\n  "name"\n]');
  expect(textOf(asHtml(report))).toContain(place);
});

test('the terminal says what is wrong first, and counts what it does not list', async () => {
  const target = await startKiosk((path, query) =>
    path.endsWith('papers') ? { status: 200, body: [{ id: 1 }] } : elsewhere(path, query),
  );
  const report = await reportOf({ target, document: KIOSK, ...LISTS, only: ['^list', '!limit|page|daily'] });
  const fixed = (text: string) =>
    text
      .replaceAll(target, 'http://kiosk/v1')
      .replaceAll(/\S*kiosk\.yaml/g, 'kiosk.yaml')
      .replace(/sha256:\w+/, 'sha256:0')
      .replace(/by Paddock \S+ at \S+/, 'by Paddock')
      .replace(/\d+ cases: (.*), \d+ skipped/, 'N cases: $1, N skipped')
      .replace(/in \d+\.\d s/, 'in 0.0 s');
  expect(fixed(renderTerminal(report, false))).toMatchInlineSnapshot(`
    "Broken: GET /papers answers 200 without the required [].name; 422 where only 400 is documented for invalid input

    1. GET /papers answers 200 without the required [].name (listPapers/200/ordinary and 2 more)
       received    [0].name is missing
       documented  [0].name is required, at kiosk.yaml:104
       reproduce   curl -i 'http://kiosk/v1/papers' -H 'Accept: application/json'
       tried       confirmed 3 of 3; needs existing data

    2. 422 where only 400 is documented for invalid input (listSweets/400/sour-that-is-empty and 3 more)
       received    422: "invalid"
       documented  400, since sour must be a boolean ("type", kiosk.yaml:55), at kiosk.yaml:70
       reproduce   curl -i 'http://kiosk/v1/sweets?sour=' -H 'Accept: application/json'

    Reproductions, each tried from nothing: 2 confirmed 3 of 3
    Violated: listPapers 200, listSweets 400
    Skipped: 12 responses: 12 --only
    Withheld, since they may change what the run has not made: PUT /papers/{id}, DELETE /papers/{id}
    Not specified by the document: 1 undefined behaviour: 1 Accept: image/x-paddock: application/json
    (--verbose lists all of this)

    Kiosk 1 kiosk.yaml, sha256:0), checked by Paddock
    1 of 15 responses covered; N cases: 5 passed, 7 failed, N skipped, 0 not reached; 22 requests in 0.0 s (seed 1)
    The contract is broken; 2 operations withheld. (exit 1)"
  `);
  expect(fixed(renderTerminal(report, false, { verbose: true }))).toMatchInlineSnapshot(`
    "Broken: GET /papers answers 200 without the required [].name; 422 where only 400 is documented for invalid input

    1. GET /papers answers 200 without the required [].name
       promise     the body conforms to the documented schema
       received    [0].name is missing
       documented  [0].name is required, at kiosk.yaml:104
       reproduce   curl -i 'http://kiosk/v1/papers' -H 'Accept: application/json'
       tried       confirmed 3 of 3; needs existing data
       cases       3: listPapers/200/ordinary, listPapers/200/distinct-ids, listPapers/200/unacceptable

    2. 422 where only 400 is documented for invalid input
       promise     invalid input is refused
       received    422: "invalid"
       documented  400, since sour must be a boolean ("type", kiosk.yaml:55), at kiosk.yaml:70
       reproduce   curl -i 'http://kiosk/v1/sweets?sour=' -H 'Accept: application/json'
       tried       confirmed 3 of 3
       cases       4: listSweets/400/sour-that-is-empty, listSweets/400/sour-that-is-a-word, listSweets/400/sour-that-is-no-whole-number, listSweets/400/sour-far-above-any-value

    listPapers    200  violated
    listPapers    400  skipped  --only
    createPaper   201  skipped  --only
    createPaper   400  skipped  --only
    readPaper     200  skipped  --only
    readPaper     404  skipped  --only
    replacePaper  200  skipped  --only
    replacePaper  400  skipped  --only
    replacePaper  404  skipped  --only
    removePaper   204  skipped  --only
    removePaper   404  skipped  --only
    listSweets    200  covered 4/4
    listSweets    400  violated
    createSweet   201  skipped  --only
    createSweet   400  skipped  --only

    Withheld, since they may change what the run has not made:
       PUT /papers/{id}: it writes to a record that the run cannot make itself; --value id=V or --allow replacePaper sends it
       DELETE /papers/{id}: it writes to a record that the run cannot make itself; --value id=V or --allow removePaper sends it

    Not specified by the document:
       listSweets: Accept: image/x-paddock: application/json

    Coverage:
       operations: 2 of 7
       statuses: 2 of 15
       parameters: 2 of 6
       enum values: 0 of 0
       response properties: 4 of 34

    Reproductions, each tried from nothing: 2 confirmed 3 of 3

    Kiosk 1 kiosk.yaml, sha256:0), checked by Paddock
    1 of 15 responses covered; N cases: 5 passed, 7 failed, N skipped, 0 not reached; 22 requests in 0.0 s (seed 1)
    The contract is broken; 2 operations withheld. (exit 1)"
  `);
});
