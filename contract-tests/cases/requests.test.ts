import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { resolveSettings } from '../settings/settings.ts';
import { describeFamily, LIBRARIES, PETS } from '../testing/describe-family.ts';
import { invalidParameter } from './invalid-body.ts';
import { acceptable, ordinary, preferred } from './ordinary.ts';
import { provoked } from './provoked.ts';
import { unauthorised } from './unauthorised.ts';
import { unknownIds } from './unknown-id.ts';

const PROVOKE = fileURLToPath(new URL('../testing/provoke.yaml', import.meta.url));

const OWNERS = { '/owners': [{ id: 712, email: 'ada@kennels.example', name: 'Ada' }] };

describeFamily('ordinary', ordinary, [
  [
    'all but creates',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/ordinary': ['GET /pets'],
        'getPet/200/ordinary': ['GET /pets?limit=100', 'GET /pets/1'],
      },
    },
  ],
  [
    "changes and removals of the run's own records",
    {
      given: { document: 'listBooks', records: LIBRARIES, only: 'Book/' },
      want: {
        'getBook/200/ordinary': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'GET /libraries/ID-111111111111/books/ID-111111111111',
        ],
        'replaceBook/200/ordinary': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PUT /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"pl","isbn":"9780933034577","pages":21}',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'discardBook/204/ordinary': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
        'amendBook/200/ordinary': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'PATCH /libraries/ID-101/books/ID-102 {"title":"MARK-3","language":"en","isbn":"9785100689293","pages":829}',
          'DELETE /libraries/ID-101/books/ID-102',
        ],
      },
    },
  ],
  [
    'values that the user gives',
    {
      given: { document: 'listPets', records: PETS, only: 'getPet', values: { petId: '2' } },
      want: {
        'getPet/200/ordinary': ['GET /pets/2'],
      },
    },
  ],
]);

describeFamily('acceptable', acceptable, [
  [
    'each media type of a response that has several, alone, and one that is not documented',
    {
      given: { document: 'listOwners', records: OWNERS, only: 'Owners?/200/accept|getOwner/' },
      want: {
        'listOwners/200/accept-application-json': ['GET /owners'],
        'listOwners/200/accept-text-csv': ['GET /owners (Accept: text/csv)'],
        'getOwner/200/accept-application-json': ['GET /owners?limit=100', 'GET /owners/712'],
        'getOwner/200/accept-application-vnd-kennels-json': [
          'GET /owners?limit=100',
          'GET /owners/712 (Accept: application/vnd.kennels+json)',
        ],
        'getOwner/200/accept-text-vcard': ['GET /owners?limit=100', 'GET /owners/712 (Accept: text/vcard)'],
        'getOwner/200/unacceptable': ['GET /owners?limit=100', 'GET /owners/712 (Accept: image/x-paddock)'],
      },
    },
  ],
]);

describeFamily('preferred', preferred, [
  [
    'each documented status',
    {
      given: { document: 'listPets', records: PETS, stateless: true },
      want: {
        'listPets/200/preferred': ['GET /pets (Prefer: code=200)'],
        'listPets/401/preferred': ['GET /pets (Prefer: code=401)'],
        'createPet/201/preferred': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (Prefer: code=201)',
        ],
        'createPet/400/preferred': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (Prefer: code=400)',
        ],
        'createPet/401/preferred': [
          'GET /pets?limit=100',
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (Prefer: code=401)',
        ],
        'getPet/200/preferred': ['GET /pets/3590653595877376 (Prefer: code=200)'],
        'getPet/401/preferred': ['GET /pets/3590653595877376 (Prefer: code=401)'],
        'getPet/404/preferred': ['GET /pets/3590653595877376 (Prefer: code=404)'],
      },
    },
  ],
]);

