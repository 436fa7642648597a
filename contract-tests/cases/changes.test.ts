import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { jobOf, loadContract, type Operation } from '#spec';
import type { Settings } from '../settings/settings.ts';
import { describeFamily, LIBRARIES, PETS, VANS } from '../testing/describe-family.ts';
import { changes, mergePatches, removals } from './change.ts';
import { jobs } from './many.ts';
import { nested } from './nested.ts';
import { readOnly } from './read-only.ts';

describeFamily('changes', changes, [
  [
    'A record replaced',
    {
      given: { document: 'list_articles' },
      want: {
        'replace_article/200/is-kept': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'GET /articles/101',
          'PUT /articles/101 {"label":"MARK-2","unit":"kilogram","price":998.09,"barcode":"5777849751714"}',
          'GET /articles/101',
          'DELETE /articles/101',
        ],
        'replace_article/200/neighbour': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'POST /articles {"label":"MARK-2","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'GET /articles/102',
          'PUT /articles/101 {"label":"MARK-3","unit":"kilogram","price":998.09,"barcode":"5777849751714","weight_g":994,"stock":399}',
          'GET /articles/102',
          'DELETE /articles/102',
          'DELETE /articles/101',
        ],
        'replace_article/200/invalid-changes-nothing': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'GET /articles/101',
          'PUT /articles/101 []',
          'GET /articles/101',
          'DELETE /articles/101',
        ],
        'replace_article/200/unauthorised-changes-nothing': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'GET /articles/101',
          'PUT /articles/101 {"label":"MARK-2","unit":"kilogram","price":998.09,"barcode":"5777849751714","weight_g":994,"stock":399} (refused)',
          'GET /articles/101',
          'DELETE /articles/101',
        ],
      },
    },
  ],
  [
    'PATCH of a nested record',
    {
      given: { document: 'listBooks', records: LIBRARIES, only: '^amendBook' },
      want: {
        'amendBook/200/is-kept': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/ID-102',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-3"}',
          'GET /libraries/ID-101/books/ID-102',
          'GET /libraries/ID-101/books?first=500',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'amendBook/200/neighbour': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'POST /libraries/ID-101/books {"title":"MARK-3","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/ID-103',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-4","language":"en","isbn":"9785100689293","pages":829}',
          'GET /libraries/ID-101/books/ID-103',
          'DELETE /libraries/ID-101/books/ID-103',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'amendBook/200/invalid-changes-nothing': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/ID-102',
          'PATCH /libraries/ID-101/books/ID-102 []',
          'GET /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'amendBook/200/unauthorised-changes-nothing': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/ID-102',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"en","isbn":"9785100689293","pages":829} (refused)',
          'GET /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
      },
    },
  ],
  ['a document without changes', { given: { document: 'listPets', records: PETS }, want: {} }],
]);

describeFamily('removals', removals, [
  [
    'a document with 404 and a credential',
    {
      given: { document: 'list_articles' },
      want: {
        'drop_article/204/is-gone': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'DELETE /articles/101',
          'GET /articles/101',
          'GET /articles?page_size=50',
        ],
        'drop_article/204/neighbour': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'POST /articles {"label":"MARK-2","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'GET /articles/102',
          'DELETE /articles/101',
          'GET /articles/102',
          'DELETE /articles/102',
        ],
        'drop_article/404/twice': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'DELETE /articles/101',
          'DELETE /articles/101',
        ],
        'drop_article/204/unauthorised-changes-nothing': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
          'GET /articles/101',
          'DELETE /articles/101 (refused)',
          'GET /articles/101',
          'DELETE /articles/101',
        ],
      },
    },
  ],
  [
    'a document without either',
    {
      given: { document: 'listTools' },
      want: {
        'dropTool/204/is-gone': [
          'GET /tools',
          'POST /tools {"name":"MARK-1","kind":"plane","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'DELETE /tools/101',
          'GET /tools/101',
          'GET /tools',
        ],
        'dropTool/204/neighbour': [
          'GET /tools',
          'POST /tools {"name":"MARK-1","kind":"plane","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'POST /tools {"name":"MARK-2","kind":"plane","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'GET /tools/102',
          'DELETE /tools/101',
          'GET /tools/102',
          'DELETE /tools/102',
        ],
      },
    },
  ],
  ['a document without removals', { given: { document: 'listPets', records: PETS }, want: {} }],
]);

