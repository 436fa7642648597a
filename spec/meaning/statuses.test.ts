import { describe, expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { type Conditional, conditionalOf, upsertOf } from './statuses.ts';

const TAG = { ETag: { schema: { type: 'string' } } };
const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const IF_NONE_MATCH = { ...IF_MATCH, name: 'If-None-Match' };
const ok = (headers = {}) => ({ 200: { description: 'Done', headers } });
const refusal = (status: number, description = 'Precondition Failed') => ({ [status]: { description } });

const FACTS = ['tag', 'refusesStale', 'needsCondition', 'notModified'] as const;
type Facts = Partial<Record<(typeof FACTS)[number], string>>;

/** `certainty path` of what is said. */
function factsOf(said: Conditional): Facts {
  const facts = FACTS.flatMap((name) => {
    const meaning = said[name];
    return meaning ? [[name, `${meaning.certainty} ${meaning.because.path.slice(2).join(' ')}`]] : [];
  });
  return Object.fromEntries(facts);
}

async function read(operations: Record<string, object>): Promise<Record<string, Facts>> {
  const contract = await contractOf({ 'document.json': documentOf({ '/a': operations }) });
  return Object.fromEntries(
    contract.operations.map((one) => [one.method.toLowerCase(), factsOf(conditionalOf(contract, one))]),
  );
}

describe('what an operation says of conditional requests', () => {
  test.each<[string, Record<string, object>, Record<string, Facts>]>([
    ['nothing', { get: { responses: ok() }, put: { responses: ok() } }, { get: {}, put: {} }],
    [
      'tags alone: that they are used is presumed',
      { get: { responses: ok(TAG) }, put: { responses: ok(TAG) } },
      {
        get: {
          tag: 'promised get responses 200 headers ETag',
          notModified: 'presumed get responses 200 headers ETag',
        },
        put: {
          tag: 'promised put responses 200 headers ETag',
          refusesStale: 'presumed put responses 200 headers ETag',
        },
      },
    ],
    [
      'a parameter If-Match: without a documented tag there must be one all the same',
      { get: { responses: ok() }, delete: { parameters: [IF_MATCH], responses: ok() } },
      {
        get: { tag: 'presumed delete parameters 0' },
        delete: { tag: 'presumed delete parameters 0', refusesStale: 'promised delete parameters 0' },
      },
    ],
    [
      'a parameter If-Match that is said to have no effect',
      {
        put: { parameters: [{ ...IF_MATCH, description: 'It is ignored.' }], responses: ok() },
      },
      { put: {} },
    ],
    [
      'a 412 and a 428 beside a tag that the path shows',
      {
        get: { responses: ok(TAG) },
        patch: { responses: { ...ok(), ...refusal(412), ...refusal(428) } },
      },
      {
        get: {
          tag: 'promised get responses 200 headers ETag',
          notModified: 'presumed get responses 200 headers ETag',
        },
        patch: {
          refusesStale: 'promised patch responses 412',
          needsCondition: 'promised patch responses 428',
        },
      },
    ],
    [
      'a 412 and a 428 alone may be about anything',
      { post: { responses: { ...ok(), ...refusal(412), ...refusal(428, 'Confirm your address first') } } },
      {
        post: {
          refusesStale: 'presumed post responses 412',
          needsCondition: 'presumed post responses 428',
        },
      },
    ],
    [
      'a 304 with a tag, by a parameter, and by a date alone',
      {
        get: { responses: { ...ok(TAG), ...refusal(304, 'Same') } },
        head: { parameters: [IF_NONE_MATCH], responses: { ...ok(), ...refusal(304, 'Same') } },
      },
      {
        get: { tag: 'promised get responses 200 headers ETag', notModified: 'promised get responses 304' },
        head: { notModified: 'promised head responses 304' },
      },
    ],
    [
      'a 304 that nothing explains',
      { get: { responses: { ...ok(), ...refusal(304, 'Same') } } },
      { get: { notModified: 'presumed get responses 304' } },
    ],
  ])('%s', async (_, given, want) => {
    expect(await read(given)).toEqual(want);
  });

  test('the header parameters of conditions', async () => {
    const names = ['If-Match', 'if-none-match', 'If-Modified-Since', 'If-Range'];
    const parameters = names.map((name) => ({ ...IF_MATCH, name }));
    const contract = await contractOf({
      'document.json': documentOf({ '/a': { put: { parameters, responses: ok() } } }),
    });
    const { headers } = conditionalOf(contract, contract.operations[0] as (typeof contract.operations)[0]);
    expect(Object.keys(headers)).toEqual(['if-match', 'if-none-match', 'if-modified-since']);
  });
});

const done = { description: 'Done.' };
const CREATED = { 201: done };
const BOTH = { 200: done, 201: done };

const upsertIn = async (method: string, responses: object, description = '') => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const paths = { '/things/{id}': { parameters, [method]: { description, responses } } };
  const info = { title: 'Things', version: '1' };
  const { operations } = await contractOf({ 'things.json': { openapi: '3.1.0', info, paths } });
  return operations[0] && upsertOf(operations[0])?.certainty;
};

test.each([
  ['201 beside another success', 'put', BOTH, '', 'promised'],
  ['201 alone', 'put', CREATED, '', 'presumed'],
  ['no 201', 'put', { 200: done }, '', undefined],
  ['201 of a POST', 'post', BOTH, '', undefined],
  ['201 of a PATCH', 'patch', BOTH, '', undefined],
  ['words', 'put', { 200: done }, 'Creates or updates a thing.', 'presumed'],
  ['other words', 'put', { 200: done }, 'Updates the thing, or creates it.', 'presumed'],
  ['a rule', 'put', { 200: done }, 'It is created if it does not exist.', 'presumed'],
  ['a term', 'post', { 200: done }, 'Upsert a thing.', 'presumed'],
  ['201 alone and words', 'put', CREATED, 'Creates or updates a thing.', 'promised'],
  ['a rule against it', 'put', { 200: done }, 'This does not create or update other things.', undefined],
  ['what cannot be made', 'put', { 200: done }, 'A thing that does not exist cannot be created.', undefined],
])('%s: %s', async (_, method, responses, description, certainty) => {
  expect(await upsertIn(method, responses, description)).toBe(certainty);
});
