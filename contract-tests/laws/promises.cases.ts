import { basisOf, type Spot } from '#spec';
import { NO_CREDENTIAL } from '../send/credentials.ts';
import { HOLDS, type LawRow, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

const row = (title: string, given: readonly Step[], want: LawRow[1]['want'] = HOLDS): LawRow => [
  title,
  { given, want },
];
const DRIVER = { name: 'Ann', carrier_id: 'c1' };
const made = (active: boolean) => ask('createDriver', { body: DRIVER }, 201, { id: 'd1', ...DRIVER, active });
const quote = (total: number) =>
  ask('createQuote', { body: { service: 'economy', weight_kg: 1 } }, 200, {
    ...{ service: 'economy', total_cents: total },
    charges: [
      { label: 'Freight', amount_cents: 500 },
      { label: 'Toll', amount_cents: 19 },
    ],
  });
const ENDPOINT = { id: 'w1', url: 'https://a.example', events: ['invoice.paid'] };
const endpoint = (more: object) =>
  ask('getWebhookEndpoint', { path: { endpoint_id: 'w1' } }, 200, { ...ENDPOINT, ...more });
const refused = (pointer: string) =>
  ask('createDriver', { body: { name: 'Ann' } }, 400, {
    ...{ title: 'Invalid', status: 400 },
    errors: [{ pointer, detail: 'is required' }],
  });
const shipment = (status: string) => ({
  ...{
    id: 's1',
    object: 'shipment',
    status,
    reference: 'A',
    service: 'standard',
    insured: false,
    weight_kg: 1,
  },
  ...{ parcel_count: 0, created_at: '2026-01-01T00:00:00Z' },
  destination: { name: 'Mills', street: 'Quay 4', city: 'Bremen', country: 'DE' },
});
const begun = (status: string) =>
  ask(
    'createShipment',
    { body: { reference: 'A', weight_kg: 1, destination: shipment('').destination } },
    201,
    shipment(status),
    { Location: '/v2/shipments/s1' },
  );
const S1 = { path: { shipment_id: 's1' } };
const read = (status: string) => ask('getShipment', S1, 200, shipment(status));
const cancel = (status: string) => ask('cancelShipment', S1, 200, shipment(status));
const kept = ask('cancelShipment', S1, 409, { title: 'No', status: 409 });
const LINES = [{ text: 'Freight', amount_cents: 1 }];
const KEYED = { headers: [['idempotency-key', 'k1']] as const };
const bill = (customer: string, id: string) =>
  ask('createInvoice', { ...KEYED, body: { customer, lines: LINES } }, 201, {
    ...{ id, status: 'open', customer, currency: 'EUR', lines: LINES, total_cents: 1 },
  });
const put = ask('putInstructions', { ...S1, body: 'Ring twice. ' }, 204);
const text = (body: string) => ask('getInstructions', S1, 200, body);
const CARRIERS = ['c1', 'c2'].map((id) => ({
  ...{ id, code: 'NORD', name: 'North, East', country: 'DE' },
  contacts: [{ role: 'dispatcher', phone: '+49301234' }],
}));
const inJson = ask('listCarriers', {}, 200, CARRIERS);
const table = (csv: string) => ask('listCarriers', {}, 200, csv, { 'Content-Type': 'text/csv' });
const C1 = { path: { carrier_id: 'c1' } };
const got = ask('getCarrier', C1, 200, CARRIERS[0], { ETag: '"1"' });

const invoices = (...totals: number[]) => invoicesBy({}, totals);
const invoicesBy = (input: object, totals: number[]) =>
  ask(
    'listInvoices',
    input,
    200,
    totals.map((total, index) => ({
      ...{ id: `i${index}`, status: 'open', customer: 'Mills', currency: 'EUR', total_cents: total },
      lines: [{ text: 'Freight', amount_cents: total }],
    })),
  );
const sums = (count: number, total: number, input: object = {}) =>
  ask('summarizeInvoices', input, 200, { count, total_cents: total });
const OPEN = { query: { status: 'open' } };
const shipments = ask('listShipments', {}, 200, {
  ...{ object: 'list', has_more: false },
  data: ['draft', 'booked', 'draft'].map((status, index) => ({ ...shipment(status), id: `s${index}` })),
});
const states = (by: object) => ask('summarizeShipments', {}, 200, { count: 3, by_status: by, weight_kg: 3 });
const PARCEL = {
  id: 'p1',
  shipment_id: 's1',
  description: 'A box',
  dimensions_cm: [1, 2, 3],
  fragile: false,
};
const parcels = ask('listParcels', S1, 200, [PARCEL]);
const shownWith = (count: number) =>
  ask('getShipment', S1, 200, { ...shipment('draft'), parcel_count: count });
const issued = basisOf(['name'], {} as Spot);
const withEnded = (status: number, body: unknown) =>
  ask('listCarriers', { refused: NO_CREDENTIAL, issued }, status, body);

const VISIT = { id: 'v1', note: 'a', room: null, status: 'open', reason: null };
const visit = (sent: object, shown: object) =>
  ask('createVisit', { body: { note: 'a', ...sent } }, 201, { ...VISIT, ...shown });
const ON_VISIT = { path: { visit_id: 'v1' } };
const cancelled = (reason: string | null) =>
  ask('cancelVisit', { ...ON_VISIT, body: { reason: 'Ill', note: 'b' } }, 200, {
    ...VISIT,
    ...{ status: 'cancelled', reason },
  });
const paid = ask('payVisit', { ...ON_VISIT, body: { amount: 1 } }, 201, {
  id: 'p1',
  amount: 1,
  status: 'made',
});

export const PROMISE_CASES: LawTable = {
  default: [
    row('the default', [made(true)]),
    row(
      'another value',
      [made(false)],
      ['presumed default: active false, which was not sent | active true by default'],
    ),
    row('the default in a list', [
      visit({ lines: [{ text: 'a' }] }, { lines: [{ text: 'a', quantity: 1 }] }),
    ]),
    row(
      'another value in a list',
      [visit({ lines: [{ text: 'a' }] }, { lines: [{ text: 'a', quantity: 2 }] })],
      ['presumed default: lines[0].quantity 2, which was not sent | lines[0].quantity 1 by default'],
    ),
    row('the state of new ones', [begun('draft')]),
    row('another state', [begun('booked')], ['default: status "booked" of a new record | status "draft"']),
  ],
  numbers: [
    row('the sum', [quote(519)]),
    row(
      'another sum',
      [quote(500)],
      [
        'presumed numbers: total_cents 500, where the sum of amount_cents of charges is 519 | total_cents: The sum of `charges`.',
      ],
    ),
  ],
  tallies: [
    row('what the lists show', [invoices(1, 2), sums(2, 3), invoices(1, 2)]),
    row('a list that changes meanwhile', [invoices(1), sums(2, 3), invoices(1, 2)], 'not judged'),
    row(
      'another count',
      [invoices(1, 2), sums(3, 3), invoices(1, 2)],
      ['tallies: count 3 | 2, as listInvoices before and after shows'],
    ),
    row(
      'another sum',
      [invoices(1, 2), sums(2, 4), invoices(1, 2)],
      ['tallies: total_cents 4 | 3, as listInvoices before and after shows'],
    ),
    row('those of one state', [invoicesBy(OPEN, [1, 2]), sums(2, 3, OPEN), invoicesBy(OPEN, [1, 2])]),
    row(
      'another count of one state',
      [invoicesBy(OPEN, [1, 2]), sums(3, 3, OPEN), invoicesBy(OPEN, [1, 2])],
      ['tallies: count 3 | 2, as listInvoices before and after shows'],
    ),
    row('all, between lists of one state', [invoicesBy(OPEN, [1, 2]), sums(3, 9), invoicesBy(OPEN, [1, 2])]),
    row('zeros', [shipments, states({ draft: 2, booked: 1, cancelled: 0 }), shipments]),
    row(
      'a state that is not counted',
      [shipments, states({ draft: 2 }), shipments],
      [
        'presumed tallies: by_status {"draft":2} | {"draft":2,"booked":1}, as listShipments before and after shows',
      ],
    ),
    row('those below', [parcels, shownWith(1), parcels]),
    row(
      'others than those below',
      [parcels, shownWith(7), parcels],
      ['tallies: parcel_count 7 | 1, as listParcels before and after shows'],
    ),
  ],
  'ended-key': [
    row('is refused', [withEnded(401, { title: 'No', status: 401 })]),
    row(
      'is let in',
      [withEnded(200, [])],
      ['presumed ended-key: 200: [] to a key that has ended | 401: it is revoked, or has expired'],
    ),
  ],
  'shown-once': [
    row('no secret', [endpoint({})]),
    row('a mask', [endpoint({ secret: 'we_…7Qx' })]),
    row(
      'the secret',
      [endpoint({ secret: 'we_7Qx' })],
      ['presumed shown-once: a value of secret | no secret: the response to a create alone has it'],
    ),
  ],
  'error-pointer': [
    row('what is wrong', [refused('/carrier_id')]),
    row('what lacks it', [refused('')]),
    row(
      'another member',
      [refused('/name')],
      ['presumed error-pointer: errors about "/name" | a JSON Pointer to /carrier_id'],
    ),
  ],
  action: [
    row('keeps what only it takes', [cancelled('Ill')]),
    row(
      'does not keep what only it takes',
      [cancelled(null)],
      ['presumed action: reason null after cancelVisit | reason "Ill"'],
    ),
    row('makes one of several parts', [paid, ask('getVisit', ON_VISIT, 200, VISIT)]),
    row('is done', [read('booked'), cancel('cancelled'), read('cancelled')]),
    row('is refused', [read('delivered'), kept, read('delivered')]),
    row(
      'is not done',
      [cancel('booked')],
      ['presumed action: status "booked" after cancelShipment | status "cancelled"'],
    ),
    row(
      'is refused, and done',
      [read('delivered'), kept, read('cancelled')],
      ['presumed action: status "cancelled" after cancelShipment was refused | "delivered" as before'],
    ),
  ],
  'key-once': [
    row('the first record again', [bill('A', 'i1'), bill('A', 'i1')]),
    row(
      'another record',
      [bill('A', 'i1'), bill('A', 'i2')],
      [
        'presumed key-once: the id "i2" for a repeated idempotency-key | the id "i1", as for the first request',
      ],
    ),
    row(
      'another body',
      [bill('A', 'i1'), bill('B', 'i2')],
      ['presumed key-once: 201 to another body with the same idempotency-key | 422'],
    ),
  ],
  'read-as-put': [
    row('the same bytes', [put, text('Ring twice. ')]),
    row(
      'a trimmed text',
      [put, text('Ring twice.')],
      ['presumed read-as-put: 11 bytes: "Ring twice." | the 12 bytes that were put: "Ring twice. "'],
    ),
  ],
  'head-as-get': [
    row('the same tag', [got, ask('headCarrier', C1, 200, undefined, { ETag: '"1"' })]),
    row(
      'another tag',
      [got, ask('headCarrier', C1, 200, undefined, { ETag: '"2"' })],
      ['presumed head-as-get: ETag "2" to HEAD | ETag "1", as to GET'],
    ),
  ],
  'table-as-list': [
    row('each row', [inJson, table('id,name\r\nc1,"North, East"\r\nc2,"North, East"\r\n')]),
    row(
      'a row too few',
      [inJson, table('id,name\nc1,North')],
      ['presumed table-as-list: 1 rows below the headings | 2, as many as the list in JSON has'],
    ),
    row(
      'a comma that is not quoted',
      [inJson, table('id,name\nc1,North\nc2,North, East')],
      ['presumed table-as-list: a row of 3 fields: "c2,North, East" | 2 fields (RFC 4180)'],
    ),
  ],
};
