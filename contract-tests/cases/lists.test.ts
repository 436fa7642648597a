import type { WireRequest, WireResponse } from '../send/wire.ts';
import { describeFamily, LIBRARIES, PETS, VANS } from '../testing/describe-family.ts';
import { vanId } from '../testing/fleet.ts';
import { completeLists, filters, inTheEnd, reads } from './lists.ts';
import { combinations, pageSizes, pages } from './pages.ts';

const TOOLS = { '/tools': [{ id: 1, name: 'Saw', kind: 'saw', tags: ['old'] }] };

describeFamily('filters', filters, [
  [
    'an enumeration',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/status-available': ['GET /pets?status=available'],
        'listPets/200/status-available-finds': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'GET /pets?status=available&limit=100',
        ],
        'listPets/200/status-pending': ['GET /pets?status=pending'],
        'listPets/200/status-pending-finds': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"pending"}',
          'GET /pets?status=pending&limit=100',
        ],
        'listPets/200/status-sold': ['GET /pets?status=sold'],
        'listPets/200/status-sold-finds': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"sold"}',
          'GET /pets?status=sold&limit=100',
        ],
      },
    },
  ],
  [
    'an enumeration, on a target that must not be written to',
    {
      given: { document: 'listPets', records: PETS, writes: false },
      want: {
        'listPets/200/status-available': ['GET /pets?status=available'],
        'listPets/200/status-pending': ['GET /pets?status=pending'],
        'listPets/200/status-sold': ['GET /pets?status=sold'],
      },
    },
  ],
  [
    'a boolean, and an enumeration that nobody can create with',
    {
      given: { document: 'findGauges' },
      want: {
        'findGauges/200/active': ['GET /gauges?take=200'],
        'findLevels/200/tide-low': ['GET /levels?tide=low&token=KEY'],
        'findLevels/200/tide-rising': ['GET /levels?tide=rising&token=KEY'],
        'findLevels/200/tide-high': ['GET /levels?tide=high&token=KEY'],
        'findLevels/200/tide-falling': ['GET /levels?tide=falling&token=KEY'],
      },
    },
  ],
  [
    'a list of values',
    {
      given: { document: 'listTools' },
      want: {
        'listTools/200/kind-saw': ['GET /tools?kind=saw'],
        'listTools/200/kind-saw-finds': [
          'GET /tools',
          'POST /tools {"name":"MARK-1","kind":"saw","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'GET /tools?kind=saw',
          'DELETE /tools/101',
        ],
        'listTools/200/kind-plane': ['GET /tools?kind=plane'],
        'listTools/200/kind-plane-finds': [
          'GET /tools',
          'POST /tools {"name":"MARK-1","kind":"plane","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'GET /tools?kind=plane',
          'DELETE /tools/101',
        ],
        'listTools/200/tags': ['GET /tools'],
        'listTools/200/name': ['GET /tools'],
      },
    },
  ],
]);

describeFamily('pageSizes', pageSizes, [
  [
    'bounds and a default',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/limit-least': ['GET /pets?limit=1'],
        'listPets/200/limit-next-to-least': ['GET /pets?limit=2'],
        'listPets/200/limit-greatest': ['GET /pets?limit=100'],
        'listPets/200/limit-default': ['GET /pets?limit=20', 'GET /pets'],
      },
    },
  ],
  ['no page size', { given: { document: 'listTools' }, want: {} }],
]);

describeFamily('completeLists', completeLists, [
  [
    'a page size and an enumerated filter',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/limit-1-lacks-nothing': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'GET /pets?limit=1',
          'GET /pets?status=available&limit=1',
          'GET /pets?status=pending&limit=1',
          'GET /pets?status=sold&limit=1',
        ],
        'listPets/200/limit-2-lacks-nothing': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'GET /pets?limit=2',
          'GET /pets?status=available&limit=2',
          'GET /pets?status=pending&limit=2',
          'GET /pets?status=sold&limit=2',
        ],
        'listPets/200/status-available-complete': [
          'GET /pets?limit=100',
          'GET /pets?status=available&limit=100',
          'GET /pets?limit=100',
        ],
        'listPets/200/status-pending-complete': [
          'GET /pets?limit=100',
          'GET /pets?status=pending&limit=100',
          'GET /pets?limit=100',
        ],
        'listPets/200/status-sold-complete': [
          'GET /pets?limit=100',
          'GET /pets?status=sold&limit=100',
          'GET /pets?limit=100',
        ],
      },
    },
  ],
  [
    'neither a page size nor an enumerated filter',
    { given: { document: 'listTools', only: 'Gates' }, want: {} },
  ],
  [
    'a target that must not be written to',
    {
      given: { document: 'listPets', records: PETS, writes: false },
      want: {
        'listPets/200/status-available-complete': [
          'GET /pets?limit=100',
          'GET /pets?status=available&limit=100',
          'GET /pets?limit=100',
        ],
        'listPets/200/status-pending-complete': [
          'GET /pets?limit=100',
          'GET /pets?status=pending&limit=100',
          'GET /pets?limit=100',
        ],
        'listPets/200/status-sold-complete': [
          'GET /pets?limit=100',
          'GET /pets?status=sold&limit=100',
          'GET /pets?limit=100',
        ],
      },
    },
  ],
]);