describeFamily('readOnly', readOnly, [
  [
    'an integer',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'createPet/201/id-sent': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available","id":4503599627370001}',
          'GET /pets/101',
          'GET /pets?limit=100',
        ],
      },
    },
  ],
  [
    'an integer, beside a boolean and a date',
    {
      given: { document: 'findGauges', such: /^POST/ },
      want: {
        'installGauge/201/id-sent': [
          'POST /gauges {"harbour":"MARK-1","latitude":18.58,"longitude":82.16,"active":true,"installed":"2024-09-12","id":4503599627370001}',
        ],
      },
    },
  ],
  [
    'creates and changes of nested records',
    {
      given: { document: 'listBooks', records: LIBRARIES, only: 'Book', such: /^P|ID-102$/ },
      want: {
        'acquireBook/201/id-sent': [
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957,"id":"da27bb03-be04-46bd-8c2f-56e3e515a3f1"}',
          'GET /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'replaceBook/200/id-sent': [
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PUT /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"pl","isbn":"9780933034577","pages":21,"id":"da27bb03-be04-46bd-8c2f-56e3e515a3f1"}',
          'GET /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'amendBook/200/id-sent': [
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"en","isbn":"9785100689293","pages":829,"id":"da27bb03-be04-46bd-8c2f-56e3e515a3f1"}',
          'GET /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
      },
    },
  ],
  [
    'instants, dates and texts, once each',
    {
      given: { document: 'listVehicles', only: '^add.*(registered|inventory)', such: /^POST/ },
      want: {
        'addVehicle/201/registered-sent': [
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9,"registered":"1987-03-14T15:09:26Z"}',
        ],
        'addVehicle/201/registeredon-sent': [
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9,"registeredOn":"1987-03-14"}',
        ],
        'addVehicle/201/inventoryno-sent': [
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9,"inventoryNo":"not by the service 9499"}',
        ],
      },
    },
  ],
  [
    'few values, each of them several times',
    {
      given: { document: 'listVehicles', only: '^replace.*(verified|grade)', such: /^PUT/ },
      want: {
        'replaceVehicle/200/verified-sent': [
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-2","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"verified":true}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-3","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"verified":false}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-4","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"verified":false}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-5","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"verified":true}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-6","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"verified":true}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-7","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"verified":false}',
        ],
        'replaceVehicle/200/grade-sent': [
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-2","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"grade":"A"}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-3","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"grade":"B"}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-4","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"grade":"B"}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-5","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"grade":"A"}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-6","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"grade":"A"}',
          'PUT /vehicles/ID-101 {"kind":"bicycle","label":"MARK-7","depot":"market","electric":false,"frame":"lakumi","tags":["DM-930"],"gears":1,"grade":"B"}',
        ],
      },
    },
  ],
]);

describeFamily('mergePatches', mergePatches, [
  [
    'members that may be null',
    {
      given: { document: 'listVehicles', records: VANS },
      want: {
        'correctTrip/200/driver-null': [
          'GET /vehicles?limit=40',
          'GET /vehicles/ID-1/trips?perPage=60',
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9}',
          'POST /vehicles/ID-101/trips {"purpose":"MARK-2","kilometres":227.78,"driver":"baladepe","remark":"tola"}',
          'GET /vehicles/ID-101/trips/102',
          'PATCH /vehicles/ID-101/trips/102 {"driver":null}',
          'GET /vehicles/ID-101/trips/102',
          'DELETE /vehicles/ID-101/trips/102',
        ],
        'correctTrip/200/remark-null': [
          'GET /vehicles?limit=40',
          'GET /vehicles/ID-1/trips?perPage=60',
          'POST /vehicles {"kind":"bicycle","label":"MARK-1","depot":"hill","electric":false,"frame":"lanowe","tags":["FL-966","BS-447"],"gears":9}',
          'POST /vehicles/ID-101/trips {"purpose":"MARK-2","kilometres":227.78,"driver":"baladepe","remark":"tola"}',
          'GET /vehicles/ID-101/trips/102',
          'PATCH /vehicles/ID-101/trips/102 {"remark":null}',
          'GET /vehicles/ID-101/trips/102',
          'DELETE /vehicles/ID-101/trips/102',
        ],
      },
    },
  ],
  ['no merge patch', { given: { document: 'listPets', records: PETS }, want: {} }],
]);

describeFamily('nested', nested, [
  [
    'with every change below the other parent',
    {
      given: { document: 'listBooks', records: LIBRARIES },
      want: {
        'listBooks/200/apart-by-parent': [
          'GET /libraries',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries {"name":"MARK-2","seats":190}',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries/ID-101/books {"title":"MARK-3","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books?first=500',
          'GET /libraries/ID-101/books/ID-103',
          'GET /libraries/ID-102/books?first=500',
          'GET /libraries/ID-102/books/ID-103',
          'PUT /libraries/ID-102/books/ID-103 {"title":"MARK-4","language":"pl","isbn":"9780933034577","pages":21}',
          'PATCH /libraries/ID-102/books/ID-103 {"title":"MARK-5","language":"en","isbn":"9785100689293","pages":829}',
          'DELETE /libraries/ID-102/books/ID-103',
          'GET /libraries/ID-101/books?first=500',
          'GET /libraries/ID-101/books/ID-103',
          'DELETE /libraries/ID-101/books/ID-103',
          'DELETE /libraries/ID-102',
          'DELETE /libraries/ID-101',
        ],
        'listBooks/200/gone-with-parent': [
          'GET /libraries',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'POST /libraries {"name":"MARK-3","seats":190}',
          'POST /libraries/ID-103/books {"title":"MARK-4","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-103/books?first=500',
          'GET /libraries/ID-103/books/ID-104',
          'DELETE /libraries/ID-103',
          'GET /libraries/ID-103',
          'GET /libraries/ID-103/books?first=500',
          'GET /libraries/ID-103/books/ID-104',
          'POST /libraries/ID-103/books {"title":"MARK-5","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books?first=500',
          'GET /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-103/books/ID-104',
          'DELETE /libraries/ID-101/books/ID-102',
          'DELETE /libraries/ID-101',
        ],
      },
    },
  ],
  [
    'a target that must not be written to',
    { given: { document: 'listBooks', records: LIBRARIES, writes: false }, want: {} },
  ],
  ['records without a parent', { given: { document: 'listPets', records: PETS }, want: {} }],
]);

test('null for a member that is always shown, and a job without records of several, are tried', async () => {
  const contract = await loadContract(fileURLToPath(new URL('../testing/clinic.yaml', import.meta.url)));
  const settings = { writes: true } as Settings;
  const ids = [mergePatches, jobs].flatMap((family) =>
    Array.from(family(contract, settings), ({ id }) => id),
  );
  expect(ids).toEqual(['changeVisit/200/room-null', 'startReport/202/ends']);
  const start = contract.operations.find(({ id }) => id === 'startReport') as Operation;
  expect(jobOf(start, contract)?.result).toMatchObject({ member: 'download_url', certainty: 'promised' });
});
