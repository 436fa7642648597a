import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { BUILT_IN_KEY, createMock } from '#mock';
import type { Report } from '../index.ts';
import { runCheck } from '../testing/run-check.ts';

const document = fileURLToPath(new URL('../../fixtures/specs/wiki.yaml', import.meta.url));

/** What a service does with a request in the place of the mock; undefined: nothing else. */
type Instead = (
  request: Request,
  mock: (request: Request) => Promise<Response>,
) => Promise<Response> | undefined;

/** A run of some cases; of each request the method and path, the tag that a condition names as a number, and the status. */
async function sentBy(
  only: string,
  instead: Instead = () => undefined,
): Promise<{ report: Report; sent: string[] }> {
  const mock = await createMock({ document, count: 3, port: false });
  onTestFinished(() => mock.close());
  const tags: string[] = [];
  const numberOf = (tag: string) => {
    if (!tags.includes(tag)) tags.push(tag);
    return `T${tags.indexOf(tag) + 1}`;
  };
  const sent: string[] = [];
  const report = await runCheck({
    target: mock.url,
    document,
    apiKey: BUILT_IN_KEY,
    jobs: 1,
    settle: 0,
    only,
    disposable: true,
    async fetch(url, init) {
      const request = new Request(url, init);
      const ask = (one: Request) => mock.fetch(one);
      const response = (await instead(request.clone(), ask)) ?? (await ask(request.clone()));
      const conditions = ['if-match', 'if-none-match'].flatMap((name) => {
        const tag = request.headers.get(name);
        return tag === null ? [] : [`${name} ${tag === '*' ? tag : numberOf(tag)}`];
      });
      const shown = response.headers.get('etag');
      const path = new URL(url).pathname.replace(/^\/api/, '').replace(/[\da-f-]{5,}|\d+/g, 'ID');
      const line = [
        request.method,
        path,
        ...conditions,
        response.status,
        ...(shown ? [numberOf(shown)] : []),
      ];
      sent.push(line.join(' '));
      return response;
    },
  });
  return { report, sent };
}

const onId = (sent: readonly string[]) => sent.filter((line) => / \/\w+\/ID/.test(line));

test('a version is named that the record had before it was changed', async () => {
  const { sent } = await sentBy('rewritePage/412/stale');
  expect(onId(sent)).toEqual([
    'GET /pages/ID 200 T1',
    'PUT /pages/ID if-match T1 200 T2',
    'GET /pages/ID 200 T2',
    'PUT /pages/ID if-match T1 412',
    'GET /pages/ID 200 T2',
    'DELETE /pages/ID 204',
  ]);
});

test('a stale removal comes before one that names the current version', async () => {
  const { sent } = await sentBy('removeSnippet/412/stale');
  expect(onId(sent)).toEqual([
    'GET /snippets/ID 200 T1',
    'PUT /snippets/ID if-match T1 204 T2',
    'GET /snippets/ID 200 T2',
    'DELETE /snippets/ID if-match T1 412',
    'GET /snippets/ID 200 T2',
    'DELETE /snippets/ID if-match T2 204',
  ]);
});

test('who has the current version is told so, and who has a former one gets the current one', async () => {
  const { sent } = await sentBy('readPage/304/');
  expect(onId(sent)).toEqual([
    'GET /pages/ID 200 T1',
    'GET /pages/ID if-none-match T1 304 T1',
    'PATCH /pages/ID 200 T2',
    'GET /pages/ID 200 T2',
    'GET /pages/ID if-none-match T1 200 T2',
    'DELETE /pages/ID 204',
  ]);
});

test('of changes at once both name one version', async () => {
  const { sent } = await sentBy('rewritePage/.*/race-of-version');
  const puts = sent.filter((line) => line.startsWith('PUT'));
  expect(puts.map((line) => line.replace(/ T\d+$/, '')).sort()).toEqual([
    'PUT /pages/ID if-match T1 200',
    'PUT /pages/ID if-match T1 412',
  ]);
});

test('what demands a condition gets the version that the record has', async () => {
  const { sent, report } = await sentBy('replaceSnippet/204/(ordinary|is-kept)');
  const changes = sent.filter((line) => /^(?:PUT|DELETE)/.test(line));
  expect(changes.length).toBeGreaterThan(3);
  for (const line of changes) expect(line).toMatch(/if-match T\d+ 204/);
  expect(report.created).toEqual([]);
});

test('any version is named where the service shows none, and nothing is judged that it would have to show', async () => {
  const { sent, report } = await sentBy('(replaceSnippet|removeSnippet)/', async (request, mock) => {
    const response = await mock(request);
    const headers = new Headers(response.headers);
    headers.delete('etag');
    return new Response(response.status === 204 ? null : await response.text(), {
      status: response.status,
      headers,
    });
  });
  expect(sent.filter((line) => /if-match T/.test(line))).toEqual([]);
  expect(sent).toContain('PUT /snippets/ID if-match * 204');
  expect(report.findings).toEqual([]);
  expect(
    report.cells.find(({ operationId, status }) => operationId === 'replaceSnippet' && status === 412),
  ).toMatchObject({
    verdict: 'not reached',
    gates: false,
    reason: 'the target shows no strong ETag',
  });
});

test('a reproduction keeps the tags that it names', async () => {
  const { report } = await sentBy('rewritePage/412/stale', (request, mock) => {
    if (request.method !== 'PUT') return undefined;
    const headers = new Headers(request.headers);
    headers.delete('if-match');
    return mock(new Request(request, { headers }));
  });
  const [cause] = report.causes;
  expect(report.causes.map(({ law }) => law)).toEqual(['stale-refused']);
  expect(cause?.confirmation).toMatchObject({ outcome: 'confirmed', shown: 3 });
  const steps = cause?.steps ?? [];
  expect(steps[1]).toMatch(/^TAG1=\$\(curl -si .* \| tr -d '\\r' \| sed -n /);
  expect(steps.at(-1)).toMatch(/-X PUT .* -H 'If-Match: '"\$TAG1" /);
});
