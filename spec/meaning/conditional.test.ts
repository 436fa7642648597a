import { describe, expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { type Conditional, conditionalOf } from './conditional.ts';

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
        put: { parameters: [{ ...IF_MATCH, description: 'Accepted, and ignored.' }], responses: ok() },
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
      'words say what they are about',
      {
        put: {
          responses: { ...refusal(412, 'The ETag is stale'), ...refusal(428, 'If-Match is missing') },
        },
      },
      {
        put: {
          tag: 'presumed put responses 412',
          refusesStale: 'promised put responses 412',
          needsCondition: 'promised put responses 428',
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