describeFamily('invalidParameter', invalidParameter, [
  [
    'a document that leaves the status open',
    {
      given: { document: 'listPets', records: PETS },
      want: {
        'listPets/200/limit-that-is-a-word': ['GET /pets?limit=paddock'],
        'listPets/200/limit-that-is-empty': ['GET /pets?limit='],
        'listPets/200/limit-that-is-no-whole-number': ['GET /pets?limit=1.5'],
        'listPets/200/limit-below-the-least-value': ['GET /pets?limit=0'],
        'listPets/200/limit-above-the-greatest-value': ['GET /pets?limit=101'],
        'listPets/200/limit-far-above-any-value': ['GET /pets?limit=99999999999999999999'],
        'listPets/200/status-that-is-a-word': ['GET /pets?status=paddock'],
        'listPets/200/status-that-is-empty': ['GET /pets?status='],
        'listPets/200/status-that-is-no-whole-number': ['GET /pets?status=1.5'],
        'listPets/200/status-far-above-any-value': ['GET /pets?status=99999999999999999999'],
        'listPets/200/status-in-another-case': ['GET /pets?status=AVAILABLE'],
      },
    },
  ],
  [
    'a document with a status for invalid input',
    {
      given: { document: 'findGauges', only: 'findLevels' },
      want: {
        'findLevels/400/skip-that-is-a-word': ['GET /levels?skip=paddock&token=KEY'],
        'findLevels/400/skip-that-is-empty': ['GET /levels?skip=&token=KEY'],
        'findLevels/400/skip-that-is-no-whole-number': ['GET /levels?skip=1.5&token=KEY'],
        'findLevels/400/skip-below-the-least-value': ['GET /levels?skip=-1&token=KEY'],
        'findLevels/400/take-that-is-a-word': ['GET /levels?take=paddock&token=KEY'],
        'findLevels/400/take-that-is-empty': ['GET /levels?take=&token=KEY'],
        'findLevels/400/take-that-is-no-whole-number': ['GET /levels?take=1.5&token=KEY'],
        'findLevels/400/take-below-the-least-value': ['GET /levels?take=0&token=KEY'],
        'findLevels/400/take-above-the-greatest-value': ['GET /levels?take=201&token=KEY'],
        'findLevels/400/take-far-above-any-value': ['GET /levels?take=99999999999999999999&token=KEY'],
        'findLevels/400/tide-that-is-a-word': ['GET /levels?tide=paddock&token=KEY'],
        'findLevels/400/tide-that-is-empty': ['GET /levels?tide=&token=KEY'],
        'findLevels/400/tide-that-is-no-whole-number': ['GET /levels?tide=1.5&token=KEY'],
        'findLevels/400/tide-far-above-any-value': ['GET /levels?tide=99999999999999999999&token=KEY'],
        'findLevels/400/tide-in-another-case': ['GET /levels?tide=LOW&token=KEY'],
      },
    },
  ],
  [
    'a cursor of which x-paddock says that it is refused',
    {
      given: {
        document: 'listTrees',
        only: '^list.*-that-is-none',
        respond: () => ({
          ...{ status: 400, headers: [['Content-Type', 'application/json']], cut: false, ms: 1 },
          body: Buffer.from('{"message":"no"}'),
        }),
      },
      want: { 'listTrees/400/cursor-that-is-none': ['GET /trees?cursor=paddock%2C%20no%20cursor'] },
    },
  ],
  [
    'a parameter that is required',
    {
      given: { document: 'countLamps', only: '^countLamps.*-left-out' },
      want: { 'countLamps/200/station-left-out': ['GET /lamps'] },
    },
  ],
]);

