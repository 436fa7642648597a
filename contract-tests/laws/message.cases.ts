import { gzipSync } from 'node:zlib';
import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

const PET = { id: 7, name: 'Hazel', categoryId: 3 };
const read = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ask('getPet', { path: { petId: 7 } }, 200, body, headers);
const ARTICLE = { label: 'Nut', unit: 'piece', price: 1, barcode: null };
const created = (headers: Readonly<Record<string, string>>) =>
  ask('add_article', { body: ARTICLE }, 201, { ...ARTICLE, article_no: 7, stock: 0 }, headers);
const plan = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  ask('showPlan', {}, 200, body, { 'Content-Type': 'application/xml', ...headers });
const gauge = (httpStatus: unknown) =>
  ask('getGauge', { path: { gauge: 7 } }, 404, { errorCode: 'a', reason: 'b', httpStatus });

const tool = (more: object) => ask('getTool', { path: { id: 1 } }, 200, { id: 1, name: 'Saw', ...more });

const added = (headers: Readonly<Record<string, string>>, ...broken: readonly string[]) => ({
  given: [ask('addTool', { body: { name: 'a' } }, 201, { id: 1, name: 'a' }, { 'X-Count': '1', ...headers })],
  want: broken.map((one) => `header: ${one}`),
});

export const MESSAGE_CASES: LawTable = {
  'write-only-hidden': [
    ['a record without it', { given: [tool({})], want: HOLDS }],
    ['a mask', { given: [tool({ pin: '\u2022\u2022\u2022\u2022' })], want: HOLDS }],
    ['null', { given: [tool({ pin: null })], want: HOLDS }],
    ['no text', { given: [tool({ pin: '' })], want: HOLDS }],
    [
      'its value',
      { given: [tool({ pin: '1234' })], want: ['write-only-hidden: a value of pin | pin is write-only'] },
    ],
    [
      'the value of a list whose schema has no such member',
      { given: [ask('listTools', {}, 200, [{ id: 1, name: 'Saw', pin: '1234' }])], want: 'not judged' },
    ],
  ],
  'content-type': [
    [
      'the documented type with a parameter',
      { given: [read(PET, { 'Content-Type': 'Application/JSON; charset=utf-8' })], want: HOLDS },
    ],
    [
      'another type',
      {
        given: [read('<p>', { 'Content-Type': 'text/html' })],
        want: ['content-type: text/html: <p> | application/json'],
      },
    ],
    [
      'no type',
      {
        given: [read(PET, { 'Content-Type': '' })],
        want: ['content-type: no Content-Type | application/json'],
      },
    ],
    [
      'application/json in place of the documented application/problem+json',
      {
        given: [
          ask('getBook', { path: { libraryId: 'a', bookId: 'b' } }, 404, '{}', {
            'Content-Type': 'application/json',
          }),
        ],
        want: ['content-type: application/json: {} | application/problem+json'],
      },
    ],
    [
      'a 204, which has no content, in the place of a documented status',
      { given: [ask('getPet', { path: { petId: 7 } }, 204)], want: 'not judged' },
    ],
    ['a response to HEAD', { given: [ask('countTools', {}, 200)], want: 'not judged' }],
    [
      'a response without a documented body',
      {
        given: [
          ask('replaceTool', { path: { id: 1 }, body: { name: 'a' } }, 200, 'ok', {
            'Content-Type': 'text/plain',
          }),
        ],
        want: 'not judged',
      },
    ],
  ],
  encoding: [
    [
      'gzip, as its header says',
      { given: [read(gzipSync(JSON.stringify(PET)), { 'Content-Encoding': 'gzip' })], want: HOLDS },
    ],
    [
      'gzip that is none',
      {
        given: [read(PET, { 'Content-Encoding': 'gzip' })],
        want: [
          'encoding: the body is not "gzip", as Content-Encoding says: incorrect header check | a body as its headers describe it',
        ],
      },
    ],
    [
      'bytes that are not UTF-8',
      {
        given: [read(Buffer.from('{"name":"Zo\xeb"}', 'latin1'))],
        want: ['encoding: the body is not UTF-8 (RFC 8259 §8.1) | a body as its headers describe it'],
      },
    ],
    ['a file of bytes', { given: [ask('exportTools', {}, 200, Buffer.from([0xff]))], want: HOLDS }],
    ['a body of another type', { given: [ask('dropTool', { path: { id: 1 } }, 204)], want: 'not judged' }],
  ],
  'whole-xml': [
    ['the documented document', { given: [plan('<plan jobs="3"/>')], want: HOLDS }],
    [
      'gzip, as its header says',
      { given: [plan(gzipSync('<plan jobs="3"/>'), { 'Content-Encoding': 'gzip' })], want: HOLDS },
    ],
    [
      'XML that breaks off',
      {
        given: [plan('<plan jobs="3">')],
        want: [
          'whole-xml: must be XML: 1:15: unclosed tag: plan: <plan jobs="3"> | XML as its schema describes it',
        ],
      },
    ],
    [
      'another root element',
      {
        given: [plan('<Plan jobs="3"/>')],
        want: [
          'whole-xml: must be XML: its root element <Plan> must be <plan>: <Plan jobs="3"/> | XML as its schema describes it',
        ],
      },
    ],
    ['JSON', { given: [read(PET)], want: 'not judged' }],
  ],
  'whole-json': [
    ['a file in JSON', { given: [ask('exportTools', {}, 200, '{"id":7}')], want: 'not judged' }],
    ['JSON with white space around it', { given: [read(` ${JSON.stringify(PET)}\n`)], want: HOLDS }],
    [
      'JSON that breaks off',
      {
        given: [read('{"id":7')],
        want: [
          `whole-json: Expected ',' or '}' after property value in JSON at position 7 (line 1 column 8): {"id":7 | well-formed JSON`,
        ],
      },
    ],
    [
      'an empty body',
      { given: [read('')], want: ['whole-json: Unexpected end of JSON input:  | well-formed JSON'] },
    ],
    [
      'a byte-order mark',
      {
        given: [read(`\uFEFF${JSON.stringify(PET)}`)],
        want: ['whole-json: a byte-order mark before the JSON | JSON without one (RFC 8259 §8.1)'],
      },
    ],
    [
      'a response to HEAD, with the type of the body that it does not have',
      {
        given: [ask('countTools', {}, 200, undefined, { 'Content-Type': 'application/json' })],
        want: 'not judged',
      },
    ],
    ['a response without a body', { given: [ask('dropTool', { path: { id: 1 } }, 204)], want: 'not judged' }],
  ],
  schema: [
    [
      'a record as documented, with a member more',
      { given: [read({ ...PET, colour: 'grey' })], want: HOLDS },
    ],
    [
      'a text as documented',
      { given: [ask('getMotto', {}, 200, 'Ever on', { 'Content-Type': 'text/plain' })], want: HOLDS },
    ],
    [
      'a text that breaks its pattern',
      {
        given: [ask('getMotto', {}, 200, 'ever on', { 'Content-Type': 'text/plain; charset=utf-8' })],
        want: ['schema: the body is "ever on" | the body must match the pattern ^[A-Z]'],
      },
    ],
    [
      'every member that is not as documented',
      {
        given: [read({ id: '7', name: 'Hazel', status: null })],
        want: [
          'schema: categoryId is missing | categoryId is required',
          'schema: status is null | status must be a string',
          'schema: status is null | status must be one of "available", "pending", "sold"',
          'schema: id is "7" | id must be an integer',
        ],
      },
    ],
    [
      'an integer beyond int64',
      {
        given: [read('{"id":7,"name":"a","categoryId":9223372036854775808}')],
        want: ['schema: categoryId is 9223372036854775808 | categoryId must fit the format int64'],
      },
    ],
    [
      'a response without a documented body',
      { given: [ask('dropTool', { path: { id: 1 } }, 204)], want: 'not judged' },
    ],
    [
      'broken JSON, which another law judges',
      { given: [ask('dropTool', { path: { id: 1 } }, 204, '{')], want: 'not judged' },
    ],
  ],
  header: [
    [
      'headers as documented',
      { given: [created({ Location: '/articles/7', 'x-request-id': 'abcdefgh' })], want: HOLDS },
    ],
    [
      'a required header is missing, another one does not conform',
      {
        given: [created({ Location: 'articles' })],
        want: [
          'header: location: articles | must match the pattern ^/.*/[0-9]+$',
          'header: no header x-request-id | the header x-request-id',
        ],
      },
    ],
    ['an integer that is below its minimum', added({ 'X-Count': '-1' }, 'x-count: -1 | must be at least 0')],
    ['a boolean, and a list of integers', added({ 'X-New': 'true', 'X-Shelves': '3, 4' })],
    [
      'a list with a word among its integers',
      added({ 'X-Shelves': '3, a' }, 'x-shelves: 3, a | [1] must be an integer'),
    ],
    ['an object by its style', added({ 'X-Quota': 'limit=9, left=7' })],
    ['an object by another', added({ 'X-Quota': 'left,7' }, 'x-quota: left,7 | left must be an integer')],
    ['an object as JSON', added({ 'X-Left': '{"left":7}' })],
    [
      'JSON of another type',
      added({ 'X-Left': '{"left":"7"}' }, 'x-left: {"left":"7"} | left must be an integer'),
    ],
    ['a response without documented headers', { given: [read(PET)], want: 'not judged' }],
  ],
  'error-status': [
    ['the status repeated', { given: [gauge(404)], want: HOLDS }],
    [
      'another status',
      {
        given: [gauge(400)],
        want: ['error-status: httpStatus 400 in a 404 | httpStatus repeats the HTTP status'],
      },
    ],
    [
      'an optional status that is absent',
      {
        given: [
          ask('getLevel', { path: { levelId: 'L000001' } }, 404, {
            errorCode: 'a',
            reason: 'b',
            httpStatus: 404,
          }),
        ],
        want: HOLDS,
      },
    ],
    ['a success', { given: [ask('findGauges', {}, 200, [])], want: 'not judged' }],
    [
      'a body without such a member',
      {
        given: [ask('get_article', { path: { article_no: 7 } }, 404, { error_code: 'a', detail: 'b' })],
        want: 'not judged',
      },
    ],
  ],
};
