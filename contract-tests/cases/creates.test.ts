import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { resolveSettings } from '../settings/settings.ts';
import { describeFamily, LIBRARIES, PETS } from '../testing/describe-family.ts';
import { creates, refusedLeavesNothing } from './create.ts';
import { documentedExamples } from './documented-examples.ts';
import { invalidBody } from './invalid-body.ts';
import { uniqueValues } from './unique.ts';
import { generated, unusualBodies } from './unusual-body.ts';

const OWNERS = { '/owners': [{ id: 712, email: 'ada@kennels.example', name: 'Ada' }] };

describeFamily('creates', creates, [
  [
    'texts, an enumeration and an integer beyond 2^53',
    {
      given: { document: 'listPets', records: PETS, such: /^POST/ },
      want: {
        'createPet/201/ordinary': ['POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}'],
        'createPet/201/required-only': ['POST /pets {"name":"MARK-1","categoryId":3}'],
        'createPet/201/status-available': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/status-pending': ['POST /pets {"name":"MARK-1","categoryId":3,"status":"pending"}'],
        'createPet/201/status-sold': ['POST /pets {"name":"MARK-1","categoryId":3,"status":"sold"}'],
        'createPet/201/text-apostrophe': [
          'POST /pets {"name":"O\'Brien \\"Rex\\" & <co> MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-accents': [
          'POST /pets {"name":"Zoë Łukasz Ñandú MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-scripts': [
          'POST /pets {"name":"猫 кот قط ねこ MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-emoji': [
          'POST /pets {"name":"🐈‍⬛ 𝔘 MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-signs': [
          'POST /pets {"name":"100% a+b=c\\\\d/e %41  {x} $y #1; MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-longest': [
          'POST /pets {"name":"MARK-1 Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-shortest': ['POST /pets {"name":"Q","categoryId":3,"status":"available"}'],
        'createPet/201/text-digits': ['POST /pets {"name":"0042","categoryId":3,"status":"available"}'],
        'createPet/201/text-null': ['POST /pets {"name":"null","categoryId":3,"status":"available"}'],
        'createPet/201/charset': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (application/json; charset=utf-8)',
        ],
        'createPet/201/chunked': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (chunked)',
        ],
        'createPet/201/categoryid-beyond-2-53': [
          'POST /pets {"name":"MARK-1","categoryId":9007199254740993,"status":"available"}',
        ],
        'createPet/201/distinct-ids': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
        ],
      },
    },
  ],
  [
    'what is asked after a create',
    {
      given: { document: 'listPets', records: PETS, only: '/(ordinary|charset|distinct-ids)$' },
      want: {
        'createPet/201/ordinary': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'GET /pets/101',
          'GET /pets?limit=100',
          'GET /pets/102',
        ],
        'createPet/201/charset': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (application/json; charset=utf-8)',
          'GET /pets/101',
          'GET /pets?limit=100',
        ],
        'createPet/201/distinct-ids': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'GET /pets/101',
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"}',
          'GET /pets/102',
          'GET /pets?limit=100',
        ],
      },
    },
  ],
  [
    'booleans, and bounds of the text',
    {
      given: { document: 'findGauges', only: 'active|text-(longest|shortest)|beyond', such: /^POST/ },
      want: {
        'installGauge/201/active-true': [
          'POST /gauges {"harbour":"MARK-1","latitude":18.58,"longitude":82.16,"active":true,"installed":"2024-09-12"}',
        ],
        'installGauge/201/active-false': [
          'POST /gauges {"harbour":"MARK-1","latitude":18.58,"longitude":82.16,"active":false,"installed":"2024-09-12"}',
        ],
        'installGauge/201/text-longest': [
          'POST /gauges {"harbour":"MARK-1 Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñ","latitude":18.58,"longitude":82.16,"active":true,"installed":"2024-09-12"}',
        ],
        'installGauge/201/text-shortest': [
          'POST /gauges {"harbour":"Q","latitude":18.58,"longitude":82.16,"active":true,"installed":"2024-09-12"}',
        ],
      },
    },
  ],
  [
    'a target that is not on this machine',
    {
      given: {
        document: 'listPets',
        records: PETS,
        only: 'text',
        such: /^POST/,
        target: 'https://service.test',
        writes: true,
      },
      want: {
        'createPet/201/text-apostrophe': [
          'POST /pets {"name":"O\'Brien \\"Rex\\" & <co> MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-accents': [
          'POST /pets {"name":"Zoë Łukasz Ñandú MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-scripts': [
          'POST /pets {"name":"猫 кот قط ねこ MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-emoji': [
          'POST /pets {"name":"🐈‍⬛ 𝔘 MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-signs': [
          'POST /pets {"name":"100% a+b=c\\\\d/e %41  {x} $y #1; MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-longest': [
          'POST /pets {"name":"MARK-1 Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú-Zoë-Ñandú","categoryId":3,"status":"available"}',
        ],
      },
    },
  ],
]);

describeFamily('unusualBodies', unusualBodies, [
  [
    'texts and integers',
    {
      given: { document: 'listPets', records: PETS, such: /^POST/ },
      want: {
        'createPet/201/text-spaces': ['POST /pets {"name":"  MARK-1 ","categoryId":3,"status":"available"}'],
        'createPet/201/text-decomposed': [
          'POST /pets {"name":"Zoë MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-long': [
          'POST /pets {"name":"MARK-1 paddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddockpaddoc… (1047 characters)',
        ],
        'createPet/201/text-lines': [
          'POST /pets {"name":"a\\n\\tb MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-nul': [
          'POST /pets {"name":"a\\u0000b MARK-1","categoryId":3,"status":"available"}',
        ],
        'createPet/201/text-empty': ['POST /pets {"name":"","categoryId":3,"status":"available"}'],
        'createPet/201/categoryid-zero': ['POST /pets {"name":"MARK-1","categoryId":0,"status":"available"}'],
        'createPet/201/categoryid-negative': [
          'POST /pets {"name":"MARK-1","categoryId":-1,"status":"available"}',
        ],
        'createPet/201/categoryid-greatest': [
          'POST /pets {"name":"MARK-1","categoryId":9223372036854775807,"status":"available"}',
        ],
      },
    },
  ],
  [
    'the ordinary body in place of one that the schema does not allow',
    {
      given: { document: 'list_articles', only: 'text-long|weight-g', such: /^POST/ },
      want: {
        'add_article/201/text-long': [
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
        ],
        'add_article/201/weight-g-zero': [
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
        ],
        'add_article/201/weight-g-negative': [
          'POST /articles {"label":"MARK-1","unit":"kilogram","price":597.32,"barcode":"7683393197468","weight_g":700,"stock":245}',
        ],
      },
    },
  ],
]);

describeFamily('generated', generated, [
  [
    'valid bodies and invalid ones',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'createPet/201/generated': [
          'GET /pets?limit=100',
          'POST /pets {"name":"ᒷᝐ𐐛⨰ಎ⏁𝀯𘠴肭丽㍙ MARK-1","categoryId":3,"status":"pending"}',
          'POST /pets {"name":"name MARK-2","categoryId":3,"status":"available"}',
        ],
        'createPet/400/generated': [
          'GET /pets?limit=100',
          'POST /pets {"name":{},"categoryId":3,"status":"pending"}',
          'POST /pets {"name":7,"categoryId":3,"status":"available"}',
        ],
      },
    },
  ],
  ['none are wanted', { given: { document: 'listPets', records: PETS, examples: 0 }, want: {} }],
]);

describeFamily('invalidBody', invalidBody, [
  [
    'each keyword, and bodies that are no JSON',
    {
      given: { document: 'listPets', records: PETS, such: /^POST/ },
      want: {
        'createPet/400/the-body-of-type-string': ['POST /pets "text"'],
        'createPet/400/the-body-of-type-integer': ['POST /pets 7'],
        'createPet/400/the-body-of-type-number': ['POST /pets 1.5'],
        'createPet/400/the-body-of-type-boolean': ['POST /pets true'],
        'createPet/400/the-body-of-type-array': ['POST /pets []'],
        'createPet/400/the-body-null': ['POST /pets null'],
        'createPet/400/without-name': ['POST /pets {"categoryId":3,"status":"available"}'],
        'createPet/400/name-of-type-integer': ['POST /pets {"name":7,"categoryId":3,"status":"available"}'],
        'createPet/400/name-of-type-number': ['POST /pets {"name":1.5,"categoryId":3,"status":"available"}'],
        'createPet/400/name-of-type-boolean': [
          'POST /pets {"name":true,"categoryId":3,"status":"available"}',
        ],
        'createPet/400/name-of-type-object': ['POST /pets {"name":{},"categoryId":3,"status":"available"}'],
        'createPet/400/name-of-type-array': ['POST /pets {"name":[],"categoryId":3,"status":"available"}'],
        'createPet/400/name-null': ['POST /pets {"name":null,"categoryId":3,"status":"available"}'],
        'createPet/400/without-categoryid': ['POST /pets {"name":"MARK-1","status":"available"}'],
        'createPet/400/categoryid-of-type-string': [
          'POST /pets {"name":"MARK-1","categoryId":"text","status":"available"}',
        ],
        'createPet/400/categoryid-of-type-number': [
          'POST /pets {"name":"MARK-1","categoryId":1.5,"status":"available"}',
        ],
        'createPet/400/categoryid-of-type-boolean': [
          'POST /pets {"name":"MARK-1","categoryId":true,"status":"available"}',
        ],
        'createPet/400/categoryid-of-type-object': [
          'POST /pets {"name":"MARK-1","categoryId":{},"status":"available"}',
        ],
        'createPet/400/categoryid-of-type-array': [
          'POST /pets {"name":"MARK-1","categoryId":[],"status":"available"}',
        ],
        'createPet/400/categoryid-null': [
          'POST /pets {"name":"MARK-1","categoryId":null,"status":"available"}',
        ],
        'createPet/400/categoryid-as-digits-in-a-string': [
          'POST /pets {"name":"MARK-1","categoryId":"7","status":"available"}',
        ],
        'createPet/400/categoryid-below-the-least-value': [
          'POST /pets {"name":"MARK-1","categoryId":-9223372036854775809,"status":"available"}',
        ],
        'createPet/400/categoryid-above-the-greatest-value': [
          'POST /pets {"name":"MARK-1","categoryId":9223372036854775808,"status":"available"}',
        ],
        'createPet/400/status-of-type-integer': ['POST /pets {"name":"MARK-1","categoryId":3,"status":7}'],
        'createPet/400/status-of-type-number': ['POST /pets {"name":"MARK-1","categoryId":3,"status":1.5}'],
        'createPet/400/status-of-type-boolean': ['POST /pets {"name":"MARK-1","categoryId":3,"status":true}'],
        'createPet/400/status-of-type-object': ['POST /pets {"name":"MARK-1","categoryId":3,"status":{}}'],
        'createPet/400/status-of-type-array': ['POST /pets {"name":"MARK-1","categoryId":3,"status":[]}'],
        'createPet/400/status-null': ['POST /pets {"name":"MARK-1","categoryId":3,"status":null}'],
        'createPet/400/status-outside-its-enumeration': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available-x"}',
        ],
        'createPet/400/status-in-another-case': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"AVAILABLE"}',
        ],
        'createPet/400/without-any-member': ['POST /pets {}'],
        'createPet/400/name-in-a-list-of-one': [
          'POST /pets {"name":["figo"],"categoryId":3,"status":"available"}',
        ],
        'createPet/400/categoryid-in-a-list-of-one': [
          'POST /pets {"name":"MARK-1","categoryId":[762],"status":"available"}',
        ],
        'createPet/400/status-in-a-list-of-one': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":["available"]}',
        ],
        'createPet/400/categoryid-as-an-empty-text': [
          'POST /pets {"name":"MARK-1","categoryId":"","status":"available"}',
        ],
        'createPet/400/categoryid-as-digits-with-letters-behind-them': [
          'POST /pets {"name":"MARK-1","categoryId":"762abc","status":"available"}',
        ],
        'createPet/400/status-as-an-empty-text': ['POST /pets {"name":"MARK-1","categoryId":3,"status":""}'],
        'createPet/400/status-with-a-space-behind-it': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available "}',
        ],
        'createPet/400/empty-body': ['POST /pets'],
        'createPet/400/broken-json': ['POST /pets {"name":"MARK-1","categoryId":3,"status":"available"'],
        'createPet/400/more-than-json': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} paddock',
        ],
        'createPet/400/trailing-comma': ['POST /pets {"name":"MARK-1","categoryId":3,"status":"available",}'],
        'createPet/400/not-json': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (text/plain)',
        ],
      },
    },
  ],
  [
    "a change, on a record of the run's own",
    {
      given: {
        document: 'listBooks',
        records: LIBRARIES,
        only: 'amendBook.*(empty-body|broken-json|pages-below)',
      },
      want: {
        'amendBook/422/pages-below-the-least-value': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"en","isbn":"9785100689293","pages":0}',
        ],
        'amendBook/422/empty-body': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PATCH /libraries/ID-101/books/ID-102',
        ],
        'amendBook/422/broken-json': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"en","isbn":"9785100689293","pages":829',
        ],
      },
    },
  ],
]);

