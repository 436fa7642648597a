import { van, vanId } from '../testing/fleet.ts';
import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

type Data = Readonly<Record<string, unknown>>;

const SENT = { kind: 'Van', label: 'van 7', depot: 'hill', electric: false, plate: 'FL-0001' };
const create = (body: Data, got: Data): Step => ask('addVehicle', { body }, 201, got);
const getVan = (n: number, more: Data): Step =>
  ask('getVehicle', { path: { vehicleId: vanId(n) } }, 200, van(n, more));

const inVan = (n: number) => ({ vehicleId: vanId(n) });
const trip = (more: Data = {}): Data => ({
  id: 1,
  purpose: 'p',
  kilometres: 2,
  noted: '2024-01-01T00:00:00Z',
  ...more,
});
const MARKED = { purpose: 'paddock-k1-1n', kilometres: 2, driver: 'Ann' };
const { driver: _, ...LEFT } = MARKED;
const path = { ...inVan(7), tripId: 1 };
const getTrip = (got: Data): Step => ask('getTrip', { path }, 200, trip(got));
const patch = (got: Data): Step => ask('correctTrip', { path, body: { driver: null } }, 200, trip(got));
const listTrips = (n: number, got: Data): Step => ask('listTrips', { path: inVan(n) }, 200, [trip(got)]);
/** A trip of one van, and another van without a trip. */
const MADE = [
  create(SENT, van(7)),
  create(SENT, van(8, { label: 'van 7' })),
  ask('startTrip', { path: inVan(7), body: MARKED }, 201, trip(MARKED)),
  getTrip(MARKED),
];

const NULL_KEPT =
  'null-removes: driver "Ann", as before | no driver, since null in a merge patch removes a member (RFC 7396)';

const flags = (echo: (sent: boolean) => boolean): Step[] =>
  [true, false, false, true, true, false].map((verified, n) =>
    create({ ...SENT, verified }, van(100 + n, { label: 'van 7', verified: echo(verified) })),
  );

export const VALUE_CASES: LawTable = {
  'read-only-ignored': [
    ['an id of its own', { given: [create({ ...SENT, id: vanId(1) }, van(7))], want: HOLDS }],
    [
      'the id that the client sent',
      {
        given: [create({ ...SENT, id: vanId(7) }, van(7))],
        want: [`read-only-ignored: id "${vanId(7)}", as the client sent it | id is read-only`],
      },
    ],
    [
      'an instant that the client sent, spelled in another way',
      {
        given: [
          create(
            { ...SENT, registered: '1987-03-14T15:09:26Z' },
            van(7, { registered: '1987-03-14T15:09:26.000Z' }),
          ),
        ],
        want: [
          'read-only-ignored: registered "1987-03-14T15:09:26.000Z", as the client sent it | registered is read-only',
        ],
      },
    ],
    [
      'each of six flags as sent',
      {
        given: flags((sent) => sent),
        want: ['read-only-ignored: verified true, as the client sent it | verified is read-only'],
      },
    ],
    ['a flag that is always true', { given: flags(() => true), want: HOLDS }],
  ],
  'null-removes': [
    ['null removes', { given: [...MADE, patch(LEFT), getTrip(LEFT)], want: HOLDS }],
    ['null is ignored', { given: [...MADE, patch(MARKED)], want: [NULL_KEPT] }],
    ['null changes the response only', { given: [...MADE, patch(LEFT), getTrip(MARKED)], want: [NULL_KEPT] }],
  ],
  'apart-by-parent': [
    ['below its own parent', { given: [...MADE, listTrips(7, MARKED)], want: HOLDS }],
    ['another trip with the same id', { given: [...MADE, listTrips(8, {})], want: HOLDS }],
    [
      'below another parent',
      {
        given: [...MADE, listTrips(8, MARKED)],
        want: [
          `apart-by-parent: ${JSON.stringify(trip(MARKED))} below ${JSON.stringify(inVan(8))} | it below ${JSON.stringify(inVan(7))} only, where it was made`,
        ],
      },
    ],
  ],
  discriminator: [
    [
      'a van that is called a bicycle',
      {
        given: [getVan(9, { kind: 'bicycle' })],
        want: ['discriminator: frame is missing | frame is required, since kind is "bicycle"'],
      },
    ],
    ['a kind that names no variant', { given: [getVan(9, { kind: 'truck' })], want: HOLDS }],
  ],
};
