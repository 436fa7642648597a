import { expect, test } from 'vitest';
import { type Operation, readContract } from '#spec';
import { withMark } from '../arrange/record-members.ts';
import { createMarks, createRunMark, isMarked } from '../laws/mark.ts';
import { ordinaryTexts } from './unusual-body.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** A collection whose bodies have one text, and whose records may have another. */
function collection(name: string, text: object, shown: object) {
  const record = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, note: shown } };
  const body = { type: 'object', required: ['note'], properties: { note: text } };
  const list = { 200: { description: 'All.', ...json({ type: 'array', items: record }) } };
  return {
    [`/${name}`]: {
      get: { operationId: `list-${name}`, responses: list },
      post: {
        operationId: `add-${name}`,
        requestBody: { required: true, ...json(body) },
        responses: { 201: { description: 'Made.', ...json(record) } },
      },
    },
  };
}

const LENGTHS = Array.from({ length: 80 }, (_, index) => index + 1);
const text = (limits: object) => ({ type: 'string', ...limits });

/** The longest mark that a run of any size comes to, and one of a small run. */
const MARKS = [
  createMarks(createRunMark()).of('99999c').of('999p').of('99p').next(),
  createMarks('paddock-k3x9').of('1c').next(),
];

test.each<[string, (length: number) => [text: object, shown: object]]>([
  ['at most so long', (length) => [text({ maxLength: length }), text({ maxLength: length })]],
  ['at least so long', (length) => [text({ minLength: length }), text({ minLength: length })]],
  [
    'exactly so long',
    (length) => [text({ minLength: length, maxLength: length }), text({ minLength: length })],
  ],
  ['at most so long in a record', (length) => [text({}), text({ maxLength: length })]],
  ['at least so long in a record', (length) => [text({ maxLength: 80 }), text({ minLength: length })]],
  [
    'at most so long, or null',
    (length) => [{ anyOf: [text({ maxLength: length }), { type: 'null' }] }, text({})],
  ],
  [
    'at most so long, of some characters',
    (length) => [text({ maxLength: length, pattern: '^[a-z0-9-]+$' }), text({})],
  ],
  ['with a bound of its pattern', (length) => [text({ pattern: `^[^/]{1,${length}}$` }), text({})]],
])('bodies with texts of 1 to 80 characters keep their schemas: %s', async (_, limits) => {
  const paths = LENGTHS.map((length) => collection(`things-${length}`, ...limits(length)));
  const info = { title: 'Things', version: '1' };
  const contract = await readContract(
    { openapi: '3.1.0', info, paths: Object.assign({}, ...paths) },
    'things.json',
  );
  const broken: string[] = [];
  const marked = new Set<number>();
  for (const length of LENGTHS) {
    const create = contract.operations.find(({ id }) => id === `add-things-${length}`) as Operation;
    const schemas = [create.body?.content[0]?.schema, create.responses[0]?.content[0]?.schema];
    const resource = contract.resources.find(({ actions }) => actions.create === create);
    if (!resource) throw new Error(`no resource has add-things-${length}`);
    for (const mark of MARKS) {
      const ordinary = withMark(contract, create, { note: 'x'.repeat(length) }, mark);
      const changed = ordinaryTexts(contract, resource, create, true).map(([slug, , { change }]) => ({
        slug,
        body: change?.(ordinary, mark) as { note: string },
      }));
      for (const { slug, body } of [{ slug: 'ordinary', body: ordinary as { note: string } }, ...changed]) {
        if (isMarked(body.note)) marked.add(length);
        for (const schema of schemas)
          for (const { expected } of schema ? contract.validators.compile(schema, 'request')(body) : [])
            broken.push(`${length} ${slug} ${JSON.stringify(body.note)}: ${expected}`);
      }
    }
  }
  expect(broken).toEqual([]);
  // Where there is room for it, the mark is there.
  expect([...marked]).toEqual(expect.arrayContaining(LENGTHS.slice(31, 64)));
});
