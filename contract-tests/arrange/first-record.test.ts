import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DemandingOptions, demandingService, refusal } from '../testing/demanding-service.ts';
import { createNotes, notesDocument } from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';

const text = { type: 'string' };
const NAMED = { name: { ...text, minLength: 1 } };
const named = (more: object = {}, required: readonly string[] = ['name']) => ({
  type: 'object',
  required,
  properties: { ...NAMED, ...more },
});
type Refuse = NonNullable<DemandingOptions['refuse']>;
const INVALID = { error: 'invalid input' };

async function checked(options: DemandingOptions, more: Parameters<typeof runCheckOf>[1] = {}) {
  const service = demandingService(options);
  const report = await runCheckOf(service.document, {
    fetch: service.fetch,
    examples: 0,
    jobs: 1,
    settle: 0,
    ...more,
  });
  const read = report.cells.find(
    ({ operationId, status }) => /^(?:get|read).*[Ii]d|GET .*\{/.test(operationId) && status === 200,
  );
  return { ...service, report, read };
}

/** Whether the run has had a record to read and to remove. */
const reached = ({ report }: Awaited<ReturnType<typeof checked>>) =>
  report.cells
    .filter(({ operationId, status }) => /\{/.test(operationId) && status < 300)
    .map(({ verdict }) => verdict);

describe('a record can be had of a service that takes', () => {
  test.each<[string, DemandingOptions]>([
    [
      'the example of the document, with another name',
      {
        body: named({ currency: text }, ['name', 'currency']),
        example: { name: 'first', currency: 'EUR' },
        refuse: ({ name, currency }, things) => {
          if (currency !== 'EUR') return refusal(400, INVALID);
          return name === 'first' || things.some((one) => one.name === name)
            ? refusal(400, INVALID)
            : undefined;
        },
      },
    ],
    [
      'any words as a name, and not as what its document calls a text, too',
      {
        body: { type: 'object', properties: { kind: text, mode: text, display_name: text } },
        refuse: ({ kind, mode }) => ((kind ?? mode) !== undefined ? refusal(400, INVALID) : undefined),
      },
    ],
    [
      'required members only',
      {
        body: named({ colour: text, size: { type: 'integer' } }),
        refuse: ({ colour, size }) => ((colour ?? size) !== undefined ? refusal(400, INVALID) : undefined),
      },
    ],
    [
      'no member that it names in structured errors',
      {
        body: named({ parent: text, size: { type: 'integer' } }, ['name', 'size']),
        refuse: ({ parent, size }) => {
          if (parent !== undefined)
            return refusal(422, { detail: [{ loc: ['body', 'parent'], msg: 'unknown' }] });
          return size === undefined ? refusal(400, INVALID) : undefined;
        },
      },
    ],
    [
      'no member that its text quotes',
      {
        body: named({ parent: text, size: { type: 'integer' } }, ['name', 'size']),
        refuse: ({ parent }) =>
          parent === undefined ? undefined : refusal(400, { message: `there is no 'parent'` }),
      },
    ],
    [
      'a member that it demands and the document does not',
      {
        body: named({ size: { type: 'integer' }, colour: text }),
        refuse: ({ size, colour }) => {
          if (colour !== undefined) return refusal(400, INVALID);
          return size === undefined ? refusal(400, { errors: { size: ['is required'] } }) : undefined;
        },
      },
    ],
    [
      'a value that only a description shows',
      {
        body: named({ zone: { ...text, description: 'The zone (e.g. "example.com.")' } }, ['name', 'zone']),
        refuse: ({ zone }) =>
          String(zone).endsWith('.') ? undefined : refusal(400, { error: `'${zone}' is not canonical` }),
      },
    ],
    [
      'names in a form that only a description shows',
      {
        body: named({ name: { ...text, description: 'Such as "example.com."' } }),
        refuse: ({ name }) =>
          /^[\w-]+\.example\.com\.$/.test(String(name))
            ? undefined
            : refusal(422, { error: `'${name}' is not canonical` }),
      },
    ],
    [
      'a value that its own records have',
      {
        body: named({ algorithm: text }, ['name', 'algorithm']),
        things: [{ id: 7, name: 'somebody', algorithm: 'hmac-md5' }],
        refuse: ({ algorithm }) =>
          algorithm === 'hmac-md5' ? undefined : refusal(400, { error: `Unknown algorithm: ${algorithm}` }),
      },
    ],
    [
      'all members but one that it fails on, without saying which',
      {
        body: named({ colour: text, size: { type: 'integer' }, weight: { type: 'integer' } }),
        refuse: ({ colour, size }) => {
          if (colour !== undefined) return refusal(406, INVALID);
          return size === undefined ? refusal(500, INVALID) : undefined;
        },
      },
    ],
    [
      'another value of a pattern each time',
      {
        body: {
          type: 'object',
          required: ['code'],
          properties: { code: { ...text, pattern: '^[A-Z]{3}[0-9]{3}$' } },
        },
        refuse: ({ code }, things) =>
          things.some((one) => one.code === code) ? refusal(409, INVALID) : undefined,
        removable: true,
      },
    ],
    [
      'other values than the one that is shown for a pattern',
      {
        body: {
          type: 'object',
          required: ['code'],
          properties: { code: { ...text, pattern: '^[A-Z]{3}[0-9]{3}$', examples: ['ABC123'] } },
        },
        refuse: ({ code }, things) =>
          things.some((one) => one.code === code) ? refusal(409, INVALID) : undefined,
        removable: true,
      },
    ],
    [
      'dates that lie ahead, in their order',
      {
        body: named(
          { endsAt: { ...text, format: 'date-time' }, startsAt: { ...text, format: 'date-time' } },
          ['name', 'endsAt', 'startsAt'],
        ),
        refuse: ({ startsAt, endsAt }) => {
          const [start, end] = [startsAt, endsAt].map((date) => Date.parse(String(date)));
          return Number(start) > Date.now() && Number(end) > Number(start)
            ? undefined
            : refusal(400, 'start time must be before end time');
        },
      },
    ],
  ])('%s', async (_, options) => {
    const run = await checked(options);
    expect(reached(run)).toEqual(['covered', 'covered']);
    const left = run.things.filter(({ id }) => !options.things?.some((one) => one.id === id));
    expect(left).toEqual([]);
  });
});

test('what a service takes is found once: its refusals are no finding of each case', async () => {
  const run = await checked({
    body: named({ colour: { enum: ['red', 'green'] }, size: { type: 'integer' } }),
    refuse: ({ size }) => (size === undefined ? undefined : refusal(400, { error: `unknown 'size'` })),
  });
  const refused = run.report.findings.filter(({ law }) => law === 'status').map(({ caseId }) => caseId);
  expect(refused).toEqual(['POST /things/201/ordinary']);
});

test.each<[string, object]>([
  ['as it is documented', {}],
  ['without a member that it does not take', { colour: text }],
])('a second record is sent with other texts than the first, %s: it is no finding', async (_, more) => {
  const run = await checked({
    body: named({ email: { ...text, format: 'email' }, slug: text, ...more }, ['name', 'email']),
    refuse: ({ email, slug, colour }, things) =>
      colour !== undefined ||
      things.some((one) => one.email === email || (slug !== undefined && one.slug === slug))
        ? refusal(400, { error: 'this is in use' })
        : undefined,
  });
  const refused = run.report.findings.filter(({ law }) => law === 'status').map(({ caseId }) => caseId);
  expect(refused.filter((caseId) => !caseId.endsWith('/201/ordinary'))).toEqual([]);
});

describe('a refusal of a valid body', () => {
  const algorithm = named({ algorithm: text }, ['name', 'algorithm']);
  const cellOf = ({ report }: Awaited<ReturnType<typeof checked>>) =>
    report.cells.find(({ operationId, status }) => operationId === 'POST /things' && status === 201);
  const foundIn = ({ report }: Awaited<ReturnType<typeof checked>>) =>
    report.findings.filter(({ law }) => law === 'status').map(({ caseId }) => caseId);

  test('that may be due to a text which means nothing is no finding, and the reason says what helps', async () => {
    const run = await checked({
      body: algorithm,
      refuse: () => refusal(400, { error: 'Unknown algorithm' }),
    });
    expect(foundIn(run)).toEqual([]);
    expect(cellOf(run)).toMatchObject({
      verdict: 'not reached',
      reason: expect.stringMatching(/400.*Unknown algorithm.*: --value algorithm=V gives one$/),
    });
  });

  test('is one where the service takes other texts, whichever came first', async () => {
    const run = await checked({
      body: named(),
      refuse: ({ name }) => (/\p{Lu}/u.test(String(name)) ? refusal(400, INVALID) : undefined),
    });
    expect(foundIn(run)).toContain('POST /things/201/text-accents');
  });

  test('is one where it names a member that was left out', async () => {
    const refuse: Refuse = ({ size }) =>
      size === undefined ? refusal(400, { error: `'size' is missing` }) : undefined;
    const run = await checked({ body: named({ size: { type: 'integer' } }), refuse });
    expect(foundIn(run)).toContain('POST /things/201/required-only');
  });

  test('is none for a number far beyond what is usual, and one for any other', async () => {
    const body = named({ size: { type: 'integer' } }, ['name', 'size']);
    const above =
      (most: number): Refuse =>
      ({ size }) =>
        Number(size) > most ? refusal(400, { error: 'size is too large' }) : undefined;
    expect(foundIn(await checked({ body, refuse: above(5000) }))).toEqual([]);
    expect(foundIn(await checked({ body, refuse: above(0) }))).toContain('POST /things/201/ordinary');
  });

  test('is one for what the document shows', async () => {
    const body = named({ algorithm: { ...text, example: 'md5' } }, ['name', 'algorithm']);
    const run = await checked({
      body,
      example: { name: 'first', algorithm: 'md5' },
      refuse: () => refusal(400, { error: 'Unknown algorithm' }),
    });
    expect(run.report.findings.map(({ law }) => law)).toContain('example-accepted');
  });

  test.each([
    [400, []],
    [409, ['POST /things/201/distinct-ids']],
  ])('where another record has the text, %i is a finding: %j', async (status, findings) => {
    const refuse: Refuse = ({ name }, things) =>
      things.some((one) => one.name === name) ? refusal(status, { error: 'no' }) : undefined;
    expect(foundIn(await checked({ body: named(), documents409: false, refuse }))).toEqual(findings);
  });
});

test('where nothing is taken the reason says what was tried and what the service answered, and no case tries again', async () => {
  const run = await checked({
    body: named({ size: { type: 'integer' } }),
    refuse: () => refusal(400, { error: 'closed' }),
  });
  expect(run.read?.reason).toMatch(
    /^a record is needed, and creating one was refused 2 times: all members: 400 \{"error":"closed"\}; required members: 400 \{"error":"closed"\}; --body or --value gives what the target takes$/,
  );
  const ordinary = run.bodies.filter(({ name }) => /-s\d|s\dn$/.test(String(name)));
  expect(ordinary.length).toBeLessThanOrEqual(6);
});

test('a record of somebody else is read where none can be made', async () => {
  const run = await checked({
    body: named(),
    things: [{ id: 7, name: 'somebody' }],
    refuse: () => refusal(400, { error: 'closed' }),
  });
  expect(run.read?.verdict).toBe('covered');
  expect(run.things).toEqual([{ id: 7, name: 'somebody' }]);
});

test('an id that the client chooses takes the place of no other record', async () => {
  const id = { type: 'integer', minimum: 1, maximum: 12 };
  const things = Array.from({ length: 6 }, (_, index) => ({ id: index * 2 + 1, name: 'somebody' }));
  const run = await checked({
    body: named({ id }, ['name', 'id']),
    record: named({ id }, ['name', 'id']),
    things,
    idOf: (sent) => sent.id,
  });
  expect(run.things.filter(({ name }) => name === 'somebody')).toEqual(things);
  expect(run.bodies.length).toBeGreaterThan(3);
});

test('a record that was made with an undocumented success is used, and that is a finding', async () => {
  const run = await checked({ body: named(), created: (thing) => Response.json(thing, { status: 200 }) });
  expect(reached(run)).toEqual(['covered', 'covered']);
  expect(run.report.findings.map(({ law }) => law)).toContain('status');
  expect(run.things).toEqual([]);
});

describe('what the user gives', () => {
  test('--value is the value of a member of bodies, whatever values it may have', async () => {
    const run = await checked(
      {
        body: named({ kind: { enum: ['small', 'large', 'huge'] }, count: { type: 'integer' } }, [
          'name',
          'kind',
          'count',
        ]),
        refuse: ({ kind, count }) => (kind === 'huge' && count === 3 ? undefined : refusal(400, INVALID)),
      },
      { values: { kind: 'huge', count: '3' } },
    );
    expect(reached(run)).toEqual(['covered', 'covered']);
  });

  test('--body is sent as it is', async () => {
    const run = await withBody('POST /things', 'name: mine\nkind: [odd, thing]\n', {
      body: named({ kind: { type: 'array', items: text } }),
      refuse: (sent) =>
        JSON.stringify(sent) === '{"name":"mine","kind":["odd","thing"]}' ? undefined : refusal(400, INVALID),
    });
    expect(reached(run)).toEqual(['covered', 'covered']);
    expect(run.things).toEqual([]);
  });

  test.each([
    ['POST /nothings', 'name: mine', 'option bodies: the document has no operation "POST /nothings"'],
    ['tag:things', 'name: mine', 'option bodies: "tag:things" names no single operation'],
    ['GET /things', 'name: mine', 'GET /things takes no body; name one that does'],
    ['POST /things', 'name: [', 'body.yaml'],
    ['POST /things', '', 'the file is empty; write the body in it, as YAML or JSON'],
  ])('--body %s with %j is refused', async (operation, content, message) => {
    await expect(withBody(operation, content, { body: named() })).rejects.toThrow(message);
  });

  test('--body with a file that is not there is refused', async () => {
    const run = checked({ body: named() }, { bodies: { 'POST /things': '/nowhere/body.yaml' } });
    await expect(run).rejects.toThrow('--body POST /things: ENOENT');
  });
});

async function withBody(operation: string, content: string, options: DemandingOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-body-'));
  try {
    const file = join(folder, 'body.yaml');
    await writeFile(file, content);
    return await checked(options, { bodies: { [operation]: file } });
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the id of a new record is known, and the record removed, where', () => {
  const free = { type: 'object', properties: NAMED, additionalProperties: true };
  const empty = { description: '', headers: { Location: { schema: text } } };
  const located = (location: string) => () => new Response(null, { status: 201, headers: { location } });
  test.each<[string, DemandingOptions]>([
    ['no schema names it', { body: named(), record: free }],
    [
      'an envelope is around a record whose schema names none',
      { body: named(), record: free, envelope: 'data' },
    ],
    ['an envelope has the name of the record', { body: named(), envelope: 'thing' }],
    [
      'the path of the items is another one, and the response names its parameter',
      {
        body: named(),
        paths: ['/things', '/thing/{thingID}'],
        documented: {
          description: '',
          content: {
            'application/json': { schema: { type: 'object', properties: { thingID: { type: 'integer' } } } },
          },
        },
        created: ({ id }) => Response.json({ thingID: id }, { status: 201 }),
      },
    ],
    [
      'only Location has it',
      {
        body: named(),
        documented: empty,
        created: ({ id }) => located(`/things/${id}`)(),
      },
    ],
    [
      'only an absolute Location has it, and no schema',
      {
        body: named(),
        record: free,
        documented: { description: '' },
        created: ({ id }) => located(`http://127.0.0.1:1/things/${id}`)(),
      },
    ],
  ])('%s', async (_, options) => {
    const run = await checked(options);
    expect(run.bodies.length).toBeGreaterThan(3);
    expect({ left: run.things, cells: reached(run), created: run.report.created }).toEqual({
      left: [],
      cells: ['covered', 'covered'],
      created: [],
    });
  });

  test('two equal creates have the envelope, too', async () => {
    const { report } = await checked({ body: named(), envelope: 'data' }, { recordExchanges: true });
    const own = report.exchanges?.entries.filter(({ caseId }) => caseId?.endsWith('/distinct-ids')) ?? [];
    const bodies = own.flatMap(({ request }) => (request.method === 'POST' ? [request.body] : []));
    expect(bodies).toEqual([expect.stringMatching(/^{"data":/), expect.stringMatching(/^{"data":/)]);
  });

  test('a Location of another origin is none', async () => {
    const run = await checked({
      body: named(),
      documented: empty,
      created: () => located('http://elsewhere.example/things/7')(),
      things: [{ id: 7, name: 'somebody' }],
    });
    expect(run.things).toContainEqual({ id: 7, name: 'somebody' });
  });
});

test.each([
  ['that fields of errors name', { fieldErrors: [{ field: 'note', message: 'unknown' }] }, 400],
  ['to which a pointer of an error leads', { errors: [{ pointer: '/note', detail: 'unknown' }] }, 406],
  ['of which nothing is said', {}, 500],
])('a body is repaired where nothing is made: a member %s', async (_, refused, status) => {
  const body = { required: true, content: { 'application/json': { schema: named({ note: text }) } } };
  const responses = { 200: { description: '' }, 400: { description: '' }, 406: { description: '' } };
  let taken = 0;
  const document = {
    openapi: '3.1.1',
    info: { title: 'Mode', version: '1' },
    paths: { '/mode': { put: { operationId: 'setMode', requestBody: body, responses } } },
  };
  const report = await runCheckOf(document, {
    fetch: async (_, { body: sent }) => {
      if (Buffer.from((sent as Uint8Array) ?? '').includes('"note"'))
        return Response.json(refused, { status });
      taken += 1;
      return Response.json({});
    },
    allow: ['setMode'],
    only: ['setMode/200/ordinary'],
    ...{ examples: 0, jobs: 1, settle: 0 },
  });
  const success = report.cells.find((one) => one.status === 200);
  expect(success?.verdict).toBe(status < 500 ? 'covered' : 'violated');
  expect(taken).toBeGreaterThan(0);
});

test('one record is sent where a body is one or several of them', async () => {
  const collections = ['/notes', '/tasks', '/plans', '/rooms'];
  const document = notesDocument({ collections }) as {
    paths: Record<string, { post?: { requestBody: { content: object } } }>;
  };
  const note = { $ref: '#/components/schemas/Note' };
  const content = { 'application/json': { schema: { oneOf: [{ type: 'array', items: note }, note] } } };
  for (const { post } of Object.values(document.paths)) if (post) post.requestBody.content = content;
  const { fetch } = createNotes({ collections });
  const beginnings = new Set<string>();
  await runCheckOf(document, {
    fetch: (url, init) => {
      if (init.method === 'POST') beginnings.add(Buffer.from(init.body as Uint8Array).toString('utf8', 0, 1));
      return fetch(url, init);
    },
    only: ['/201/ordinary', '/201/generated'],
    ...{ examples: 5, jobs: 1, settle: 0 },
  });
  expect([...beginnings]).toEqual(['{']);
});
