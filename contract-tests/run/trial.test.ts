import { describe, expect, test, vi } from 'vitest';
import type { Operation } from '#spec';
import { markIn } from '../laws/mark.ts';
import { FateUnknown, type WireRequest, type WireResponse } from '../send/wire.ts';
import { inMemoryRun, type RunOptions } from '../testing/drive-cases.ts';
import { NotReached } from './not-reached.ts';
import type { Shared } from './shared-work.ts';
import { Trial } from './trial.ts';

// A clock of the test's own: time passes while the suite waits, and at no other time.
const clock = vi.hoisted(() => ({ now: 0 }));
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    clock.now += ms;
  },
}));
vi.spyOn(performance, 'now').mockImplementation(() => clock.now);

const json = (status: number, body: unknown, headers: WireResponse['headers'] = []): WireResponse => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body: Buffer.from(JSON.stringify(body)),
  cut: false,
  ms: 1,
});

const BODY = { name: 'Hazel', categoryId: 3 };
const pets = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, ...BODY }));

/** A case of an operation, and the run behind it. */
function trialOf(operationId: string, status: number, options: RunOptions = {}) {
  const { run, requests, client, marks } = inMemoryRun(operationId, options);
  const find = (id: string) => run.plan.contract.operations.find((one) => one.id === id) as Operation;
  const trial = new Trial(
    run,
    { id: 'the/case', operation: find(operationId), status },
    { place: [0], client, marks },
  );
  const told = () =>
    trial.findings.map(
      ({ law, received, operationId, status }) => `${operationId} ${status} ${law}: ${received}`,
    );
  return { trial, run, requests, find, told };
}

/** Gives the responses one after the other, the last one for ever. */
function inTurn(...responses: WireResponse[]) {
  let count = 0;
  return () => {
    count += 1;
    return responses[Math.min(count, responses.length) - 1] as WireResponse;
  };
}

type Row = [
  title: string,
  row: {
    given: {
      operation: string;
      query?: Readonly<Record<string, unknown>>;
      body?: unknown;
      options?: RunOptions;
      responses: readonly WireResponse[];
    };
    want: { requests: number; findings: readonly string[]; covered?: boolean };
  },
];

describe('one request', () => {
  test.each<Row>([
    [
      'a sound response covers the cell of the case',
      {
        given: { operation: 'listPets', responses: [json(200, pets(1))] },
        want: { requests: 1, findings: [], covered: true },
      },
    ],
    [
      'a breach that cannot settle counts at once',
      {
        given: {
          operation: 'listPets',
          query: { limit: 1 },
          options: { settle: 1000 },
          responses: [json(200, pets(2))],
        },
        want: { requests: 1, findings: ['listPets 200 page-size: 2 records'] },
      },
    ],
    [
      'an unsafe request is not repeated',
      {
        given: {
          operation: 'createPet',
          body: BODY,
          options: { settle: 1000 },
          responses: [json(201, { id: 1, ...BODY, name: 'Quill' })],
        },
        want: { requests: 1, findings: ['createPet 201 created-equals-sent: name "Quill"'] },
      },
    ],
    [
      'what breaks one line of the document several times is one finding',
      {
        given: {
          operation: 'listPets',
          responses: [
            json(
              200,
              pets(3).map((pet) => ({ ...pet, name: 1 })),
            ),
          ],
        },
        want: { requests: 1, findings: ['listPets 200 schema: [0].name is 1 (and 2 more like it)'] },
      },
    ],
    [
      'a target without state is held to the response alone',
      {
        given: {
          operation: 'listPets',
          query: { limit: 1 },
          options: { stateless: true },
          responses: [json(200, pets(2))],
        },
        want: { requests: 1, findings: [], covered: true },
      },
    ],
  ])('%s', async (_, { given: { operation, query, body, options, responses }, want }) => {
    const { trial, requests, find, told } = trialOf(operation, body ? 201 : 200, {
      ...options,
      respond: inTurn(...responses),
    });
    const input = { ...(query && { query }), ...(body !== undefined && { body }) };
    await trial.send(find(operation), input);
    expect(told()).toEqual(want.findings);
    expect(requests).toHaveLength(want.requests);
    expect(trial.covered).toBe(want.covered ?? false);
  });

  test('is repeated while a record of the run is missing in a list', async () => {
    const created = { id: 1, ...BODY };
    const respond = inTurn(json(201, created), json(200, []), json(200, [created]));
    const { trial, requests, find, told } = trialOf('createPet', 201, { settle: 1000, respond });
    await trial.send(find('createPet'), { body: BODY });
    await trial.send(find('listPets'), {});
    expect(told()).toEqual([]);
    expect(requests).toEqual(['POST /pets {"name":"Hazel","categoryId":3}', 'GET /pets', 'GET /pets']);
  });

  test('becomes a finding of the case when the time to settle is over, and is waited for three times', async () => {
    const respond = inTurn(json(201, { id: 1, ...BODY }), json(200, []));
    const { trial, requests, find, told } = trialOf('createPet', 201, { settle: 1000, respond });
    await trial.send(find('createPet'), { body: BODY });
    for (let count = 0; count < 3; count++) {
      const before = requests.length;
      await trial.send(find('listPets'), { query: { limit: 100 } });
      expect(requests.length - before).toBe(6);
    }
    const before = requests.length;
    await trial.send(find('listPets'), { query: { limit: 100 } });
    expect(requests.length - before).toBe(1);
    expect(told()).toEqual([
      expect.stringMatching(/^createPet 201 created-is-listed: a complete list of 0 without id 1/),
    ]);
  });

  test('of another operation than that of the case is a finding of its own cell', async () => {
    const { trial, find, told } = trialOf('createPet', 201, { respond: inTurn(json(200, [{ id: 1 }])) });
    await trial.send(find('listPets'), {});
    expect(told()).toEqual([
      'listPets 200 schema: [0].name is missing',
      'listPets 200 schema: [0].categoryId is missing',
    ]);
    expect(trial.covered).toBe(false);
  });
});