describeFamily('unauthorised', unauthorised, [
  [
    'a create, with a bearer credential',
    {
      given: { document: 'listPets', records: PETS, only: 'createPet', such: /POST/, disposable: true },
      want: {
        'createPet/401/no-credential': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused)',
        ],
        'createPet/401/wrong-key': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer Zzap+qjq.Bjh/2Jk)',
        ],
        'createPet/401/key-null': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer null)',
        ],
        'createPet/401/key-undefined': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer undefined)',
        ],
        'createPet/401/empty-key': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer)',
        ],
        'createPet/401/no-scheme': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: KEY)',
        ],
        'createPet/401/other-scheme': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Basic ...)',
        ],
        'createPet/401/token-scheme': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Token KEY)',
        ],
        'createPet/401/basic': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Basic ...)',
        ],
        'createPet/401/key-cut': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer Oats-and-Hay_7Q)',
        ],
        'createPet/401/key-extended': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer KEYx)',
        ],
        'createPet/401/key-preceded': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer xKEY)',
        ],
        'createPet/401/key-changed': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer Oats-and-Hay_7Qa)',
        ],
        'createPet/401/key-first-changed': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer Aats-and-Hay_7Qx)',
        ],
        'createPet/401/key-middle-changed': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer Oats-and_Hay_7Qx)',
        ],
        'createPet/401/key-other-case': [
          'POST /pets {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (Authorization: Bearer oATS-AND-hAY_7qX)',
        ],
        'createPet/401/elsewhere': [
          'POST /pets?access_token=KEY&api_key=KEY&apikey=KEY&key=KEY&token=KEY {"name":"MARK-1","categoryId":3,"status":"available"} (refused) (X-API-Key: KEY) (X-Auth-Token: KEY) (X-Access-Token: KEY) (Cookie: api_key=KEY; token=KEY; session=KEY)',
        ],
        'createPet/401/before-invalid-body': ['POST /pets {} (refused)'],
        'createPet/401/before-broken-json': ['POST /pets {" (refused)'],
        'createPet/401/before-empty-body': ['POST /pets (refused)'],
        'createPet/401/before-media-type': ['POST /pets text (refused) (text/plain)'],
      },
    },
  ],
  [
    'a read, what comes before other refusals',
    {
      given: { document: 'listPets', records: PETS, only: 'getPet.*(before|after)' },
      want: {
        'getPet/401/before-malformed-petid': ['GET /pets/paddock (refused)'],
        'getPet/401/before-existing': ['GET /pets?limit=100', 'GET /pets/1 (refused)'],
        'getPet/401/after-a-good-key': ['GET /pets?limit=100', 'GET /pets/1', 'GET /pets/1 (refused)'],
      },
    },
  ],
  [
    'a list, with a key in the query',
    {
      given: { document: 'findGauges', only: 'findLevels/401/(no|wrong|empty|key-null|before|after)' },
      want: {
        'findLevels/401/no-credential': ['GET /levels (refused)'],
        'findLevels/401/wrong-key': ['GET /levels?token=Zzap%2Bqjq.Bjh%2F2Jk (refused)'],
        'findLevels/401/key-null': ['GET /levels?token=null (refused)'],
        'findLevels/401/empty-key': ['GET /levels?token= (refused)'],
        'findLevels/401/before-invalid-skip': ['GET /levels?skip=not-valid (refused)'],
        'findLevels/401/before-skip': ['GET /levels?skip=1 (refused)'],
        'findLevels/401/before-invalid-take': ['GET /levels?take=not-valid (refused)'],
        'findLevels/401/before-take': ['GET /levels?take=200 (refused)'],
        'findLevels/401/before-invalid-tide': ['GET /levels?tide=not-valid (refused)'],
        'findLevels/401/before-tide': ['GET /levels?tide=low (refused)'],
        'findLevels/401/after-a-good-key': ['GET /levels?token=KEY', 'GET /levels (refused)'],
      },
    },
  ],
  [
    'a target that is not on this machine, and gets no near misses of the key',
    {
      given: {
        document: 'listPets',
        records: PETS,
        only: 'listPets/401/(?!before|after)',
        target: 'https://service.test',
        writes: true,
      },
      want: {
        'listPets/401/no-credential': ['GET /pets (refused)'],
        'listPets/401/wrong-key': ['GET /pets (refused) (Authorization: Bearer Zzap+qjq.Bjh/2Jk)'],
        'listPets/401/key-null': ['GET /pets (refused) (Authorization: Bearer null)'],
        'listPets/401/key-undefined': ['GET /pets (refused) (Authorization: Bearer undefined)'],
        'listPets/401/empty-key': ['GET /pets (refused) (Authorization: Bearer)'],
        'listPets/401/no-scheme': ['GET /pets (refused) (Authorization: KEY)'],
        'listPets/401/other-scheme': ['GET /pets (refused) (Authorization: Basic ...)'],
        'listPets/401/token-scheme': ['GET /pets (refused) (Authorization: Token KEY)'],
        'listPets/401/basic': ['GET /pets (refused) (Authorization: Basic ...)'],
      },
    },
  ],
  [
    'operations without credentials, and one that does not say how it refuses',
    {
      given: { document: 'listTools' },
      want: { 'addJob/202/no-credential': ['GET /jobs', 'POST /jobs {"task":"MARK-1"} (refused)'] },
    },
  ],
]);

