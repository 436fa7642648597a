import { mockOf, mockOfPackage, response, store } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';

/** The mock of a document as it is: its name, its file, and how many records it starts with. */
const PLAIN = [
  ['warehouse', 'warehouse.yaml', 'as-it-is', 'a warehouse that keeps its document', {}],
  ['libraries', 'libraries.yaml', 'as-it-is', 'libraries that keep their document', {}],
  ['tide-gauges', 'tide-gauges.yaml', 'as-it-is', 'gauges that keep their document', {}],
  ['notices', 'notices/openapi.yaml', 'as-it-is', 'notices that keep their document', {}],
  ['bicycles', 'bicycles.yaml', 'as-it-is', 'stands that keep their document', {}],
  ['bookings', 'bookings.yaml', 'as-it-is', 'bookings that keep their document', {}],
  ['archives', 'archives.yaml', 'as-it-is', 'an archive that keeps its document', {}],
  ['moorings', 'moorings.yaml', 'as-it-is', 'moorings that keep their document', {}],
  ['parcels', 'parcels.yaml', 'as-it-is', 'parcels that keep their document', {}],
  ['couriers', 'couriers.yaml', 'as-it-is', 'couriers that keep their document', {}],
  ['warehouse', 'warehouse.yaml', 'empty', 'a warehouse without articles', { count: 0 }],
  ['libraries', 'libraries.yaml', 'empty', 'no library yet', { count: 0 }],
  ['notices', 'notices/openapi.yaml', 'empty', 'no notice yet', { count: 0 }],
  ['warehouse', 'warehouse.yaml', 'full', 'a warehouse with 1,000 articles', { count: 1000 }],
] as const;

const mocks = PLAIN.flatMap(([prefix, fixture, name, says, options]) =>
  lookalikes(prefix, mockOf(fixture, options), [[name, says, {}]]),
);

/** How long a removed record is still seen, in milliseconds; the suite waits for longer. */
const LAG = 300;

const removeLater = store(({ read, remove }) => ({
  async remove(collection, id, where) {
    const exists = (await read(collection, id, where)) !== undefined;
    if (exists) setTimeout(remove, LAG, collection, id, where).unref();
    return exists;
  },
}));

const addRevision = response('replace', (given) => ({
  ...given,
  body: String(given.body).replace(/}$/, ',"revision":2}'),
}));

const otherLibraries = lookalikes('libraries', mockOf('libraries.yaml'), [
  ['slow-to-forget', 'a removed record is seen a while longer', removeLater],
  ['more-members', 'replaced books come back with an undocumented member', addRevision],
]);

/** Documents that others wrote. */
const PUBLIC = [
  ['train-travel', '@readme/oas-examples/3.1/yaml/train-travel.yaml', 'bookings that keep their document'],
  ['galaxy', '@scalar/galaxy/dist/latest.yaml', 'planets that keep their document'],
] as const;

const publicMocks = PUBLIC.flatMap(([prefix, file, says]) =>
  lookalikes(prefix, mockOfPackage(file), [['as-it-is', says, {}]]),
);

export const otherDocumentsLookalikes = [...mocks, ...otherLibraries, ...publicMocks];