describe('a sequence of requests', () => {
  const drive = (trial: Trial, list: Operation) => async () => {
    await trial.send(list, { query: { limit: 20 } });
    await trial.send(list, {});
  };

  test.each<
    [string, { given: { settle: number; counts: number[] }; want: { requests: number; findings: string[] } }]
  >([
    [
      'is sent once where nothing is broken',
      { given: { settle: 1000, counts: [3, 3] }, want: { requests: 2, findings: [] } },
    ],
    [
      'is repeated as a whole',
      { given: { settle: 1000, counts: [3, 2, 3, 3] }, want: { requests: 4, findings: [] } },
    ],
    [
      'counts by its last round',
      {
        given: { settle: 0, counts: [3, 2] },
        want: {
          requests: 2,
          findings: ['listPets 200 page-default: 2 records without limit, 3 with limit=20'],
        },
      },
    ],
    [
      'keeps a breach that cannot settle, whatever later rounds show',
      {
        given: { settle: 1000, counts: [21, 20, 20, 20] },
        want: { requests: 4, findings: ['listPets 200 page-size: 21 records'] },
      },
    ],
  ])('%s', async (_, { given: { settle, counts }, want }) => {
    const respond = inTurn(...counts.map((count) => json(200, pets(count))));
    const { trial, requests, find, told } = trialOf('listPets', 200, { settle, respond });
    await trial.settle(drive(trial, find('listPets')));
    expect(told()).toEqual(want.findings);
    expect(requests).toHaveLength(want.requests);
  });

  test('that cannot be sent to its end throws, and later requests are judged at once', async () => {
    const { trial, find, told } = trialOf('listPets', 200, { respond: inTurn(json(500, {}), json(404, {})) });
    await expect(trial.settle(() => Promise.reject(new NotReached('no record')))).rejects.toThrow(
      'no record',
    );
    await trial.send(find('listPets'), { expected: { status: 200 } });
    expect(told()).toContain('listPets 200 status: 500: {}');
  });
});

