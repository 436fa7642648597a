import { expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { jobOf, madeByJob } from './jobs.ts';
import { resultsOf } from './many.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const integer = { type: 'integer' };
const list = (name: string) => ({ type: 'array', items: ref(name) });

const SCHEMAS = {
  CrewCreate: object({ name: text }, { required: ['name'] }),
  Crew: object({ id: text, name: text }, { required: ['id', 'name'] }),
  Result: object(
    { index: { ...integer, minimum: 1 }, crew: ref('Crew'), error: text },
    { required: ['index'] },
  ),
  Job: object({
    ...{ id: text, state: { type: 'string', enum: ['waiting', 'completed', 'failed'] } },
    result: object({
      made: { ...integer, description: 'How many crews there are.' },
      crew_ids: { type: 'array', items: text },
    }),
    error: { ...text, description: 'Of a job that failed.' },
  }),
};

/** A POST of several crews. */
async function posting(path: string, description: string, responses: object, more: object = {}) {
  const sent = object({ crews: list('CrewCreate') });
  const document = documentOf(
    {
      '/crews': {
        get: { responses: { 200: { description: 'All', ...json(list('Crew')) } } },
        post: {
          requestBody: json(ref('CrewCreate')),
          responses: { 201: { description: 'Made', ...json(ref('Crew')) } },
        },
      },
      [path]: { post: { description, requestBody: json(sent), responses, ...more } },
      '/works/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'One', ...json(ref('Job')) } } },
      },
    },
    { components: { schemas: SCHEMAS } },
  );
  const contract = await contractOf({ 'a.json': document });
  const operation = contract.operations.find((one) => one.path === path);
  const [crews] = contract.resources;
  if (!operation || !crews) throw new Error('it has no crews');
  const roles = crews.further.flatMap((one) =>
    one.operation === operation ? [one.role, one.certainty] : [],
  );
  return { contract, operation, crews, roles };
}

const RESULTS = { 200: { description: 'Each', ...json(object({ results: list('Result') })) } };
const ACCEPTED = { 202: { description: 'Started', ...json(ref('Job')) } };

test.each([
  ['/crews/batch', 'Takes several.', RESULTS, ['createMany', 'promised']],
  ['/imports', 'Creates the crews.', ACCEPTED, ['createMany', 'promised']],
  // Neither path nor words say that they are made.
  ['/crews/check', 'Says what is wrong with them.', RESULTS, []],
  // Nothing shows what has become of them.
  ['/crews/batch', 'Creates the crews.', { 204: { description: 'Done' } }, ['createMany', 'presumed']],
])('%s "%s" is a create of several, or not', async (path, description, responses, want) => {
  const { roles } = await posting(path, description, responses);
  if (want[1] === 'presumed') expect(roles).not.toEqual(['createMany', 'promised']);
  else expect(roles).toEqual(want);
});

test('results say of each record what has become of it, in order where that is said', async () => {
  const plain = await posting('/crews/batch', 'Takes several.', RESULTS);
  const found = resultsOf(plain.operation, plain.crews);
  expect(found).toMatchObject({
    ...{ path: ['results'], record: 'crew', error: 'error', index: { member: 'index', first: 1 } },
    ...{ ordered: undefined, apart: { certainty: 'presumed' } },
  });
  const said = await posting(
    '/crews/batch',
    'Each is stored or refused by itself, in the same order.',
    RESULTS,
  );
  expect(resultsOf(said.operation, said.crews)).toMatchObject({
    ...{ ordered: { certainty: 'promised' }, apart: { certainty: 'promised' } },
  });
});

test('a job is known by the read that shows what its 202 shows', async () => {
  const description =
    'Creates the crews. It ends `completed` with `result`, or `failed` where one does not exist.';
  const { contract, operation, crews } = await posting('/imports', description, ACCEPTED);
  const job = jobOf(operation, contract);
  expect(job).toMatchObject({
    ...{ parameter: 'id', id: 'id', state: 'state', done: ['completed'], failed: ['failed'] },
    ...{
      result: { member: 'result', certainty: 'promised' },
      error: { member: 'error', certainty: 'promised' },
    },
  });
  expect(job && madeByJob(operation, job, crews)).toMatchObject({
    ...{ ids: 'crew_ids', counts: ['made'], fails: { certainty: 'presumed' } },
  });
});

test('x-paddock says how a job ends', async () => {
  const facts = { state: 'state', done: ['waiting'], failed: [], error: 'error', fails: ['parent'] };
  const { contract, operation, crews } = await posting('/imports', 'Creates the crews.', ACCEPTED, {
    'x-paddock': { job: facts },
  });
  const job = jobOf(operation, contract);
  expect(job).toMatchObject({ done: ['waiting'], failed: [], certainty: 'promised', signs: ['said'] });
  expect(job && madeByJob(operation, job, crews).fails).toMatchObject({ certainty: 'promised' });
});