describeFamily('unknownIds', unknownIds, [
  [
    'integers',
    {
      given: { document: 'listPets', records: PETS, such: /\/pets\// },
      want: {
        'getPet/404/unknown-id': ['GET /pets/2287178957717504'],
        'getPet/404/random-ids': [
          'GET /pets/741698289',
          'GET /pets/554381595',
          'GET /pets/1567656315904',
          'GET /pets/12840113528832',
          'GET /pets/4541350032703488',
          'GET /pets/-449571853959168',
        ],
        'getPet/404/an-id-of-zero': ['GET /pets/0'],
        'getPet/404/a-negative-id': ['GET /pets/-1'],
        'getPet/404/an-id-beyond-2-31': ['GET /pets/2147483648'],
        'getPet/404/an-id-beyond-2-53': ['GET /pets/9007199254740993'],
        'getPet/404/the-greatest-int64': ['GET /pets/9223372036854775807'],
        'getPet/404/the-least-int64': ['GET /pets/-9223372036854775808'],
        'getPet/404/an-existing-id-with-its-sign-changed': ['GET /pets/-1'],
        'getPet/404/an-existing-id-and-2-32': ['GET /pets/4294967297'],
        'getPet/404/an-existing-id-with-its-last-bit-changed': ['GET /pets/0'],
        'getPet/404/an-existing-id-with-a-digit-more': ['GET /pets/17'],
        'getPet/404/an-id-that-is-a-word': ['GET /pets/paddock'],
        'getPet/404/an-id-with-letters-behind-it': ['GET /pets/1abc'],
        'getPet/404/an-id-with-letters-before-it': ['GET /pets/abc1'],
        'getPet/404/an-id-with-a-fraction': ['GET /pets/1.5'],
        'getPet/404/an-id-with-a-space-before-it': ['GET /pets/%201'],
        'getPet/404/an-id-in-hexadecimal': ['GET /pets/0x1'],
        'getPet/404/an-id-beyond-its-format': ['GET /pets/18446744073709551618'],
        'getPet/404/an-existing-id-and-2-64': ['GET /pets/18446744073709551617'],
      },
    },
  ],
  [
    'UUIDs, and a parent that is unknown',
    {
      given: { document: 'listBooks', records: LIBRARIES, only: 'Book' },
      want: {
        'listBooks/404/unknown-id': [
          'GET /libraries',
          'GET /libraries/d5177572-15f6-4801-b246-8426e54bbee2/books',
        ],
        'acquireBook/404/unknown-id': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries/d5177572-15f6-4801-b246-8426e54bbee2/books {"title":"MARK-1","language":"fr","isbn":"9784680563825","pages":957}',
        ],
        'getBook/404/unknown-id': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'GET /libraries/ID-111111111111/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046',
        ],
        'getBook/404/random-ids': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'GET /libraries/ID-111111111111/books/7cf0e5fd-ecab-41c6-8472-ee990aebff53',
          'GET /libraries/ID-111111111111/books/142bc4ff-855c-4f0a-8f4e-50fd68f3cb6a',
          'GET /libraries/ID-111111111111/books/45fdcc6e-0705-4ca4-90b1-580391aa7e87',
          'GET /libraries/ID-111111111111/books/40eaeed6-8da3-49a9-9e82-0c4291c0c18a',
          'GET /libraries/ID-111111111111/books/ecec5082-60d1-4cea-8f9e-56dc8913687a',
          'GET /libraries/ID-111111111111/books/78cd497b-72b9-4248-88d7-503f062ebf50',
        ],
        'replaceBook/404/unknown-id': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046',
          'PUT /libraries/ID-101/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046 {"title":"MARK-3","language":"pl","isbn":"9780933034577","pages":21}',
        ],
        'discardBook/404/unknown-id': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046',
          'DELETE /libraries/ID-101/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046',
        ],
        'amendBook/404/unknown-id': [
          'GET /libraries',
          'GET /libraries/ID-111111111111/books?first=500',
          'POST /libraries {"name":"MARK-1","seats":190}',
          'POST /libraries/ID-101/books {"title":"MARK-2","language":"fr","isbn":"9784680563825","pages":957}',
          'GET /libraries/ID-101/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046',
          'PATCH /libraries/ID-101/books/f4792be3-3ba8-45c2-8f7c-6f9dd2ad8046 {"title":"MARK-3","language":"en","isbn":"9785100689293","pages":829}',
        ],
      },
    },
  ],
]);

describeFamily('provoked', provoked, [
  [
    'one request, and several with values of earlier responses',
    {
      given: { document: 'listLibraries', records: LIBRARIES, provoke: PROVOKE },
      want: {
        'getLibrary/404/provoked': ['GET /libraries/22222222-2222-4222-8222-222222222222'],
        'closeLibrary/404/provoked': [
          'POST /libraries {"name":"Ribe"}',
          'POST /libraries {"name":"Ribe"}',
          'DELETE /libraries/ID-102',
          'POST /libraries {"name":"after ID-102"}',
          'DELETE /libraries/ID-102 (Prefer: wait=1)',
          'DELETE /libraries/ID-103',
          'DELETE /libraries/ID-101',
        ],
      },
    },
  ],
  ['none are wanted', { given: { document: 'listPets' }, want: {} }],
]);

test('no text is no invalid value where allowEmptyValue is true', async () => {
  const of = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
  const get = {
    operationId: 'list',
    parameters: [of('a'), { ...of('b'), allowEmptyValue: true }],
    responses: { 200: { description: 'Done' } },
  };
  const document = { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: { '/a': { get } } };
  const contract = await readContract(JSON.stringify(document), 'a.json');
  const settings = resolveSettings({ target: 'http://127.0.0.1:1', document: '' });
  const empty = [...invalidParameter(contract, settings)].filter(({ id }) => id.endsWith('is-empty'));
  expect(empty.map(({ id }) => id)).toEqual(['list/200/a-that-is-empty']);
});