describeFamily('refusedLeavesNothing', refusedLeavesNothing, [
  [
    'a required member beside the marked one, and a credential',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'createPet/201/invalid-leaves-nothing': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","status":"available"}',
          'POST /pets {"name":"MARK-2","categoryId":3,"status":"available"}',
          'GET /pets?limit=100',
          'GET /pets/100',
          'GET /pets/99',
          'GET /pets/98',
          'GET /pets/97',
        ],
        'createPet/201/unauthorised-leaves-nothing': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused)',
          'POST /pets {"name":"MARK-2","categoryId":3,"status":"available"}',
          'GET /pets?limit=100',
          'GET /pets/100',
          'GET /pets/99',
          'GET /pets/98',
          'GET /pets/97',
        ],
      },
    },
  ],
  ['no other required member, no credential', { given: { document: 'listTools', only: 'Tool' }, want: {} }],
]);

describeFamily('unique values', uniqueValues, [
  [
    'on create, and on changes that document the conflict',
    {
      given: { document: 'listOwners', records: OWNERS, such: /^P/ },
      want: {
        'addOwner/409/email-taken': [
          'POST /owners {"email":"misino.migo@example.com","name":"MARK-1","city":"desififi"}',
          'POST /owners {"email":"misino.migo@example.com","name":"MARK-2","city":"desififi"}',
        ],
        'changeOwner/409/email-taken': [
          'POST /owners {"email":"misino.migo@example.com","name":"MARK-1","city":"desififi"}',
          'POST /owners {"email":"nodesifi.gopeza@example.com","name":"MARK-2","city":"desififi"}',
          'PATCH /owners/102 {"email":"misino.migo@example.com","name":"MARK-3","city":"desififi"}',
        ],
        'changeOwner/200/email-kept': [
          'POST /owners {"email":"misino.migo@example.com","name":"MARK-1","city":"desififi"}',
          'PATCH /owners/101 {"email":"nodesifi.gopeza@example.com","name":"MARK-2","city":"zapekude"}',
          'PATCH /owners/101 {"email":"nodesifi.gopeza@example.com","name":"MARK-3","city":"zapekude"}',
        ],
      },
    },
  ],
]);

