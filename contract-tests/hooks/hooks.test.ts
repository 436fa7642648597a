import { expect, test } from 'vitest';
import { createMock } from '#mock';
import { loadContract, type Operation } from '#spec';
import { REPORT_FORMATS } from '../report/formats.ts';
import { renderTerminal } from '../report/terminal.ts';
import type { CheckOptions } from '../settings/check-options.ts';
import { runCheck, runCheckOf, SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import type { Hooks } from './hooks.ts';
import { compileUserCode } from './user-code.ts';

const KEY = 'key-of-the-mock';

/** A check of the mock of the shipped document. */
async function checked(more: Partial<CheckOptions>, through = (request: Request) => request) {
  const mock = await createMock({ document: SHIPPED_DOCUMENT, port: false, apiKeys: [KEY] });
  try {
    return await runCheck({
      target: mock.url,
      fetch: (url, init) => mock.fetch(through(new Request(url, init))),
      ...{ apiKey: KEY, settle: 0, examples: 2 },
      ...more,
    });
  } finally {
    await mock.close();
  }
}

test('hooks are called in their order, and may change a request and its response', async () => {
  const calls: string[] = [];
  const seen = new Set<string | null>();
  const report = await checked(
    {
      hooks: {
        before: ({ seed }) => calls.push(`before ${seed}`),
        beforeRequest({ operationId, body }) {
          if (calls.at(-1) !== operationId) calls.push(operationId);
          return { headers: { 'X-Signature': `sha-${body?.length ?? 0}` } };
        },
        afterResponse: ({ response }) =>
          response.status === 200 ? { headers: { 'X-Seen': 'yes' } } : undefined,
        cleanup: ({ created }) => calls.push(`cleanup ${typeof created.length}`),
        after: ({ verdict }) => calls.push(`after ${verdict}`),
      },
      laws: [
        {
          name: 'bears-the-change',
          applies: ({ response }) => response.status === 200,
          judge: ({ response }) =>
            response.headers.some(([name]) => name === 'X-Seen') ? [] : { received: 'no X-Seen' },
        },
      ],
    },
    (request) => {
      seen.add(request.headers.get('x-signature'));
      return request;
    },
  );
  expect(report).toMatchObject({ verdict: 'holds' });
  expect(calls[0]).toBe('before 1');
  expect(calls.slice(-2)).toEqual(['cleanup number', 'after holds']);
  expect(calls).toEqual(expect.arrayContaining(['listPets', 'createPet', 'getPet']));
  expect(seen.size).toBeGreaterThan(2);
  // The run knocks before it begins.
  seen.delete(null);
  expect([...seen].every((one) => one?.startsWith('sha-'))).toBe(true);
});

test('what a request is refused for, no hook mends', async () => {
  const hooks = { beforeRequest: () => ({ headers: { Authorization: `Bearer ${KEY}` } }) };
  expect(await checked({ hooks, apiKey: undefined })).toMatchObject({ verdict: 'holds' });
});

test('a request that a hook skips is neither sent nor judged', async () => {
  const hooks = {
    beforeRequest: ({ method }: { method: string }) =>
      method === 'POST' ? { skip: 'it is closed on Sundays' } : undefined,
  };
  const report = await checked({ hooks });
  expect(report.findings).toEqual([]);
  const cases = report.cases.filter(({ operationId }) => operationId === 'createPet');
  expect(new Set(cases.map(({ outcome, reason }) => `${outcome}: ${reason}`))).toContain(
    'skipped: a hook skips it: it is closed on Sundays',
  );
});

test.for(['before', 'beforeRequest', 'afterResponse', 'cleanup', 'after'] as const)(
  "an error of %s is the user's, with its stack",
  async (name) => {
    const closed: string[] = [];
    const hooks = {
      cleanup: () => closed.push('cleanup'),
      [name]() {
        throw new TypeError('cannot read the moon');
      },
    };
    const failed = checked({ hooks });
    await expect(failed).rejects.toMatchObject({ name: 'UserCodeError' });
    await expect(failed).rejects.toThrow(
      new RegExp(`^the hook ${name} failed: TypeError: cannot read the moon\\n +at .*hooks\\.test\\.ts`),
    );
    if (name.endsWith('Request') || name.endsWith('Response')) expect(closed).toEqual(['cleanup']);
  },
);

test("what a hook prepares is named and changed as the run's own", async () => {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Jobs', version: '1' },
    paths: {
      '/jobs/{jobId}': {
        parameters: [{ name: 'jobId', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'getJob',
          responses: { 200: { description: 'a job' }, 404: { description: 'none' } },
        },
        delete: { operationId: 'stopJob', responses: { 204: { description: 'stopped' } } },
      },
    },
  };
  const jobs = new Set<number>();
  const asked: string[] = [];
  const fetch = async (url: URL, { method }: RequestInit) => {
    const [, digits] = /\/(\d+)$/.exec(url.pathname) ?? [];
    const id = Number(digits);
    asked.push(`${method} ${id}`);
    if (!jobs.has(id)) return new Response(null, { status: 404 });
    if (method !== 'DELETE') return new Response('', { status: 200 });
    jobs.delete(id);
    return new Response(null, { status: 204 });
  };
  let last = 4000;
  const insert = () => {
    jobs.add(++last);
    return { path: { jobId: last } };
  };
  let left: unknown;
  const options = { fetch, settle: 0, examples: 0 };
  const without = await runCheckOf(document, options);
  expect(without.withheld.map(({ operationId }) => operationId)).toEqual(['stopJob']);
  const hooks = {
    prepare: { getJob: insert, stopJob: insert },
    cleanup: ({ prepared }: { prepared: readonly unknown[] }) => {
      left = prepared.length;
    },
  };
  const report = await runCheckOf(document, { ...options, hooks });
  expect(report.findings).toEqual([]);
  expect(
    report.cells.map(({ operationId, status, verdict }) => `${operationId} ${status} ${verdict}`),
  ).toEqual(['getJob 200 covered', 'getJob 404 covered', 'stopJob 204 covered']);
  expect(asked).toContain('DELETE 4002');
  expect(left).toBe(last - 4000);
});

test('what is prepared at the start as the pattern of bodies is what the first request gets', async () => {
  let calls = 0;
  const createPet = () => ({ body: { name: 'Rex', categoryId: 4711 + calls++, status: 'sold' } });
  const { operations } = await loadContract(SHIPPED_DOCUMENT);
  const create = operations.find(({ id }) => id === 'createPet') as Operation;
  const code = compileUserCode([{ prepare: { createPet } }]);
  const ahead = await code.prepareAhead(create, 1);
  expect([await code.prepare(create, 1), calls]).toEqual([ahead, 1]);
  expect(await code.prepare(create, 1)).toMatchObject({ body: { categoryId: 4712 } });
  expect(code.prepared).toHaveLength(calls);

  const sent = new Set<unknown>();
  const beforeRequest: Hooks['beforeRequest'] = ({ operationId, body = '' }) => {
    if (operationId === 'createPet' && body.includes('4713')) sent.add(/"status":"(\w+)"/.exec(body)?.[1]);
    return undefined;
  };
  const report = await checked({ hooks: { prepare: { createPet }, beforeRequest } });
  expect(report.findings).toEqual([]);
  expect(sent).toContain('sold');
});

test('a hook for an operation that the document does not have is refused', async () => {
  await expect(checked({ hooks: { prepare: { getPets: () => ({}) } } })).rejects.toThrow(
    'option hooks: prepare: the document has no operation "getPets"; did you mean "getPet"?',
  );
  await expect(checked({ hooks: { prepare: { getpet: () => ({}) } } })).rejects.toThrow(
    'did you mean "getPet"?',
  );
  await expect(checked({ hooks: { befor: () => undefined } as never })).rejects.toThrow(
    'there is no hook "befor"',
  );
});

test.for<[Hooks, string]>([
  [
    { beforeRequest: () => ({ header: {} }) as never },
    'the hook beforeRequest failed: it returned a member "header", which is none: did you mean headers?',
  ],
  [
    { beforeRequest: () => 'later' as never },
    'it returned "later": return nothing, or an object of headers, query, body, skip',
  ],
  [
    { afterResponse: () => ({ headers: { a: {} } }) as never },
    'returned headers that is not an object of texts',
  ],
  [{ prepare: { getPet: () => ({ path: { pet: 1 } }) } }, '"pet", and the path has petId'],
  [{ prepare: { getPet: () => ({ path: { petId: undefined } }) } }, 'the hook prepare.getPet failed'],
])('what a hook may not return is the error of the user: %j', async ([hooks, message]) => {
  await expect(checked({ hooks })).rejects.toThrow(message);
});

test.for<[unknown, string]>([
  ['bad', 'judge returned "bad": return nothing, or { received: "what came" }'],
  [{ recieved: 'x' }, 'judge returned {"recieved":"x"}: return nothing'],
  [{ received: 'x', where: 'y' }, 'a member "where", which is none of received, documented'],
  [{ received: 'x', at: '/paths/~1nowhere' }, 'at: the document has nothing at /paths/~1nowhere'],
  [{ received: 7 }, 'received that is no text'],
  [Promise.resolve(), 'judge returned a promise'],
])('what a law may not return is the error of the user: %j', async ([returned, message]) => {
  await expect(checked({ laws: [{ name: 'mine', judge: () => returned as never }] })).rejects.toThrow(
    message,
  );
});

const LATE = {
  name: 'quick-enough',
  says: 'each answer comes with X-Took',
  applies: ({ operation }: { operation: { id: string } }) => operation.id === 'getPet',
  judge: () => ({ received: 'no X-Took', at: '/components/securitySchemes/bearer' }),
};

test("a law of one's own is in the report with its place and a reproduction that was tried", async () => {
  const report = await checked({ laws: [LATE] });
  expect(report).toMatchObject({ verdict: 'broken', exitCode: 1 });
  expect(report.causes).toMatchObject([{ law: 'quick-enough', gates: true }]);
  const [finding] = report.findings;
  expect(finding).toMatchObject({
    law: 'quick-enough',
    key: 'quick-enough#/components/securitySchemes/bearer',
    received: 'no X-Took',
    documented: 'each answer comes with X-Took',
    pointer: '/components/securitySchemes/bearer',
    confirmation: { outcome: 'confirmed', shown: 3, tries: 3 },
  });
  expect(finding?.curl).toMatch(/^curl -i /);
  // A HAR file holds exchanges alone.
  const { har: _, ...formats } = REPORT_FORMATS;
  for (const [name, { render }] of Object.entries(formats))
    expect(`${name}: ${render(report)}`).toContain('each answer comes with X-Took');
  expect(renderTerminal(report, false)).toContain('each answer comes with X-Took');
});

test("a law that fails is the user's error, and names of ours are refused", async () => {
  const judge = () => {
    throw new Error('no law');
  };
  await expect(checked({ laws: [{ name: 'mine', judge }] })).rejects.toThrow(
    /^the law mine failed: Error: no law\n +at/,
  );
  await expect(checked({ laws: [{ name: 'status', judge }] })).rejects.toThrow(
    '"status" is a law of Paddock\'s',
  );
  await expect(checked({ laws: [{ name: 'Mine', judge }] })).rejects.toThrow('small letters');
});
