import { expect, test } from 'vitest';
import { renderMarkdown, renderTerminal } from '../index.ts';
import type { Report } from '../report/report.ts';
import type { Fetch } from '../send/client.ts';
import type { CheckOptions } from '../settings/check-options.ts';
import {
  createNotes,
  type NotesOptions,
  type NotesService,
  notesDocument,
} from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';

/** What a service says in the place of the right response; undefined: nothing is wrong. */
type Fault = (response: Response, method: string, path: string) => Response | Promise<Response> | undefined;

interface Checked {
  readonly report: Report;
  readonly service: NotesService;
  /** `POST /notes {"name":"MARK"}` */
  readonly sent: readonly string[];
}

async function checkNotes(
  fault: Fault,
  options: Omit<Partial<CheckOptions>, 'document'> = {},
  notes: NotesOptions = {},
): Promise<Checked> {
  const service = createNotes(notes);
  const sent: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const { method } = request;
    const { pathname } = new URL(request.url);
    const body = await request.clone().text();
    sent.push(`${method} ${pathname} ${withoutMarks(body)}`.trim());
    const response = await service.fetch(url, init);
    return (await fault(response, method, pathname)) ?? response;
  };
  const report = await runCheckOf(notesDocument(notes), { settle: 0, examples: 2, ...options, fetch });
  return { report, service, sent };
}

const withoutMarks = (text: string) => text.replace(/paddock-[0-9a-z]+-[0-9cspn]+/g, 'MARK');
const isRead = (method: string, path: string) => method === 'GET' && /\/notes\/\d+$/.test(path);

async function changed(
  response: Response,
  change: (note: Readonly<Record<string, unknown>>) => object,
): Promise<Response> {
  const note = (await response.json()) as Readonly<Record<string, unknown>>;
  return Response.json({ ...note, ...change(note) }, { status: response.status });
}

const withSizeAsText: Fault = (response, method, path) =>
  isRead(method, path) && response.ok ? changed(response, ({ size }) => ({ size: String(size) })) : undefined;

test('what a read shows begins with the create; each try sends what is printed, and leaves nothing', async () => {
  const { report, service, sent } = await checkNotes(withSizeAsText, { jobs: 1 });
  const cause = report.causes.find(({ law }) => law === 'schema');
  expect(cause?.confirmation).toEqual({
    outcome: 'confirmed',
    shown: 3,
    tries: 3,
    caseId: expect.any(String),
  });
  const { steps = [] } = cause ?? {};
  expect(steps).toHaveLength(2);
  expect(steps[0]).toMatch(/^ID1=\$\(curl -s .*--data-binary '\{.*\}' \| jq -r \.id\)$/);
  expect(steps[1]).toMatch(/^curl -i 'http:\/\/127\.0\.0\.1:1\/notes\/'"\$ID1"/);

  const [, body = ''] = /--data-binary '(.*)' \|/.exec(steps[0] ?? '') ?? [];
  const told = sent.map((line) => line.replace(/\d+$/, 'ID'));
  const one = [`POST /notes ${withoutMarks(body)}`, 'GET /notes/ID', 'DELETE /notes/ID'];
  expect(told.join('\n')).toContain([...one, ...one, ...one].join('\n'));
  expect([...service.notes.values()].flat()).toEqual([]);
  expect(report.created).toEqual([]);
  const counted = `Reproductions, each tried from nothing: ${report.causes.length} confirmed 3 of 3`;
  expect(renderTerminal(report, false)).toContain(counted);
  expect(renderTerminal(report, false, { verbose: true })).toContain('   tried       confirmed 3 of 3');
  // That it was is the rule, and said where it was not.
  expect(renderMarkdown(report)).not.toContain('- tried:');
});

test('what a valid request shows is shown by it, though an invalid one is shorter', async () => {
  let id = 700;
  const { report } = await checkNotes((_, method) =>
    method === 'POST' ? Response.json({ id: ++id, name: 'a', size: 'x' }, { status: 201 }) : undefined,
  );
  const cause = report.causes.find(({ law }) => law === 'schema');
  const [, body = '{}'] = /--data-binary '(.*)'/.exec(cause?.curl ?? '') ?? [];
  expect(JSON.parse(body)).toMatchObject({ name: expect.stringMatching(/./) });
});

