import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract, readContract } from '#spec';
import { findingsOf } from '../testing/found.ts';
import { ask, type Step } from '../testing/steps.ts';
import { type Root, rootsOf } from './roots.ts';

const contract = await loadContract(fileURLToPath(new URL('../testing/kiosk.yaml', import.meta.url)));

type Cases = Readonly<Record<string, readonly Step[]>>;

const paper = { id: 1, name: 'Post', pages: 8, editor: 'Ann', daily: true };
const { id: _, ...newPaper } = paper;
const sweet = { id: 1, colour: 'red', price: 3 };
const valid = (status: number) => ({ expected: { status } });
const refusal = 'invalid';
const NO_KEY = { refused: { headers: [], query: [] } };

function shown({ key, title, findings, followUps }: Root) {
  return {
    key,
    title,
    findings: findings.length,
    followUps: followUps.map((one) => `${one.findings.length} ${one.key.replace(/#.*/, '')}`),
  };
}

function roots(cases: Cases) {
  return rootsOf(findingsOf(contract, cases), contract).map(shown);
}

const one = (key: string, title: string, findings: number, followUps: string[] = []) => [
  { key, title, findings, followUps },
];

test.for<[string, { cases: Cases; want: readonly ReturnType<typeof shown>[] }]>([
  [
    'another 4xx for invalid input is one root over all operations',
    {
      cases: {
        'createPaper/400/a': [ask('createPaper', { body: { name: 1 } }, 422, refusal)],
        'createPaper/400/b': [ask('createPaper', { body: 1 }, 422, refusal)],
        'createSweet/400/a': [ask('createSweet', { body: {} }, 422, refusal)],
        'listPapers/400/a': [ask('listPapers', { query: { daily: 'word' } }, 422, refusal)],
      },
      want: one('invalid-refused/422-for-400', '422 where only 400 is documented for invalid input', 4),
    },
  ],
  [
    'what is not there whatever is asked is not there for an invalid request',
    {
      cases: {
        'listPapers/200/a': [ask('listPapers', valid(200), 404, refusal)],
        'listPapers/400/a': [ask('listPapers', { query: { daily: 'word' } }, 404, refusal)],
      },
      want: one('refused/404/listPapers', 'GET /papers refuses valid requests with 404', 1, [
        '1 invalid-refused/404-for-400',
      ]),
    },
  ],
  [
    'what the document is silent on is one root, whatever the status',
    {
      cases: {
        'listPapers/200/a': [ask('listPapers', {}, 403, refusal)],
        'listSweets/200/a': [ask('listSweets', {}, 403, refusal)],
        'createPaper/201/a': [ask('createPaper', { body: newPaper }, 409, refusal)],
        'createSweet/201/a': [ask('createSweet', { body: { colour: 'red', price: 1 } }, 404, refusal)],
        'createSweet/201/b': [
          ask('createSweet', { body: { colour: 'red', price: 1 }, ...valid(201) }, 409, refusal),
        ],
      },
      want: one('status/undocumented-4xx', '403, 404, 409 where the document is silent', 5),
    },
  ],
  [
    'a 5xx is a root of its own for each operation, and for what provokes it, but for bodies that are none or no object',
    {
      cases: {
        'listPapers/200/a': [ask('listPapers', valid(200), 500, refusal)],
        'listPapers/200/b': [
          ask('listPapers', { headers: [['Accept', 'image/x']] }, 500, refusal),
          ask('listPapers', { query: { daily: 'x' } }, 500, refusal),
        ],
        'createPaper/400/a': [ask('createPaper', { body: 1 }, 500, refusal)],
        'createPaper/400/b': [ask('createPaper', { body: { name: 1 } }, 500, refusal)],
        'createPaper/400/d': [ask('createPaper', { rawBody: '' }, 500, refusal)],
        'createPaper/400/e': [ask('createPaper', { rawBody: 'a', contentType: 'text/plain' }, 500, refusal)],
        'createSweet/400/a': [ask('createSweet', { body: 1 }, 500, refusal)],
        'createPaper/400/c': [ask('createPaper', { rawBody: '{' }, 500, refusal)],
        'createSweet/400/b': [ask('createSweet', { rawBody: '{' }, 500, refusal)],
        'createSweet/400/c': [ask('createSweet', { rawBody: '' }, 500, refusal)],
        'listSweets/400/a': [ask('listSweets', { query: { sour: 'x' } }, 500, refusal)],
      },
      want: [
        ...one('server-error/500/listPapers', 'GET /papers answers 500 to a valid request', 1, [
          '1 invalid-tolerated/500-for-4xx',
          '1 invalid-refused/500-for-400',
        ]),
        ...one('server-error/500/body/an object', 'POST /papers and others answer 500 to an invalid body', 2),
        ...one('server-error/500/createPaper/body', 'POST /papers answers 500 to an invalid body', 2),
        ...one('server-error/500/body/no-body', 'POST /papers and others answer 500 to an invalid body', 2),
        ...one(
          'server-error/500/syntax',
          'POST /papers and others answer 500 to a body that is not what its Content-Type says',
          2,
        ),
        ...one('server-error/500/listSweets/query', 'GET /sweets answers 500 to an invalid ?sour', 1),
      ],
    },
  ],
  [
    'to refuse valid requests is a root for each operation and status',
    {
      cases: {
        'createPaper/201/a': [ask('createPaper', { body: newPaper, ...valid(201) }, 422, refusal)],
        'createPaper/201/b': [ask('createPaper', { body: { name: 'b' } }, 422, refusal)],
        'createSweet/201/a': [
          ask(
            'createSweet',
            { body: { colour: 'paddock-k3x9-1c1n', price: 1 }, ...valid(201) },
            409,
            refusal,
          ),
        ],
      },
      want: [
        ...one('refused/422/createPaper', 'POST /papers refuses valid requests with 422', 2),
        ...one('refused/409/createSweet', 'POST /sweets refuses valid requests with 409', 1),
      ],
    },
  ],
  [
    'a service that lets nobody in is one root, which explains its other refusals',
    {
      cases: {
        'listPapers/200/a': [ask('listPapers', valid(200), 403, refusal)],
        'createPaper/201/a': [ask('createPaper', { body: newPaper, ...valid(201) }, 403, refusal)],
        'createPaper/400/a': [ask('createPaper', { body: 1 }, 403, refusal)],
        'createPaper/201/b': [ask('createPaper', { body: newPaper }, 403, refusal)],
        'listSweets/200/a': [ask('listSweets', {}, 403, refusal)],
      },
      want: [
        ...one('refused/403', 'GET /papers and others refuse valid requests with 403', 2, [
          '1 invalid-refused/403-for-400',
          '1 status/undocumented-403',
        ]),
        ...one('status/undocumented-4xx', '403 where the document is silent', 1),
      ],
    },
  ],
  [
    'error bodies of one form are one root over all operations and places, and so are forms that break the same',
    {
      cases: {
        'listPapers/400/a': [ask('listPapers', { query: { daily: 'x' } }, 400, { code: 1, message: 'no' })],
        'createPaper/400/a': [ask('createPaper', { body: 1 }, 400, { code: 1, message: 'no' })],
        'createSweet/400/a': [ask('createSweet', { body: 1 }, 400, { message: 'no' })],
        'readPaper/404/a': [
          ask('readPaper', { path: { id: 7 }, unknownId: true }, 404, { code: 1, message: 'no' }),
        ],
      },
      want: one(
        'schema/errors/type:',
        'errors are {code, message}, {message} where a string is documented',
        4,
      ),
    },
  ],
  [
    'a PUT that keeps what it is to remove is one root, whichever members show it',
    {
      cases: {
        'replacePaper/200/a': [
          ask('createPaper', { body: newPaper }, 201, paper),
          ask('readPaper', { path: { id: 1 } }, 200, paper),
          ask('replacePaper', { path: { id: 1 }, body: { name: 'Times' } }, 200, { ...paper, name: 'Times' }),
          ask('readPaper', { path: { id: 1 } }, 200, { ...paper, name: 'Times' }),
        ],
      },
      want: one(
        'replaced-is-replaced/replacePaper',
        'PUT /papers/{id} keeps pages, editor, daily, which the body leaves out',
        3,
      ),
    },
  ],
  [
    'members that a create loses are one root, which explains the read',
    {
      cases: {
        'createPaper/201/a': [
          ask('createPaper', { body: newPaper }, 201, { id: 1, name: 'Post', daily: true }),
        ],
        'readPaper/200/a': [
          ask('createPaper', { body: newPaper }, 201, { id: 1, name: 'Post', daily: true }),
          ask('readPaper', { path: { id: 1 } }, 200, { id: 1, name: 'Post', daily: true }),
          ask('listPapers', {}, 200, [{ id: 1, name: 'Post', daily: true }]),
        ],
      },
      want: one('created/lost/createPaper', 'POST /papers does not keep pages, editor', 4, [
        '1 created-can-be-read/unequal',
        '1 created-can-be-read/unequal',
      ]),
    },
  ],
  [
    'a body that does not fit its schema explains what the same member breaks elsewhere',
    {
      cases: {
        'createPaper/201/a': [
          ask('createPaper', { body: newPaper }, 201, { ...paper, pages: 'eight' }),
          ask('readPaper', { path: { id: 1 } }, 200, { ...paper, pages: 'eight' }),
          ask('listPapers', {}, 200, [{ ...paper, pages: 'eight' }]),
        ],
      },
      want: one(
        'schema/type#/components/schemas/Paper/properties/pages/type',
        'POST /papers answers 201 with a body that does not fit its schema: pages must be an integer',
        1,
        ['1 created-equals-sent/unequal', '1 created-can-be-read/unequal'],
      ),
    },
  ],
  [
    'copies of one schema are one place, whatever they say to people',
    {
      cases: {
        'createSweet/201/a': [
          ask('createSweet', { body: { colour: 'red', price: 3 } }, 201, { ...sweet, price: 3.5 }),
        ],
        'listSweets/200/a': [ask('listSweets', {}, 200, [{ ...sweet, price: 3.5 }])],
      },
      want: [
        {
          key: expect.stringMatching(
            /^schema\/type#~[0-9a-f]{12}\/properties\/price\/type$/,
          ) as unknown as string,
          title:
            'GET /sweets answers 200 with a body that does not fit its schema: [].price, price must be an integer',
          findings: 2,
          followUps: ['1 created-equals-sent/unequal'],
        },
      ],
    },
  ],
  [
    'another success than the documented one is one root over all operations, any other status one of an operation',
    {
      cases: {
        'readPaper/200/a': [
          ask('createPaper', { body: newPaper }, 200, paper),
          ask('createPaper', { body: newPaper, ...valid(201) }, 200, { ...paper, id: 2 }),
        ],
        'createSweet/201/a': [ask('createSweet', { body: { colour: 'red', price: 3 } }, 200, sweet)],
        'listPapers/200/a': [
          ask('listPapers', valid(200), 302, undefined, { Location: '/' }),
          ask('listPapers', {}, 302, undefined, { Location: '/' }),
        ],
      },
      want: [
        ...one('status/200-for-success', 'POST /sweets and others answer 200 where 201 is documented', 3),
        ...one('status/302/listPapers', 'GET /papers answers 302 where 200 is documented', 2),
      ],
    },
  ],
  [
    'how dates are written, and null for what is not there, are one root each over all schemas',
    {
      cases: {
        'readPaper/200/a': [
          ask('readPaper', { path: { id: 1 } }, 200, {
            ...paper,
            printed: '2024-01-02T03:04:05',
            pages: null,
          }),
        ],
        'listSweets/200/a': [ask('listSweets', {}, 200, [{ ...sweet, colour: null }])],
        'listPapers/200/a': [ask('listPapers', {}, 200, [{ ...paper, sold: '2024-01-02T03:04:05' }])],
      },
      want: [
        ...one(
          'schema/null',
          'GET /sweets answers 200 with null in [].colour, pages, which the schema does not allow',
          2,
        ),
        ...one(
          'schema/format/date-time',
          'GET /papers answers 200 with [].sold, printed not as documented: must fit the format date-time',
          2,
        ),
      ],
    },
  ],
  [
    'parameters that are not checked are one root for each type',
    {
      cases: {
        'listPapers/400/a': [ask('listPapers', { query: { daily: 'word' } }, 200, [])],
        'listSweets/400/a': [ask('listSweets', { query: { sour: 'word' } }, 200, [])],
        'listPapers/400/b': [ask('listPapers', { query: { limit: 'word' } }, 200, [])],
        'listPapers/400/c': [ask('listPapers', { query: { limit: 0 } }, 200, [])],
      },
      want: [
        ...one(
          'invalid-refused/accepted/query/type/a boolean',
          'GET /sweets and others accept an invalid ?sour, ?daily, which must be a boolean',
          2,
        ),
        ...one(
          'invalid-refused/accepted/query/type/an integer',
          'GET /papers accepts an invalid ?limit, which must be an integer',
          1,
        ),
        {
          key: expect.stringMatching(/^invalid-refused\/accepted\/query\/minimum#~/) as unknown as string,
          title: expect.stringContaining('GET /papers accepts an invalid ?limit, which') as unknown as string,
          findings: 1,
          followUps: [],
        },
      ],
    },
  ],
  [
    'types of members that are not checked are one root over all operations, members that are not demanded one of a resource',
    {
      cases: {
        'createPaper/400/a': [ask('createPaper', { body: { ...newPaper, pages: 'x' } }, 201, paper)],
        'createPaper/400/b': [ask('createPaper', { body: { ...newPaper, editor: 1 } }, 201, paper)],
        'createPaper/400/c': [ask('createPaper', { body: { pages: 1 } }, 201, paper)],
        'replacePaper/400/a': [
          ask('replacePaper', { path: { id: 1 }, body: { ...newPaper, pages: 'x' } }, 200, paper),
        ],
        'createSweet/400/a': [ask('createSweet', { body: { colour: 'red', price: 'x' } }, 201, sweet)],
      },
      want: [
        ...one(
          'invalid-refused/accepted/type',
          'POST /sweets and others accept bodies with other types: price, pages, editor',
          4,
        ),
        ...one('invalid-refused/accepted/required//papers', 'POST /papers accepts bodies without name', 1),
      ],
    },
  ],
  [
    'a member that is shown with another type is explained by what was taken, unless a valid one was sent',
    {
      cases: {
        'createPaper/400/a': [
          ask('createPaper', { body: { ...newPaper, pages: 'x' } }, 201, { ...paper, pages: 'x' }),
        ],
        'createPaper/400/b': [
          ask('createPaper', { body: { ...newPaper, editor: 1 } }, 201, { ...paper, editor: 1 }),
        ],
        'createPaper/201/c': [ask('createPaper', { body: newPaper }, 201, { ...paper, pages: '8' })],
      },
      want: [
        ...one(
          'invalid-refused/accepted/type',
          'POST /papers accepts bodies with other types: editor, pages',
          2,
          ['1 schema/anyOf'],
        ),
        ...one(
          'schema/type#/components/schemas/Paper/properties/pages/type',
          'POST /papers answers 201 with a body that does not fit its schema: pages must be an integer',
          2,
          ['1 created-equals-sent/unequal'],
        ),
      ],
    },
  ],
  [
    'what fails without a credential, or for the type of an id, is one root over all operations',
    {
      cases: {
        'listPapers/401/a': [ask('listPapers', NO_KEY, 500, refusal)],
        'createSweet/401/a': [
          ask('createSweet', { ...NO_KEY, body: { colour: 'red', price: 1 } }, 500, refusal),
          ask('createSweet', { ...NO_KEY, body: { price: 'x' } }, 500, refusal),
        ],
        'readPaper/404/a': [ask('readPaper', { path: { id: 'x' } }, 500, refusal)],
        'replacePaper/404/a': [ask('replacePaper', { path: { id: 'x' }, body: newPaper }, 500, refusal)],
        'readPaper/404/b': [ask('readPaper', { path: { id: 7 }, unknownId: true }, 502, refusal)],
      },
      want: [
        ...one(
          'server-error/500/credential',
          'GET /papers and others answer 500 to a request without a valid credential',
          2,
        ),
        ...one(
          'server-error/500/path/an integer',
          'GET /papers/{id} and others answer 500 to an invalid {id}',
          2,
        ),
        ...one('server-error/502/readPaper', 'GET /papers/{id} answers 502 to an id that names nothing', 1),
      ],
    },
  ],
  [
    'who answers nothing in place of 404 has one root, which explains the bodies; another record is one of its operation',
    {
      cases: {
        'readPaper/404/a': [ask('readPaper', { path: { id: 7 }, unknownId: true }, 200, null)],
        'readPaper/404/c': [ask('readPaper', { path: { id: 8 }, unknownId: true }, 200, null)],
        'readPaper/404/b': [ask('readPaper', { path: { id: 9 }, unknownId: true }, 200, paper)],
      },
      want: [
        ...one(
          'unknown-id/accepted/GET/200',
          'GET /papers/{id} answers 200, with null for ids that name nothing',
          2,
          ['2 schema/type'],
        ),
        ...one('unknown-id/accepted/readPaper', 'GET /papers/{id} answers 200 for ids that name nothing', 1),
        expect.objectContaining({ title: 'GET /papers/{id} shows a record with another id' }) as never,
      ],
    },
  ],
  [
    'null, no body and what is no JSON are one root each over all operations, whatever type is demanded',
    {
      cases: {
        'createPaper/400/a': [ask('createPaper', { body: { ...newPaper, pages: null } }, 201, paper)],
        'replacePaper/400/a': [
          ask('replacePaper', { path: { id: 1 }, body: { ...newPaper, daily: null } }, 200, paper),
        ],
        'createSweet/400/a': [ask('createSweet', { body: { colour: 'red', price: null } }, 201, sweet)],
        'createPaper/400/b': [ask('createPaper', {}, 201, paper)],
        'createSweet/400/b': [ask('createSweet', {}, 201, sweet)],
        'createPaper/400/c': [ask('createPaper', { rawBody: '{"name":"Post"} x' }, 201, paper)],
        'createSweet/400/c': [ask('createSweet', { rawBody: '{' }, 201, sweet)],
      },
      want: [
        ...one(
          'invalid-refused/accepted/null',
          'POST /sweets and others accept null, which the schema does not allow: price, pages, daily',
          3,
        ),
        ...one(
          'invalid-refused/accepted/no-body',
          'POST /papers and others accept requests without a body',
          2,
        ),
        ...one(
          'invalid-refused/accepted/syntax',
          'POST /sweets and others accept bodies that are not what their Content-Type says',
          2,
        ),
      ],
    },
  ],
  [
    'formats that bodies do not keep to are a root for each format, whatever members have it',
    {
      cases: {
        'createPaper/400/a': [ask('createPaper', { body: { ...newPaper, printed: 'x' } }, 201, paper)],
        'replacePaper/400/a': [
          ask('replacePaper', { path: { id: 1 }, body: { ...newPaper, sold: 'x' } }, 200, paper),
        ],
      },
      want: one(
        'invalid-refused/accepted/format/date-time',
        'PUT /papers/{id} and others accept any sold, printed, which must fit the format date-time',
        2,
      ),
    },
  ],
  [
    'what cannot be read by its id cannot be removed by it',
    {
      cases: {
        'readPaper/200/a': [
          ask('createPaper', { body: newPaper }, 201, paper),
          ask('readPaper', { path: { id: 1 }, ...valid(200) }, 404, '"gone"'),
          ask('readPaper', { path: { id: 1 } }, 404, '"gone"'),
          ask('removePaper', { path: { id: 1 }, ...valid(204) }, 404, '"gone"'),
        ],
      },
      want: one(
        'created-can-be-read/missing#/paths/~1papers~1{id}/get',
        'GET /papers/{id} does not show a record that was made',
        1,
        ['1 status/404-for-200', '1 status/404-for-204'],
      ),
    },
  ],
  [
    'null in some members does not follow from what the service takes for another one',
    {
      cases: {
        'createPaper/400/pages': [
          ask('createPaper', { body: { ...newPaper, pages: 'x' } }, 201, { ...paper, pages: null }),
        ],
        'listPapers/200/a': [ask('listPapers', {}, 200, [{ ...paper, daily: null }])],
      },
      want: [
        ...one('invalid-refused/accepted/type', 'POST /papers accepts bodies with other types: pages', 1, [
          '1 schema/type',
        ]),
        ...one(
          'schema/null',
          'GET /papers answers 200 with null in [].daily, which the schema does not allow',
          1,
        ),
      ],
    },
  ],
  [
    'a filter that is ignored, by its parameter',
    {
      cases: {
        'listPapers/200/a': [ask('listPapers', { query: { daily: false } }, 200, [paper])],
        'listPapers/200/b': [ask('listPapers', { query: { limit: 1 } }, 200, [paper, { ...paper, id: 2 }])],
      },
      want: [
        {
          key: expect.stringMatching(/^filter#~/) as unknown as string,
          title: 'GET /papers ignores ?daily',
          findings: 1,
          followUps: [],
        },
        {
          key: expect.stringMatching(/^page-size#~/) as unknown as string,
          title: 'GET /papers ignores ?limit',
          findings: 1,
          followUps: [],
        },
      ],
    },
  ],
])('%s', ([, { cases, want }]) => {
  expect(roots(cases)).toEqual(want);
});

test('where a removed record stays, a race that leaves it follows from that; where it goes, the race is a root', () => {
  const made = ask('createPaper', { body: newPaper }, 201, paper);
  const removed = ask('removePaper', { path: { id: 1 } }, 204);
  const read = ask('readPaper', { path: { id: 1 } }, 200, paper);
  const [stays] = findingsOf(contract, { 'removePaper/204/a': [made, removed, read] });
  if (!stays) throw new Error('nothing was found');
  const race = { ...stays, law: 'linearizable' as const, caseId: 'removePaper/204/race' };
  const [key, raced] = ['removed-is-gone', 'linearizable'].map(
    (law) => `${law}#/paths/~1papers~1{id}/delete`,
  );
  expect(rootsOf([stays, race], contract).map(shown)).toEqual(
    one(`${key}`, 'DELETE /papers/{id} leaves a removed record', 1, [`1 ${stays.law}`]),
  );
  expect(rootsOf([race], contract).map(shown)).toEqual(
    one(`${raced}`, 'DELETE /papers/{id} loses one of several changes at the same time', 1),
  );
});

test('where a list lacks what was made, its pages lack it for that', () => {
  const made = ask('createPaper', { body: newPaper }, 201, paper);
  const listed = ask('listPapers', {}, 200, []);
  const [short] = findingsOf(contract, { 'createPaper/201/a': [made, listed] });
  if (short?.law !== 'complete-list') throw new Error('it was not found');
  const lacks = { ...short, law: 'created-is-listed' as const };
  const [key, other] = ['created-is-listed', 'complete-list'].map(
    (law) => `${law}/missing#/paths/~1papers/get`,
  );
  expect(rootsOf([lacks, short], contract).map(shown)).toEqual(
    one(`${key}`, 'GET /papers does not list a record that was made', 1, [
      `1 ${short.key.replace(/#.*/, '')}`,
    ]),
  );
  expect(rootsOf([short], contract).map((root) => root.key)).toEqual([other]);
});

test('parameters whose format is not checked are one root for each format', async () => {
  const query = (name: string, format: string) => ({ name, in: 'query', schema: { type: 'string', format } });
  const get = (operationId: string, ...parameters: object[]) => ({
    get: { operationId, parameters, responses: { 200: { description: '' }, 400: { description: '' } } },
  });
  const logs = await readContract(
    {
      openapi: '3.1.1',
      info: { title: 'Logs', version: '1' },
      paths: {
        '/lines': get('lines', query('since', 'date-time'), query('writer', 'uuid')),
        '/jobs': get('jobs', query('until', 'date-time')),
      },
    },
    'logs.json',
  );
  const cases = {
    'lines/400/a': [ask('lines', { query: { since: '1.5' } }, 200)],
    'lines/400/b': [ask('lines', { query: { writer: '1.5' } }, 200)],
    'jobs/400/a': [ask('jobs', { query: { until: '1.5' } }, 200)],
  };
  expect(rootsOf(findingsOf(logs, cases), logs).map(({ key }) => key)).toEqual([
    'invalid-refused/accepted/query/format/date-time',
    'invalid-refused/accepted/query/format/uuid',
  ]);
});

test('a read-only member that a read shows was taken by the write before it', () => {
  const taken = { ...paper, id: 4503599627370001 };
  const post = ask('createPaper', { body: { ...newPaper, id: taken.id } }, 201, undefined);
  const read = ask('readPaper', { path: { id: taken.id } }, 200, taken);
  const [found] = findingsOf(contract, { 'createPaper/201/id-sent': [post, read] }).filter(
    ({ law }) => law === 'read-only-ignored',
  );
  const written = contract.operations.filter(({ id }) => id === 'createPaper');
  if (!found) throw new Error('nothing was found');
  const trail = written.map((operation) => ({ operation })) as unknown as typeof found.trail;
  expect(rootsOf([{ ...found, trail }], contract).map(({ title }) => title)).toEqual([
    'POST /papers takes id from the client, which only the service sets',
  ]);
});

test.each<[string, Cases, string[]]>([
  [
    'that asks for no credential has one root, whatever comes without one',
    {
      'list/401/a': [ask('list', NO_KEY, 200, [])],
      'list/401/b': [ask('list', NO_KEY, 404, refusal)],
      'read/401/a': [ask('read', { path: { id: 1 }, ...NO_KEY }, 400, refusal)],
    },
    ['GET /locks answers 200 without a valid credential'],
  ],
  [
    'that fails without a credential is not said to fail at valid requests',
    { 'read/401/a': [ask('read', { path: { id: 1 }, ...NO_KEY }, 500, refusal)] },
    ['GET /locks/{id} answers 500 to a request without a valid credential'],
  ],
])('a service %s', async (_, cases, want) => {
  const responses = Object.fromEntries([200, 400, 401].map((status) => [status, { description: '' }]));
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const locks = await readContract(
    {
      openapi: '3.1.1',
      info: { title: 'Locks', version: '1' },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
      paths: {
        '/locks': { get: { operationId: 'list', responses } },
        '/locks/{id}': { get: { operationId: 'read', parameters: [id], responses } },
      },
    },
    'locks.json',
  );
  expect(rootsOf(findingsOf(locks, cases), locks).map(({ title }) => title)).toEqual(want);
});

test('a 5xx to a parameter that operations share in the components is one root', async () => {
  const get = (operationId: string) => ({
    operationId,
    parameters: [{ $ref: '#/components/parameters/Since' }],
    responses: { 200: { description: '' }, 400: { description: '' } },
  });
  const paths = { '/trains': { get: get('listTrains') }, '/buses': { get: get('listBuses') } };
  const parameters = { Since: { name: 'since', in: 'query', schema: { type: 'integer' } } };
  const info = { title: 'Lines', version: '1' };
  const lines = await readContract(
    { openapi: '3.1.1', info, paths, components: { parameters } },
    'lines.json',
  );
  const failed = (id: string) => [ask(id, { query: { since: 'x' } }, 500, refusal)];
  const cases = { 'listTrains/400/a': failed('listTrains'), 'listBuses/400/a': failed('listBuses') };
  expect(rootsOf(findingsOf(lines, cases), lines).map(shown)).toEqual(
    one('server-error/500/parameters/Since', 'GET /buses and others answer 500 to an invalid ?since', 2),
  );
});

test('how a service writes, wraps and fills in its responses is one root each over all operations', async () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const object = (properties: object) => ({ type: 'object', properties });
  const collection = (name: string) => {
    const item = object({
      note: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      [name]: { type: 'integer' },
    });
    const responses = { 200: { description: '', ...json(object({ data: item })) } };
    return { post: { operationId: name, requestBody: json(item), responses } };
  };
  const pots = await readContract(
    {
      openapi: '3.1.1',
      info: { title: 'Pots', version: '1' },
      paths: { '/pots': collection('pots'), '/pans': collection('pans') },
    },
    'pots.json',
  );
  const post = (id: string, body: object, data: unknown, headers?: object) =>
    [{ ...ask(id, { body }, 200, { data }), ...(headers && { headers }) }] as Step[];
  const cases = {
    'pots/200/a': post('pots', { pots: 1 }, { note: null, pots: 1 }),
    'pans/200/a': post('pans', { pans: 1 }, { note: null, pans: 1 }),
    'pots/200/b': [ask('pots', { body: { pots: 1 } }, 200, [])],
    'pans/200/b': [ask('pans', { body: { pans: 1 } }, 200, [])],
    'pots/200/c': post('pots', { pots: 'x' }, { pots: 'x' }),
    'pans/200/c': post('pans', { pans: 'x' }, { pans: 'x' }),
    'pots/200/d': post('pots', { pots: 1 }, {}, { 'Content-Type': 'text/xml' }),
    'pans/200/d': post('pans', { pans: 1 }, {}, { 'Content-Type': 'text/xml' }),
  };
  const found = rootsOf(findingsOf(pots, cases), pots).map((root) => `${root.key}: ${root.findings.length}`);
  expect(found.filter((one) => !one.startsWith('invalid-refused'))).toEqual([
    'schema/null: 2',
    'schema/is-list/: 2',
    'schema/as-sent: 2',
    'content-type/text/xml: 2',
  ]);
});

test('a read that shows another object is one root, with what that lacks and has besides', async () => {
  const text = { type: 'string' };
  const properties = { name: text, icon: text };
  const tag = { type: 'object', required: ['name'], additionalProperties: false, properties };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tag' } } };
  const gives = (status: number) => ({ responses: { [status]: { description: '', content } } });
  const list = {
    'application/json': { schema: { type: 'array', items: content['application/json'].schema } },
  };
  const tags = await readContract(
    {
      openapi: '3.1.1',
      info: { title: 'Tags', version: '1' },
      paths: {
        '/tags': {
          get: { operationId: 'list', responses: { 200: { description: '', content: list } } },
          post: { operationId: 'add', requestBody: { required: true, content }, ...gives(201) },
        },
        '/tags/{name}': {
          parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
          get: { operationId: 'read', ...gives(200) },
        },
      },
      components: { schemas: { Tag: tag } },
    },
    'tags.json',
  );
  const red = { name: 'paddock-k3x9-1n', icon: 'dot' };
  const read = ask('read', { path: { name: red.name } }, 200, { version: 1, tag: red });
  const found = findingsOf(tags, { 'add/201/a': [ask('add', { body: red }, 201, red), read] });
  expect(new Set(found.map(({ law }) => law))).toEqual(new Set(['schema', 'path-id', 'created-can-be-read']));
  expect(rootsOf(found, tags).map(({ key }) => key)).toEqual([
    'schema/required#/components/schemas/Tag/required',
  ]);
});

test('equal words of refusals, empty bodies and equal inline schemas are one root over operations', async () => {
  const text = { type: 'string' };
  const content = (schema: object) => ({ 'application/json': { schema } });
  const gives = { 200: { description: '', content: content({ type: 'array', items: text }) } };
  const at = (operationId: string) => ({
    get: { operationId: `${operationId}Names`, responses: gives },
    post: {
      operationId,
      requestBody: { content: content({ type: 'object', required: ['name'], properties: { name: text } }) },
      responses: { ...gives, 400: { description: '' } },
    },
  });
  const paths = { '/cups': at('cups'), '/jars': at('jars'), '/tins': at('tins') };
  const shelf = await readContract(
    { openapi: '3.1.1', info: { title: '', version: '' }, paths },
    'shelf.json',
  );
  const refused = (id: string, error: string) =>
    ask(id, { body: { name: id }, ...valid(200) }, 400, { error });
  const cases = {
    'cups/200/a': [refused('cups', 'No depot 7 is open at this time')],
    'jars/200/a': [refused('jars', 'No depot 12 is open at this time')],
    'tins/200/a': [refused('tins', 'Bad request')],
    'cups/200/b': [ask('cups', {}, 500, refusal)],
    'jars/400/b': [ask('jars', { body: {} }, 500, refusal)],
    'tins/400/b': [ask('tins', { body: {} }, 500, refusal)],
    'tins/400/c': [ask('tins', { body: { name: 1 } }, 500, refusal)],
    'cupsNames/200/a': [ask('cupsNames', {}, 200, [1])],
    'jarsNames/200/a': [ask('jarsNames', {}, 200, [2])],
  };
  const causes = rootsOf(findingsOf(shelf, cases), shelf).map(
    ({ title, findings }) => `${title}: ${findings.length}`,
  );
  expect(causes).toEqual([
    'POST /cups and others refuse valid requests with 400: 2',
    'POST /tins refuses valid requests with 400: 1',
    'POST /cups and others answer 500 to an empty body: 2',
    'POST /tins answers 500 to an invalid body: 2',
    'GET /cups answers 200 with a body that does not fit its schema: [] must be a string: 2',
  ]);
});

test('one serializer, one reader of bodies and an open service are one root each over schemas and operations', async () => {
  const text = { type: 'string' };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const object = (properties: object, ...required: string[]) => ({ type: 'object', required, properties });
  const of = (name: string) => object({ kind: { const: name }, owner: text, [name]: text }, 'kind', 'owner');
  const schemas = {
    cat: of('cat'),
    dog: of('dog'),
    any: {
      anyOf: ['cat', 'dog'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: 'kind' },
    },
  };
  const gives = (name: string) => ({
    200: { description: '', ...json({ $ref: `#/components/schemas/${name}` }) },
    400: { description: '' },
    401: { description: '' },
  });
  const get = (name: string) => ({
    get: { operationId: name, security: [{ key: [] }], responses: gives(name) },
  });
  const seats = json(object({ seats: { type: 'array', items: text } }));
  const send = (operationId: string) => ({
    operationId,
    security: [{ key: [] }],
    requestBody: { required: true, ...seats },
    responses: { 204: { description: '' }, 400: { description: '' } },
  });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
  const pound = await readContract(
    {
      openapi: '3.1.1',
      info: { title: 'Pound', version: '1' },
      paths: {
        '/cat': get('cat'),
        '/dog': get('dog'),
        '/any': get('any'),
        '/vans/{id}/seats': { parameters, post: send('addSeats'), delete: send('dropSeats') },
        '/cars/{id}/seats': { parameters, post: send('addCarSeats') },
      },
      components: { schemas, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    },
    'pound.json',
  );
  const wrong = (id: string) => [
    ask(id, { path: { id: 'a' }, body: { seats: [7] }, presented: NO_KEY.refused }, 500, refusal),
  ];
  const cases = {
    'cat/200/a': [ask('cat', {}, 200, { kind: 'cat', cat: 'a' })],
    'dog/200/a': [ask('dog', {}, 200, { kind: 'dog', dog: 'a' })],
    'any/200/a': [ask('any', {}, 200, { kind: 'cat', owner: 'a', cat: null })],
    'cat/200/b': [ask('cat', {}, 200, { kind: 'cat', owner: null })],
    'addSeats/400/a': wrong('addSeats'),
    'dropSeats/400/a': wrong('dropSeats'),
    'addCarSeats/400/a': wrong('addCarSeats'),
    'dropSeats/400/b': [
      ask('dropSeats', { path: { id: 'a' }, body: null, presented: NO_KEY.refused }, 500, refusal),
    ],
    'addCarSeats/400/b': [ask('addCarSeats', { path: { id: 'a' }, presented: NO_KEY.refused }, 500, refusal)],
    'dog/200/b': [ask('dog', valid(200), 302, '', { Location: '/login' })],
    'dog/401/b': [ask('dog', NO_KEY, 302, '', { Location: '/login' })],
  };
  const titles = (all: Cases) =>
    rootsOf(findingsOf(pound, all), pound).map(({ title, findings }) => `${title}: ${findings.length}`);
  expect(titles({ ...cases, 'cat/401/a': [ask('cat', NO_KEY, 200, { kind: 'cat', owner: 'a' })] })).toEqual([
    'GET /cat answers 200 without the required owner: 2',
    'GET /any answers 200 with null in cat, owner, which the schema does not allow: 2',
    'POST /vans/{id}/seats and others answer 500 to an invalid body: 2',
    'POST /cars/{id}/seats answers 500 to an invalid body: 1',
    'POST /cars/{id}/seats and others answer 500 to an invalid body: 2',
    'GET /dog answers 302 where 200 is documented: 1',
    'GET /cat answers 200 without a valid credential: 1',
  ]);
  expect(titles(cases).slice(2)).toEqual([
    'POST /cars/{id}/seats and others answer 500 to a request without a valid credential: 5',
    'GET /dog answers 302 where 200 is documented: 1',
  ]);
});