describeFamily('reads', reads, [
  [
    'the first, the middle and the last of a list',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'getPet/200/as-listed': [
          'GET /pets?limit=100',
          'GET /pets?limit=100',
          'GET /pets/1',
          'GET /pets?limit=100',
          'GET /pets/2',
        ],
        'listPets/200/distinct-ids': ['GET /pets?limit=100'],
      },
    },
  ],
  [
    'nested records',
    {
      given: { document: 'listBooks', records: LIBRARIES, only: 'Book' },
      want: {
        'getBook/200/as-listed': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'GET /libraries/ID-111111111111/books?first=500',
          'GET /libraries/ID-111111111111/books/ID-111111111111',
        ],
        'listBooks/200/distinct-ids': ['GET /libraries', 'GET /libraries/ID-111111111111/books?first=500'],
      },
    },
  ],
]);

describeFamily('inTheEnd', inTheEnd, [
  [
    'a filter',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'createPet/201/earlier-records': ['GET /pets?limit=100'],
        'createPet/201/refused-are-nowhere': [
          'GET /pets?limit=100',
          'GET /pets?status=available&limit=100',
          'GET /pets?status=pending&limit=100',
          'GET /pets?status=sold&limit=100',
        ],
      },
    },
  ],
  ['records that cannot be created', { given: { document: 'findGauges', only: 'Level' }, want: {} }],
]);

describeFamily('combinations', combinations, [
  [
    'a page size with a default, and a filter',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/with-limit-1-and-status-available': ['GET /pets?limit=1&status=available'],
        'listPets/200/with-limit-1-and-status-pending': ['GET /pets?limit=1&status=pending'],
        'listPets/200/with-limit-1-and-status-sold': ['GET /pets?limit=1&status=sold'],
        'listPets/200/with-limit-5-and-status-available': ['GET /pets?limit=5&status=available'],
        'listPets/200/with-limit-5-and-status-pending': ['GET /pets?limit=5&status=pending'],
        'listPets/200/with-limit-5-and-status-sold': ['GET /pets?limit=5&status=sold'],
        'listPets/200/with-limit-100-and-status-available': ['GET /pets?limit=100&status=available'],
        'listPets/200/with-limit-100-and-status-pending': ['GET /pets?limit=100&status=pending'],
        'listPets/200/with-limit-100-and-status-sold': ['GET /pets?limit=100&status=sold'],
        'listPets/200/limit-default-with-status-available': [
          'GET /pets?status=available&limit=20',
          'GET /pets?status=available',
        ],
        'listPets/200/limit-default-with-status-pending': [
          'GET /pets?status=pending&limit=20',
          'GET /pets?status=pending',
        ],
        'listPets/200/limit-default-with-status-sold': [
          'GET /pets?status=sold&limit=20',
          'GET /pets?status=sold',
        ],
      },
    },
  ],
  [
    'any two values of five parameters, a position among them',
    {
      given: { document: 'listVehicles', only: '^listVehicles.*/with' },
      want: {
        'listVehicles/200/with-limit-1-and-depot-harbour-and-electric-true-and-sort-age': [
          'GET /vehicles?limit=1&depot=harbour&electric=true&sort=age',
        ],
        'listVehicles/200/with-limit-5-and-depot-market-and-electric-false-and-sort-plate': [
          'GET /vehicles?limit=5&depot=market&electric=false&sort=plate',
        ],
        'listVehicles/200/with-limit-40-and-depot-hill-and-sort-age': [
          'GET /vehicles?limit=40&depot=hill&sort=age',
        ],
        'listVehicles/200/with-offset-0-and-depot-harbour-and-electric-false': [
          'GET /vehicles?offset=0&depot=harbour&electric=false',
        ],
        'listVehicles/200/with-offset-0-and-limit-1-and-sort-plate': [
          'GET /vehicles?offset=0&limit=1&sort=plate',
        ],
        'listVehicles/200/with-offset-0-and-limit-5-and-depot-hill-and-electric-true': [
          'GET /vehicles?offset=0&limit=5&depot=hill&electric=true',
        ],
        'listVehicles/200/with-offset-0-and-limit-40-and-depot-market-and-electric-true': [
          'GET /vehicles?offset=0&limit=40&depot=market&electric=true',
        ],
        'listVehicles/200/with-offset-0-and-depot-market-and-sort-age': [
          'GET /vehicles?offset=0&depot=market&sort=age',
        ],
        'listVehicles/200/with-offset-1-and-depot-hill-and-electric-true-and-sort-plate': [
          'GET /vehicles?offset=1&depot=hill&electric=true&sort=plate',
        ],
        'listVehicles/200/with-offset-1-and-limit-1-and-depot-market-and-electric-false': [
          'GET /vehicles?offset=1&limit=1&depot=market&electric=false',
        ],
        'listVehicles/200/with-offset-1-and-limit-5-and-sort-age': [
          'GET /vehicles?offset=1&limit=5&sort=age',
        ],
        'listVehicles/200/with-offset-1-and-limit-40-and-depot-harbour-and-sort-plate': [
          'GET /vehicles?offset=1&limit=40&depot=harbour&sort=plate',
        ],
        'listVehicles/200/with-limit-1-and-depot-hill-and-electric-false-and-sort-age': [
          'GET /vehicles?limit=1&depot=hill&electric=false&sort=age',
        ],
        'listVehicles/200/with-limit-5-and-depot-harbour': ['GET /vehicles?limit=5&depot=harbour'],
        'listVehicles/200/with-limit-40-and-electric-false': ['GET /vehicles?limit=40&electric=false'],
      },
    },
  ],
  [
    'a filter whose values only records show',
    {
      given: { document: 'listTools', records: TOOLS },
      want: {
        'listTools/200/with-tags-and-name': ['GET /tools', 'GET /tools?tags=old&name=Saw'],
        'listTools/200/with-kind-saw-and-name': ['GET /tools', 'GET /tools?kind=saw&name=Saw'],
        'listTools/200/with-kind-saw-and-tags': ['GET /tools', 'GET /tools?kind=saw&tags=old'],
        'listTools/200/with-kind-plane-and-tags-and-name': [
          'GET /tools',
          'GET /tools?kind=plane&tags=old&name=Saw',
        ],
      },
    },
  ],
]);

