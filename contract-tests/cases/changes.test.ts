import { describeFamily, LIBRARIES, PETS } from '../testing/describe-family.ts';
import { changes } from './change.ts';
import { removals } from './remove.ts';

describeFamily('changes', changes, [
  [
    'A record replaced',
    {
      given: { document: 'list_articles' },
      want: {
        'replace_article/200/is-kept': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'GET /articles/101',
          'PUT /articles/101 {"label":"MARK-2","unit":"kilogram","price":998.09,"barcode":"6032758470993"}',
          'GET /articles/101',
          'DELETE /articles/101',
        ],
        'replace_article/200/neighbour': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'POST /articles {"label":"MARK-2","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'GET /articles/102',
          'PUT /articles/101 {"label":"MARK-3","unit":"kilogram","price":998.09,"barcode":"6032758470993","weight_g":994,"stock":399}',
          'GET /articles/102',
          'DELETE /articles/102',
          'DELETE /articles/101',
        ],
        'replace_article/200/invalid-changes-nothing': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'GET /articles/101',
          'PUT /articles/101 []',
          'GET /articles/101',
          'DELETE /articles/101',
        ],
        'replace_article/200/unauthorised-changes-nothing': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'GET /articles/101',
          'PUT /articles/101 {"label":"MARK-2","unit":"kilogram","price":998.09,"barcode":"6032758470993","weight_g":994,"stock":399} (refused)',
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
          'POST /libraries/ID-111111111111/books {"title":"MARK-1","language":"fr","isbn":"9781119333139","pages":957}',
          'GET /libraries/ID-111111111111/books/ID-101',
          'PATCH /libraries/ID-111111111111/books/ID-101 {"title":"MARK-2"}',
          'GET /libraries/ID-111111111111/books/ID-101',
          'GET /libraries/ID-111111111111/books?first=500',
          'DELETE /libraries/ID-111111111111/books/ID-101',
        ],
        'amendBook/200/neighbour': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries/ID-111111111111/books {"title":"MARK-1","language":"fr","isbn":"9781119333139","pages":957}',
          'POST /libraries/ID-111111111111/books {"title":"MARK-2","language":"fr","isbn":"9781119333139","pages":957}',
          'GET /libraries/ID-111111111111/books/ID-102',
          'PATCH /libraries/ID-111111111111/books/ID-101 {"title":"MARK-3","language":"en","isbn":"9784949101109","pages":829}',
          'GET /libraries/ID-111111111111/books/ID-102',
          'DELETE /libraries/ID-111111111111/books/ID-102',
          'DELETE /libraries/ID-111111111111/books/ID-101',
        ],
        'amendBook/200/invalid-changes-nothing': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries/ID-111111111111/books {"title":"MARK-1","language":"fr","isbn":"9781119333139","pages":957}',
          'GET /libraries/ID-111111111111/books/ID-101',
          'PATCH /libraries/ID-111111111111/books/ID-101 []',
          'GET /libraries/ID-111111111111/books/ID-101',
          'DELETE /libraries/ID-111111111111/books/ID-101',
        ],
        'amendBook/200/unauthorised-changes-nothing': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries/ID-111111111111/books {"title":"MARK-1","language":"fr","isbn":"9781119333139","pages":957}',
          'GET /libraries/ID-111111111111/books/ID-101',
          'PATCH /libraries/ID-111111111111/books/ID-101 {"title":"MARK-2","language":"en","isbn":"9784949101109","pages":829} (refused)',
          'GET /libraries/ID-111111111111/books/ID-101',
          'DELETE /libraries/ID-111111111111/books/ID-101',
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
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'DELETE /articles/101',
          'GET /articles/101',
          'GET /articles?page_size=50',
          'DELETE /articles/101',
        ],
        'drop_article/204/neighbour': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'GET /articles/101',
          'POST /articles {"label":"MARK-2","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'DELETE /articles/102',
          'GET /articles/101',
          'DELETE /articles/102',
          'DELETE /articles/101',
        ],
        'drop_article/404/twice': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
          'DELETE /articles/101',
          'DELETE /articles/101',
          'DELETE /articles/101',
        ],
        'drop_article/204/unauthorised-changes-nothing': [
          'GET /articles?page_size=50',
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"6813173026322","weight_g":700,"stock":245}',
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
          'DELETE /tools/101',
        ],
        'dropTool/204/neighbour': [
          'GET /tools',
          'POST /tools {"name":"MARK-1","kind":"plane","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'GET /tools/101',
          'POST /tools {"name":"MARK-2","kind":"plane","tags":["nomizami","wepera"],"note":"nolanope","pin":"nogode"}',
          'DELETE /tools/102',
          'GET /tools/101',
          'DELETE /tools/102',
          'DELETE /tools/101',
        ],
      },
    },
  ],
  ['a document without removals', { given: { document: 'listPets', records: PETS }, want: {} }],
]);
