import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract, stringifyJson } from '#spec';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse } from '../send/response.ts';
import { judgeExchange } from './all-laws.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import type { LawName } from './law.ts';
import { createRecordModel } from './record-model.ts';

type Data = Record<string, unknown>;
type Sent = [operationId: string, input: RequestInput, body: unknown, status?: number];

const FLEET = fileURLToPath(new URL('../../fixtures/specs/fleet.yaml', import.meta.url));
let contract: Contract;

beforeAll(async () => {
  contract = await loadContract(FLEET);
});

/** The laws that a sequence of exchanges breaks. */
function brokenBy(sequence: readonly Sent[]): LawName[] {
  const model = createRecordModel();
  const target = { base: new URL('http://127.0.0.1/api'), apiKey: 'k', headers: [] };
  const earlier: Evidence[] = [];
  const broken: LawName[] = [];
  for (const [id, input, json, given] of sequence) {
    const operation = contract.operations.find((one) => one.id === id);
    if (!operation) throw new Error(`there is no ${id}`);
    const request = planRequest(target, operation, input);
    const status = given ?? (operation.method === 'POST' ? 201 : 200);
    const response = decodeResponse({
      ...{ status, ms: 1, cut: false, headers: [['content-type', 'application/json']] as const },
      body: Buffer.from(stringifyJson(json)),
    });
    const exchange = { operation, input, request, response };
    const evidence = gatherEvidence(exchange, { contract, model, earlier: [...earlier] });
    const judgements = judgeExchange(evidence);
    broken.push(...judgements.map(({ breach }) => breach.law));
    model.observe(evidence, judgements.length === 0);
    earlier.push(evidence);
  }
  return [...new Set(broken)];
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const van = (n: number, more: Data = {}): Data => ({
  ...{ id: uuid(n), kind: 'Van', label: `van ${n}`, depot: 'hill', electric: false, plate: 'FL-0001' },
  ...{ registered: '2024-01-01T00:00:00Z', registeredOn: '2024-01-01', revision: 1, verified: true },
  ...more,
});

/** Pages of two of so many vans. */
const list = (offset: number, ids: readonly number[], total = 5, limit = 2): Sent => [
  'listVehicles',
  { query: { offset, limit } },
  { meta: { total }, vehicles: ids.map((id) => van(id)) },
];
const all = list(0, [1, 2, 3, 4, 5], 5, 40);
const walk = [list(0, [1, 2]), list(2, [3, 4]), list(4, [5])];

const PAGES: [name: string, { given: Sent[]; want: LawName[] }][] = [
  ['two equal walks through all', { given: [all, ...walk, ...walk, all], want: [] }],
  [
    'a page that repeats the one before',
    { given: [list(0, [1, 2]), list(2, [1, 2]), list(0, [1, 2])], want: ['distinct-pages'] },
  ],
  [
    'a record that moved to the next page while others wrote',
    { given: [list(0, [1, 2]), list(2, [2, 3]), list(0, [9, 1])], want: [] },
  ],
  [
    'a record that is on no page, and in the list before and after',
    {
      given: [all, ...[1, 2].flatMap(() => [list(0, [1, 2]), list(2, [4, 5]), list(4, [])]), all],
      want: ['complete-pages'],
    },
  ],
  [
    'walks with different results',
    { given: [all, ...walk, list(0, [1, 2]), list(2, [4, 5]), list(4, []), all], want: [] },
  ],
  [
    'a walk that is refused behind the last page',
    {
      given: [
        list(0, [1, 2], 4, 40),
        ...[1, 2].flatMap((): Sent[] => [
          list(0, [1, 2], 2),
          ['listVehicles', { query: { offset: 2, limit: 2 } }, { slug: 'x', text: 'x' }, 404],
        ]),
        list(0, [1, 2], 4, 40),
      ],
      want: [],
    },
  ],
  ['a total that is greater', { given: [list(0, [1, 2], 500)], want: [] }],
  ['a total that is less than a page', { given: [list(0, [1, 2], 1)], want: ['total'] }],
  [
    'a total that is less than what is before and on a page',
    { given: [list(2, [3, 4], 3)], want: ['total'] },
  ],
  ['the last page again, behind the last', { given: [list(40, [4, 5], 5)], want: [] }],
  [
    'a total that counts one page only',
    { given: [list(0, [1, 2], 2), list(2, [3, 4], 2), list(0, [1, 2], 2)], want: ['total'] },
  ],
];

describe('pages', () => {
  it.each(PAGES)('%s', (_name, { given, want }) => {
    expect(brokenBy(given)).toEqual(want);
  });
});

const input = (path: Data, body?: unknown): RequestInput => ({ path, ...(body !== undefined && { body }) });
const sentVan = { kind: 'Van', label: 'van 7', depot: 'hill', electric: false, plate: 'FL-0001' };
const trip = (more: Data = {}) => ({
  id: 1,
  purpose: 'p',
  kilometres: 2,
  noted: '2024-01-01T00:00:00Z',
  ...more,
});
const create = (body: Data, got: Data): Sent => ['addVehicle', input({}, body), got];
const inVan = (n: number) => ({ vehicleId: uuid(n) });
const tripOf = (n: number) => ({ ...inVan(n), tripId: 1 });
const MARKED = { purpose: 'paddock-k1-1', kilometres: 2, driver: 'Ann' };
const made: Sent[] = [
  create(sentVan, van(7)),
  create(sentVan, van(8, { label: 'van 7' })),
  ['startTrip', input(inVan(7), MARKED), trip(MARKED)],
  ['getTrip', input(tripOf(7)), trip(MARKED)],
];
const patch = (got: Data): Sent => ['correctTrip', input(tripOf(7), { driver: null }), trip(got)];
const flags = (values: readonly boolean[], echo: (sent: boolean) => boolean) =>
  values.map((verified, n) =>
    create({ ...sentVan, verified }, van(100 + n, { label: 'van 7', verified: echo(verified) })),
  );
const SIX = [true, false, false, true, true, false];
const { driver: _, ...left } = MARKED;

const VALUES: [name: string, { given: Sent[]; want: LawName[] }][] = [
  ['an id of its own', { given: [create({ ...sentVan, id: uuid(1) }, van(7))], want: [] }],
  [
    'the id that the client sent',
    { given: [create({ ...sentVan, id: uuid(7) }, van(7))], want: ['read-only-ignored'] },
  ],
  [
    'an instant that the client sent, spelled in another way',
    {
      given: [
        create(
          { ...sentVan, registered: '1987-03-14T15:09:26Z' },
          van(7, { registered: '1987-03-14T15:09:26.000Z' }),
        ),
      ],
      want: ['read-only-ignored'],
    },
  ],
  ['each of six flags as sent', { given: flags(SIX, (sent) => sent), want: ['read-only-ignored'] }],
  ['a flag that is always true', { given: flags(SIX, () => true), want: [] }],
  ['null removes', { given: [...made, patch(left), ['getTrip', input(tripOf(7)), trip(left)]], want: [] }],
  ['null is ignored', { given: [...made, patch(MARKED)], want: ['null-removes'] }],
  [
    'null changes the response only',
    { given: [...made, patch(left), ['getTrip', input(tripOf(7)), trip(MARKED)]], want: ['null-removes'] },
  ],
  ['below its own parent', { given: [...made, ['listTrips', input(inVan(7)), [trip(MARKED)]]], want: [] }],
  ['another trip with the same id', { given: [...made, ['listTrips', input(inVan(8)), [trip()]]], want: [] }],
  [
    'below another parent',
    { given: [...made, ['listTrips', input(inVan(8)), [trip(MARKED)]]], want: ['apart-by-parent'] },
  ],
  [
    'a van that is called a bicycle',
    { given: [['getVehicle', input(inVan(9)), van(9, { kind: 'bicycle' })]], want: ['discriminator'] },
  ],
  [
    'a kind that names no variant',
    { given: [['getVehicle', input(inVan(9)), van(9, { kind: 'truck' })]], want: [] },
  ],
];

describe('values', () => {
  it.each(VALUES)('%s', (_name, { given, want }) => {
    expect(brokenBy(given)).toEqual(want);
  });
});
