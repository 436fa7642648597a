import { type MockFault, mockOf, mockOfPackage, response, store } from '../mock-faults.ts';
import { differences, type Service } from '../suspect.ts';

const removeLater = store(({ read, remove }) => ({
  async remove(collection, id, where) {
    const exists = (await read(collection, id, where)) !== undefined;
    // The suite waits for longer.
    if (exists) setTimeout(remove, 300, collection, id, where).unref();
    return exists;
  },
}));

const addRevision = response('replace', (given) => ({
  ...given,
  body: String(given.body).replace(/}$/, ',"revision":2}'),
}));

const [trainTravel, galaxy] = [
  '@readme/oas-examples/3.1/yaml/train-travel.yaml',
  '@scalar/galaxy/dist/latest.yaml',
];

/** Each document as it is; the names of these end so for the judges of the hunt. */
const PLAIN: readonly (readonly [string, Service<MockFault>])[] = [
  ...[
    ...[
      'archives',
      'bicycles',
      'bookings',
      'couriers',
      'dispatches',
      'festival',
      'fleet',
      'kennels',
      'libraries',
    ],
    ...['moorings', 'orchards', 'parcels', 'shelter', 'tide-gauges', 'warehouse', 'wiki'],
  ].map((name) => [name, mockOf(`${name}.yaml`)] as const),
  ['notices', mockOf('notices/openapi.yaml')],
  ['train-travel', mockOfPackage(trainTravel)],
  ['galaxy', mockOfPackage(galaxy)],
];
const EMPTY = ['fleet', 'kennels', 'libraries', 'orchards', 'shelter', 'warehouse'].map(
  (name) => [name, mockOf(`${name}.yaml`, { count: 0 })] as const,
);

export const otherDocumentsLookalikes = [
  ...differences({ 'slow to forget': removeLater, 'more members': addRevision }, [
    ['libraries', mockOf('libraries.yaml')],
  ]),
  ...differences<MockFault>({ full: {} }, [['warehouse', mockOf('warehouse.yaml', { count: 1000 })]]),
  ...differences<MockFault>({ empty: {} }, [
    ...EMPTY,
    ['notices', mockOf('notices/openapi.yaml', { count: 0 })],
  ]),
  ...differences<MockFault>({ 'as it is': {} }, PLAIN),
];