describeFamily('documented examples', documentedExamples, [
  [
    'each as it stands in the document',
    {
      given: { document: 'listOwners', records: OWNERS },
      want: {
        'listOwners/200/example-parameters': ['GET /owners?city=Odense'],
        'addOwner/201/example-full': [
          'GET /owners?limit=100',
          'POST /owners {"email":"clara@kennels.example","name":"Clara Due","city":"Aarhus"}',
        ],
        'addOwner/201/example-short': [
          'GET /owners?limit=100',
          'POST /owners {"email":"dan@kennels.example","name":"Dan"}',
        ],
        'getOwner/200/example-parameters': ['GET /owners/712'],
        'changeOwner/200/example-example': [
          'GET /owners?limit=100',
          'POST /owners {"email":"misino.migo@example.com","name":"MARK-1","city":"desififi"}',
          'PATCH /owners/101 {"city":"Vejle"}',
        ],
        'listDogs/200/example-parameters': ['GET /owners/712/dogs'],
        'addDog/201/example-example': [
          'GET /owners?limit=100',
          'GET /owners/712/dogs',
          'POST /owners {"email":"wevu.vutomifi@example.com","name":"MARK-1","city":"desififi"}',
          'POST /owners/101/dogs {"name":"Trine","kind":"guide"}',
        ],
        'getDog/200/example-parameters': ['GET /owners/712/dogs/9001'],
      },
    },
  ],
]);

test.each([
  [{ required: true }, []],
  [{ required: true, schema: { enum: ['branch'] } }, ['POST /refs/201/example-example']],
  [{ required: false }, ['POST /refs/201/example-example']],
])('an example of a body is sent beside a query parameter that is %j: %j', async (kind, want) => {
  const content = { 'application/json': { schema: { type: 'object' }, example: { hash: 'ab' } } };
  const parameters = [{ name: 'type', in: 'query', schema: { type: 'string' }, ...kind }];
  const post = { parameters, requestBody: { content }, responses: { 201: { description: '' } } };
  const info = { title: 'Refs', version: '1' };
  const contract = await readContract({ openapi: '3.1.1', info, paths: { '/refs': { post } } }, 'refs.json');
  const settings = resolveSettings({ target: 'http://127.0.0.1:1', document: '' });
  expect([...documentedExamples(contract, settings)].map(({ id }) => id)).toEqual(want);
});