describe('the environment', () => {
  test('a create that nobody meant to succeed stands in the ledger', async () => {
    const { trial, run, find } = trialOf('createPet', 400, {
      respond: inTurn(json(201, { id: 9, ...BODY })),
    });
    await trial.send(find('createPet'), { body: { name: 'paddock-x-1n' } });
    expect(run.log.ledger.records).toMatchObject([
      { operationId: 'createPet', caseId: 'the/case', mark: 'paddock-x-1n', id: 9 },
    ]);
  });

  test('of a record whose change broke off nothing is expected', async () => {
    const respond = (request: WireRequest, service: { respond(request: WireRequest): WireResponse }) => {
      if (request.method === 'PUT') throw new FateUnknown('the connection was closed');
      return service.respond(request);
    };
    const { trial, run, find } = trialOf('add_article', 201, { respond });
    const body = { label: 'Nut', unit: 'piece', price: 1, barcode: null };
    await trial.send(find('add_article'), { body });
    expect(run.session.model.records).toHaveLength(1);
    const change = trial.send(find('replace_article'), { path: { article_no: 101 }, body });
    await expect(change).rejects.toThrow('the connection was closed');
    expect(run.session.model.records).toEqual([]);
  });

  test.each<[string, { given: WireResponse; want: string }]>([
    [
      'a response that is too long',
      { given: { ...json(200, {}), cut: true }, want: 'the response is larger than 16 MiB' },
    ],
    [
      'an operation that was removed on its day',
      { given: json(410, {}, [['Date', 'Fri, 06 Dec 2030 00:00:00 GMT']]), want: 'removed' },
    ],
  ])('%s leaves the case not reached', async (_, { given, want }) => {
    const { trial, find } = trialOf('getPet', 200, { respond: () => given });
    await expect(trial.send(find('getPet'), { path: { petId: 1 } })).rejects.toThrow(want);
    expect(trial.findings).toEqual([]);
  });
});

describe('marks', () => {
  const orders = [0, 4, 5, 9_998, 9_999, 10_000, 99_998, 100_000, 1_100_000];

  /** Of cases, their parts, and the work that they share; each is made twice, as a case that is run again. */
  async function marksOfAll(): Promise<Map<string, string>> {
    const { trial, run } = trialOf('listPets', 200);
    const { resources, operations } = run.plan.contract;
    const all = new Map<string, string>();
    const note = (owner: string, { marks }: Trial) => {
      for (let count = 0; count < 12; count++) {
        const mark = marks.next();
        if (all.has(mark)) throw new Error(`${mark} is of ${all.get(mark)} and of ${owner}`);
        all.set(mark, owner);
      }
    };
    for (const round of ['first', 'again'])
      for (const order of orders) {
        const one = new Trial(run, trial.case, { place: [order], client: trial.client });
        note(`case ${order} ${round}`, one);
        const parts = Array.from({ length: 12 }, (_, index) => async (part: Trial) => {
          note(`part ${index} of case ${order} ${round}`, part);
          const within = async (inner: Trial) =>
            note(`part of part ${index} of case ${order} ${round}`, inner);
          await part.together([within]);
        });
        await one.together(parts);
      }
    for (const round of ['first', 'again'])
      for (const key of [...resources, ...operations])
        await trial.share(new Map(), key, async (shared) => note(`shared ${key.path} ${round}`, shared));
    return all;
  }

  test('of cases, parts and shared work are never equal, nor does one begin another', async () => {
    const marks = [...(await marksOfAll()).keys()].sort();
    expect(marks.filter((mark, index) => marks[index + 1]?.startsWith(mark))).toEqual([]);
    for (const mark of marks) expect(markIn(`{"name":"a ${mark}1"}`, 'paddock-x')).toBe(mark);
  });

  test('have the order in the ledger in which they were made', () => {
    const { run } = trialOf('createPet', 201);
    const owner = run.plan.marks.of('12c').of('3p');
    const made = Array.from({ length: 120 }, () => owner.next());
    const record = { operationId: 'createPet', caseId: 'the/case', id: 1, certain: true };
    for (const mark of made.toReversed()) run.log.ledger.note({ ...record, mark }, [11, 3], false, false);
    expect(run.log.ledger.inOrderOf(['the/case']).map(({ mark }) => mark)).toEqual(made);
  });
});

test('shared work that needs other work which needs it ends with a reason', async () => {
  const { trial } = trialOf('listPets', 200);
  const { operations } = trial.plan.contract;
  const [first, second] = operations as [Operation, Operation];
  const known = new Map<Operation, Shared<string>>();
  const needing =
    (other: Operation) =>
    (shared: Trial): Promise<string> =>
      shared.share(known, other, other === first ? needing(second) : needing(first));
  const outcomes = await Promise.allSettled([
    trial.share(known, first, needing(second)),
    trial.share(known, second, needing(first)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(known.size).toBe(0);
});

test('shared work is done once, and may build on other work', async () => {
  const { trial } = trialOf('listPets', 200);
  const [first, second] = trial.plan.contract.operations as [Operation, Operation];
  const known = new Map<Operation, Shared<string>>();
  const inner = vi.fn(async () => 'inner');
  const outer = (shared: Trial) => shared.share(known, second, inner);
  const values = await Promise.all([trial.share(known, first, outer), trial.share(known, second, inner)]);
  expect(values).toEqual(['inner', 'inner']);
  expect(inner).toHaveBeenCalledTimes(1);
});