/** Five trees; the cursor of a page is how many are before it. */
function treesByCursor({ url }: WireRequest): WireResponse {
  const [limit = 0, start] = ['limit', 'cursor'].map((name) => Number(url.searchParams.get(name)));
  const from = start ?? 0;
  const ids = [1, 2, 3, 4, 5].slice(from, from + limit);
  const next = from + limit < 5 ? String(from + limit) : null;
  const body = {
    trees: ids.map((id) => ({ id: vanId(id), name: 'Old', kind: 'pear' })),
    pagination: { next_cursor: next, has_more: next !== null },
  };
  const headers = [['Content-Type', 'application/json']] as const;
  return { status: 200, headers, body: Buffer.from(JSON.stringify(body)), cut: false, ms: 1 };
}

describeFamily('pages', pages, [
  [
    'an offset, and a page number from 0',
    {
      given: { document: 'listVehicles', records: VANS },
      want: {
        'listVehicles/200/pages': [
          'GET /vehicles?limit=40',
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9}',
          'GET /vehicles/ID-101',
          'GET /vehicles?limit=40',
          'GET /vehicles?limit=2&offset=0',
          'GET /vehicles?limit=2&offset=2',
          'GET /vehicles?limit=2&offset=4',
          'GET /vehicles?limit=2&offset=0',
          'GET /vehicles?limit=2&offset=2',
          'GET /vehicles?limit=2&offset=4',
          'GET /vehicles?limit=40',
          'GET /vehicles/ID-101',
          'DELETE /vehicles/ID-101',
        ],
        'listTrips/200/pages': [
          'GET /vehicles?limit=40',
          'GET /vehicles/ID-1/trips?perPage=60',
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9}',
          'POST /vehicles/ID-101/trips {"purpose":"MARK-2","kilometres":227.78,"driver":"baladepe","remark":"tola"}',
          'GET /vehicles/ID-101/trips/102',
          'GET /vehicles/ID-101/trips?perPage=60',
          'GET /vehicles/ID-101/trips?perPage=1&page=0',
          'GET /vehicles/ID-101/trips?perPage=1&page=1',
          'GET /vehicles/ID-101/trips?perPage=1&page=0',
          'GET /vehicles/ID-101/trips?perPage=1&page=1',
          'GET /vehicles/ID-101/trips?perPage=60',
          'GET /vehicles/ID-101/trips/102',
          'DELETE /vehicles/ID-101/trips/102',
        ],
      },
    },
  ],
  [
    'a page number from 1, on a target that must not be written to',
    {
      given: { document: 'list_articles', writes: false },
      want: {
        'list_articles/200/pages': [
          'GET /articles?page_size=50',
          'GET /articles?page_size=1&page_number=1',
          'GET /articles?page_size=1&page_number=1',
          'GET /articles?page_size=50',
        ],
      },
    },
  ],
  [
    'what each page names as the next one, on a target that must not be written to',
    {
      given: { document: 'listTrees', writes: false, only: '^listTrees/', respond: treesByCursor },
      want: {
        'listTrees/200/pages': [
          'GET /trees?limit=60',
          'GET /trees?limit=2',
          'GET /trees?limit=2&cursor=2',
          'GET /trees?limit=2&cursor=4',
          'GET /trees?limit=2',
          'GET /trees?limit=2&cursor=2',
          'GET /trees?limit=2&cursor=4',
          'GET /trees?limit=60',
        ],
      },
    },
  ],
  ['no position', { given: { document: 'listPets', records: PETS }, want: {} }],
]);
