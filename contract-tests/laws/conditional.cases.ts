import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

type Data = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const PAGE = { title: 'Tides', text: 'a', lang: 'en' };
const OTHER = { ...PAGE, text: 'b' };
const path = { pageId: 7 };
const fault = { error: { code: 'a', message: 'b' } };

const tag = (name: string): Headers => ({ ETag: name });
const named = (header: string, value: string) => ({ headers: [[header, value] as const] });
const ifMatch = (value: string) => named('If-Match', value);

const write = (headers = tag('"1"')) =>
  ask('writePage', { body: PAGE }, 201, { id: 7, ...PAGE }, { Location: '/pages/7', ...headers });
const read = (name: string, page: Data = PAGE, input = {}) =>
  ask('readPage', { path, ...input }, 200, { id: 7, ...page }, name === '' ? {} : tag(name));
const put = (name: string, page: Data = OTHER, input = {}) =>
  ask('rewritePage', { path, body: page, ...input }, 200, { id: 7, ...page }, name === '' ? {} : tag(name));
const refused = (status: number, input: object) =>
  ask('rewritePage', { path, body: { ...PAGE, text: 'c' }, ...input }, status, fault);
const patch = (status: number, input: object, name = '"3"') =>
  status === 200
    ? ask(
        'amendPage',
        { path, body: { text: 'c' }, ...input },
        200,
        { id: 7, ...OTHER, text: 'c' },
        tag(name),
      )
    : ask('amendPage', { path, body: { text: 'c' }, ...input }, status, fault);
const drop = (status: number, input: object) =>
  ask('dropPage', { path, ...input }, status, status === 204 ? undefined : fault);
const same = (given: string, name = given) =>
  ask('readPage', { path, ...named('If-None-Match', given) }, 304, undefined, tag(name));
const whole = (given: string, name: string, page: Data = PAGE) =>
  read(name, page, named('If-None-Match', given));

const SNIPPET = { name: 'Note', text: 'a' };
const ID = '11111111-1111-4111-8111-111111111111';
const snippetPath = { snippetId: ID };
const add = () => ask('addSnippet', { body: SNIPPET }, 201, { id: ID, ...SNIPPET });
const replace = (status: number, input: object = {}) =>
  ask(
    'replaceSnippet',
    { path: snippetPath, body: { ...SNIPPET, text: 'b' }, ...input },
    status,
    status === 204 ? undefined : fault,
  );

/** The run's page is read and rewritten: its tags were "1" and "2". */
const REWRITTEN: readonly Step[] = [write(), read('"1"'), put('"2"'), read('"2"', OTHER)];

const STAYS = 'one strong ETag as long as nothing changes (RFC 9110 §8.8.1)';
const STALE = '412: If-Match names another version (RFC 9110 §13.1.1)';