/** The number of the list request that is answered so. */
const brokenList = (isBroken: (number: number) => boolean): Fault => {
  let number = 0;
  return (_, method, path) =>
    method === 'GET' && path === '/notes' && isBroken(++number)
      ? Response.json({ notes: [] }, { status: 200 })
      : undefined;
};

test('what one case has seen and no try is reported apart, and does not gate', async () => {
  const { report } = await checkNotes(brokenList((number) => number === 1));
  expect(report.causes).toMatchObject([
    { gates: false, confirmation: { outcome: 'not seen again', shown: 0, tries: 3 } },
  ]);
  expect(report).toMatchObject({ verdict: 'holds', exitCode: 0 });
  expect(renderTerminal(report, false)).toContain('Seen once, and not again when it was tried');
  expect(renderTerminal(report, false)).toContain('seen once, not again in 3 tries');
});

test('that a record of somebody else is gone is tried from the list on', async () => {
  const somebody = { id: 7000, name: 'of somebody', size: 1 };
  const { report, sent } = await checkNotes((_, method, path) => {
    if (method === 'GET' && path === '/notes') return Response.json([somebody]);
    return path === '/notes/7000' ? new Response(null, { status: 404 }) : undefined;
  });
  const gone = report.causes.find(({ received }) => received.startsWith('404'));
  expect(gone?.confirmation).toMatchObject({ outcome: 'confirmed', tries: 3, needsData: true });
  const tried = sent.join().match(/GET \/notes,GET \/notes\/7000/g) ?? [];
  expect(tried.length).toBeGreaterThanOrEqual(3);
});

test('what several cases have seen gates, though no try has shown it', async () => {
  const { report } = await checkNotes(brokenList((number) => number === 1 || number === 3));
  expect(report.causes[0]).toMatchObject({ gates: true, confirmation: { outcome: 'unsteady', shown: 0 } });
  expect(report.causes[0]?.cases.length).toBeGreaterThan(1);
  expect(report.exitCode).toBe(1);
});

test('--read-only sends only safe requests to confirm as well', async () => {
  const { report, sent } = await checkNotes(
    brokenList(() => true),
    { writes: false },
  );
  expect(report.causes[0]?.confirmation).toMatchObject({ outcome: 'confirmed', shown: 3, tries: 3 });
  expect(sent.filter((line) => !line.startsWith('GET '))).toEqual([]);
});

const wrongName: Fault = (response, method) =>
  method === 'POST' && response.ok ? changed(response, () => ({ name: 7 })) : undefined;

test('tries make no more records than --max-creates allows; what there is no room for is not tried', async () => {
  const lasting = { removable: false };
  const all = await checkNotes(wrongName, { maxCreates: 12 }, lasting);
  expect(all.service.notes.get('/notes')?.length).toBeLessThanOrEqual(12);
  const tried = all.report.causes.map(({ confirmation }) => confirmation);
  expect(tried.some((one) => one && one.shown > 0 && one.tries === one.shown)).toBe(true);

  const few = await checkNotes(wrongName, { maxCreates: 3 }, lasting);
  expect(few.report.causes[0]).toMatchObject({
    gates: true,
    confirmation: { outcome: 'not tried', reason: '--max-creates 3 leaves no room for it' },
  });
});

test('an interrupted run tries nothing, and says so', async () => {
  const interrupt = new AbortController();
  const { report } = await checkNotes(
    (response, method, path) => {
      if (isRead(method, path)) interrupt.abort();
      return withSizeAsText(response, method, path);
    },
    { signal: interrupt.signal, jobs: 1 },
  );
  for (const { confirmation } of report.causes)
    expect(confirmation).toMatchObject({
      outcome: 'not tried',
      shown: 0,
      reason: expect.stringMatching(/interrupt/),
    });
});
