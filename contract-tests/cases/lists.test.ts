import { describeFamily, LIBRARIES, PETS } from '../testing/describe-family.ts';
import { completeLists } from './complete-list.ts';
import { filters } from './filter.ts';
import { inTheEnd } from './in-the-end.ts';
import { pageSizes } from './page-size.ts';
import { reads } from './read.ts';

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
    'bounds, a default and a filter',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/limit-least': [
          'GET /pets?limit=1',
          'GET /pets?status=available&limit=1',
          'GET /pets?status=pending&limit=1',
          'GET /pets?status=sold&limit=1',
        ],
        'listPets/200/limit-next-to-least': [
          'GET /pets?limit=2',
          'GET /pets?status=available&limit=2',
          'GET /pets?status=pending&limit=2',
          'GET /pets?status=sold&limit=2',
        ],
        'listPets/200/limit-greatest': [
          'GET /pets?limit=100',
          'GET /pets?status=available&limit=100',
          'GET /pets?status=pending&limit=100',
          'GET /pets?status=sold&limit=100',
        ],
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
