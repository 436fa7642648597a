import { expect, test } from 'vitest';
import type { Fetch } from '../send/client.ts';
import { createNotes, notesDocument } from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';

const SECURE = { token: 'a-token', collections: ['/notes', '/tasks'] };
const RUN = { apiKey: 'a-token', retries: 1, settle: 0, jobs: 1 };

/** From one request on, which a part of the requests only counts, the service answers in another way. */
function after(count: number, fetch: Fetch, then: Fetch): Fetch {
  let number = 0;
  return (url, init) => {
    const isRunsOwn = new Headers(init.headers).get('authorization') === `Bearer ${SECURE.token}`;
    if (isRunsOwn) number += 1;
    return number > count ? then(url, init) : fetch(url, init);
  };
}
const expired = () => Promise.resolve(new Response(null, { status: 401 }));
const dead = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:1'));

test.each([1, 4])('a token that expires is no finding, and ends the run (jobs: %s)', async (jobs) => {
  const { fetch } = createNotes(SECURE);
  const report = await runCheckOf(notesDocument(SECURE), { ...RUN, jobs, fetch: after(60, fetch, expired) });
  expect(report.findings).toEqual([]);
  expect({ exitCode: report.exitCode, reason: report.reason }).toEqual({
    exitCode: 4,
    reason: expect.stringMatching(
      /^the credential is refused everywhere since request \d+, `[A-Z]+ \/(?:notes|tasks)/,
    ),
  });
  expect(report.cells.some(({ verdict }) => verdict === 'covered')).toBe(true);
});

test('a credential that a write ends is refused since that write', async () => {
  const accounts = { '/accounts': { delete: { responses: { 204: { description: '' } } } } };
  let isIn = true;
  const { fetch } = createNotes(SECURE, (method, path) => {
    if (path === '/accounts' && method === 'DELETE') isIn = false;
    else if (isIn) return undefined;
    return new Response(null, { status: path === '/accounts' ? 204 : 401 });
  });
  const allow = ['DELETE /accounts'];
  const report = await runCheckOf(notesDocument(SECURE, accounts), { ...RUN, fetch, allow });
  expect(report.findings).toEqual([]);
  expect(report.exitCode).toBe(4);
  expect(report.reason).toMatch(
    /^the credential is refused everywhere since request \d+, `DELETE \/accounts`$/,
  );
});

test('a credential that never worked gives no verdict', async () => {
  const { fetch } = createNotes(SECURE);
  const report = await runCheckOf(notesDocument(SECURE), { ...RUN, fetch: after(0, fetch, expired) });
  expect(report).toMatchObject({
    exitCode: 3,
    reason: 'the target refuses the API key everywhere',
  });
});

/** The id of a note is a text in each response. */
const breaking =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== 'GET' || response.status !== 200) return response;
    const text = await response.text();
    return new Response(text.replace(/"id":(\d+)/g, '"id":"$1"'), { headers: response.headers });
  };

test.each([
  ['a token that expires', expired, 'the credential is refused everywhere since request'],
  ['a target that stops', dead, 'the target stopped responding after request'],
] as const)('%s does not hide a promise that was broken before', async (_, then, reason) => {
  const { fetch } = createNotes(SECURE);
  const report = await runCheckOf(notesDocument(SECURE), {
    ...RUN,
    fetch: after(60, breaking(fetch), then),
  });
  expect(report).toMatchObject({ exitCode: 1, reason: expect.stringContaining(reason) });
  // Of what came after the end nothing is held against the service.
  expect(report.findings.filter(({ received }) => /401|ECONNREFUSED/.test(received))).toEqual([]);
});

test.each([1, 4])(
  'a target that stops ends the run, and the reason names the request (jobs: %s)',
  async (jobs) => {
    const { fetch } = createNotes(SECURE);
    const lost: string[] = [];
    const die: Fetch = (url, init) => {
      lost.push(`${init.method} ${url.pathname}`);
      return dead();
    };
    const report = await runCheckOf(notesDocument(SECURE), { ...RUN, jobs, fetch: after(60, fetch, die) });
    expect(report.findings).toEqual([]);
    expect({ exitCode: report.exitCode, reason: report.reason }).toEqual({
      exitCode: 4,
      reason: expect.stringMatching(
        /^the target stopped responding after request \d+, `[A-Z]+ \/(?:notes|tasks)[^`]*`: connect ECONNREFUSED/,
      ),
    });
    // Not one request for each of the cases that are left.
    expect(lost.length).toBeLessThan(60);
  },
);

test.each([401, 403])('one operation that is always answered %s does not end the run', async (status) => {
  const { fetch } = createNotes(SECURE);
  const forbidden: Fetch = (url, init) =>
    init.method === 'POST' && url.pathname === '/tasks'
      ? Promise.resolve(new Response(null, { status }))
      : fetch(url, init);
  const report = await runCheckOf(notesDocument(SECURE), { ...RUN, fetch: forbidden });
  const others = report.cells.filter(({ operationId }) => operationId.includes('/notes'));
  expect(others.map(({ verdict, ran, of }) => ({ verdict, missed: of - ran }))).toEqual(
    others.map(() => ({ verdict: 'covered', missed: 0 })),
  );
  expect(report.reason ?? '').not.toContain('everywhere');
});