export const CONDITIONAL_CASES: LawTable = {
  'etag-stays': [
    ['a record that is read twice', { given: [write(), read('"1"'), read('"1"')], want: HOLDS }],
    [
      'each read has another one',
      {
        given: [write(), read('"1"'), read('"2"')],
        want: [`etag-stays: ETag "2" for what had "1" in the response to GET before | ${STAYS}`],
      },
    ],
    [
      'a change and the read of what it has shown',
      {
        given: [write(), read('"1"'), put('"2"'), read('"3"', OTHER)],
        want: [`etag-stays: ETag "3" for what had "2" in the response to PUT before | ${STAYS}`],
      },
    ],
    ['a change that shows the same tag', { given: REWRITTEN, want: HOLDS }],
    [
      'a change whose response shows more than a read does',
      { given: [write(), put('"2"', { ...OTHER, words: 1 }), read('"3"', OTHER)], want: 'not judged' },
    ],
    [
      'a record that has changed by itself meanwhile',
      {
        given: [write(), put('"2"'), read('"3"', { ...OTHER, hits: 1 }), read('"4"', OTHER)],
        want: 'not judged',
      },
    ],
    ['weak tags, and none', { given: [write(), read('W/"1"'), read('W/"2"'), read('')], want: 'not judged' }],
    [
      'another representation',
      {
        given: [write(), read('"1"'), read('"2"', PAGE, named('Accept', 'application/hal+json'))],
        want: 'not judged',
      },
    ],
    [
      'a change of another record of the run in between: what both belong to may have changed',
      { given: [write(), read('"1"'), add(), read('"2"')], want: 'not judged' },
    ],
    ['a record of somebody else', { given: [read('"1"'), read('"2"')], want: 'not judged' }],
    [
      'a document that tells of no tag',
      {
        given: [
          ask('createPet', { body: { name: 'Hazel', categoryId: 3 } }, 201, {
            id: 7,
            name: 'Hazel',
            categoryId: 3,
          }),
          ...['"1"', '"2"'].map((one) =>
            ask('getPet', { path: { petId: 7 } }, 200, { id: 7, name: 'Hazel', categoryId: 3 }, tag(one)),
          ),
        ],
        want: 'not judged',
      },
    ],
  ],
  'etag-changes': [
    ['another one after a change', { given: REWRITTEN, want: HOLDS }],
    [
      'the same one after a change',
      {
        given: [write(), read('"1"'), put(''), read('"1"', OTHER)],
        want: [
          'etag-changes: ETag "1", as before text was changed | another strong ETag after each change (RFC 9110 §8.8.1)',
        ],
      },
    ],
    [
      'a change that does not show',
      { given: [write(), read('"1"'), put('', PAGE), read('"1"')], want: 'not judged' },
    ],
    [
      'the same weak one after a change',
      { given: [write(), read('W/"1"'), put(''), read('W/"1"', OTHER)], want: 'not judged' },
    ],
    [
      'a refused change',
      { given: [write(), read('"1"'), refused(400, {}), read('"1"')], want: 'not judged' },
    ],
  ],
  'stale-refused': [
    ['by 412', { given: [...REWRITTEN, refused(412, ifMatch('"1"'))], want: HOLDS }],
    [
      'by a status that is documented for something else',
      {
        given: [...REWRITTEN, refused(404, ifMatch('"1"'))],
        want: ['stale-refused: 404: {"error":{"code":"a","message":"b"}} | 412'],
      },
    ],
    [
      'a stale change that is taken',
      {
        given: [...REWRITTEN, patch(200, ifMatch('"1"'))],
        want: [
          `stale-refused: 200: {"id":7,"title":"Tides","text":"c","lang":"en"} to If-Match: "1", where the ETag is "2" | ${STALE}`,
        ],
      },
    ],
    [
      'a stale removal',
      {
        given: [...REWRITTEN, drop(204, ifMatch('"1"'))],
        want: [`stale-refused: 204 to If-Match: "1", where the ETag is "2" | ${STALE}`],
      },
    ],
    [
      'as invalid',
      {
        given: [...REWRITTEN, refused(400, ifMatch('"1"'))],
        want: ['stale-refused: 400: {"error":{"code":"a","message":"b"}} | 412'],
      },
    ],
    ['the current version', { given: [...REWRITTEN, patch(200, ifMatch('"2"'))], want: 'not judged' }],
    ['any version', { given: [...REWRITTEN, patch(200, ifMatch('*'))], want: 'not judged' }],
    [
      'a weak tag, which the service may compare in its own way',
      { given: [...REWRITTEN, patch(200, ifMatch('W/"1"'))], want: 'not judged' },
    ],
    [
      'a change that has been made already',
      { given: [...REWRITTEN, put('"2"', OTHER, ifMatch('"1"'))], want: 'not judged' },
    ],
    ['a tag that was never shown', { given: [...REWRITTEN, patch(200, ifMatch('"9"'))], want: 'not judged' }],
    [
      'a record that was not read since it was changed',
      { given: [write(), read('"1"'), put(''), patch(200, ifMatch('"1"'))], want: 'not judged' },
    ],
    [
      'a request without a credential',
      {
        given: [
          ...REWRITTEN,
          ask(
            'rewritePage',
            { path, body: OTHER, ...ifMatch('"1"'), refused: { headers: [], query: [] } },
            401,
            fault,
          ),
        ],
        want: 'not judged',
      },
    ],
  ],
  'current-accepted': [
    [
      'a refusal of what the record has before and after',
      {
        given: [write(), read('"1"'), refused(412, ifMatch('"1"')), read('"1"')],
        want: [
          'current-accepted: 412: {"error":{"code":"a","message":"b"}} to If-Match: "1", which the ETag was before and is still | no 412: If-Match names the current version (RFC 9110 §13.1.1)',
        ],
      },
    ],
    [
      'a refusal for another reason',
      { given: [write(), read('"1"'), refused(400, ifMatch('"1"')), read('"1"')], want: HOLDS },
    ],
    [
      'a refusal of a former version',
      { given: [...REWRITTEN, refused(412, ifMatch('"1"')), read('"2"', OTHER)], want: 'not judged' },
    ],
    [
      'a record that has changed by itself meanwhile',
      { given: [write(), read('"1"'), refused(412, ifMatch('"1"')), read('"2"')], want: 'not judged' },
    ],
  ],
  'not-modified': [
    ['by 304', { given: [write(), read('"1"'), same('"1"')], want: HOLDS }],
    [
      'the whole record',
      {
        given: [write(), read('"1"'), whole('"1"', '"1"')],
        want: ['not-modified: 200 with ETag "1" to If-None-Match: "1" | 304 (RFC 9110 §13.1.2)'],
      },
    ],
    [
      'a record that has changed by itself meanwhile',
      { given: [write(), read('"1"'), whole('"1"', '"2"', { ...PAGE, draft: true })], want: HOLDS },
    ],
    ['another version', { given: [...REWRITTEN, whole('"1"', '"2"', OTHER)], want: HOLDS }],
    [
      'a 304 for a former version',
      {
        given: [...REWRITTEN, same('"1"', '"2"')],
        want: [
          'not-modified: 304 to If-None-Match: "1", where the ETag is "2" | the current version (RFC 9110 §13.1.2)',
        ],
      },
    ],
    ['a weak tag', { given: [write(), read('W/"1"'), whole('W/"1"', 'W/"1"')], want: 'not judged' }],
    [
      'an operation that documents no 304',
      {
        given: [
          add(),
          ask('readSnippet', { path: snippetPath }, 200, { id: ID, ...SNIPPET }, tag('"1"')),
          ask(
            'readSnippet',
            { path: snippetPath, ...named('If-None-Match', '"1"') },
            200,
            { id: ID, ...SNIPPET },
            tag('"1"'),
          ),
        ],
        want: ['presumed not-modified: 200 with ETag "1" to If-None-Match: "1" | 304 (RFC 9110 §13.1.2)'],
      },
    ],
  ],
  'condition-required': [
    ['by 428', { given: [add(), replace(428)], want: HOLDS }],
    [
      'a change that is carried out',
      {
        given: [add(), replace(204)],
        want: ['condition-required: 204 without If-Match | 428 without a condition (RFC 6585 §3)'],
      },
    ],
    [
      'a refusal as invalid, where the header is not required',
      {
        given: [add(), replace(400)],
        want: ['condition-required: 400: {"error":{"code":"a","message":"b"}} | 428'],
      },
    ],
    ['a request with a condition', { given: [add(), replace(204, ifMatch('*'))], want: 'not judged' }],
    ['an operation that documents no 428', { given: [write(), read('"1"'), put('"2"')], want: 'not judged' }],
    ['a record of somebody else', { given: [replace(204)], want: 'not judged' }],
  ],
};
