import { expect, test } from 'vitest';
import { compared } from './testing/compared.ts';
import { documentOf, json, OK } from './testing/documents.ts';

const other = { '/other': { get: { responses: OK } } };
const withPut = (schema: object) =>
  documentOf({ ...other, '/ports': { put: { requestBody: json(schema), responses: OK } } });
const whole = withPut({ type: 'object' });
const broken = withPut({ $ref: '#/components/schemas/' });
const without = documentOf(other);

test.for<[string, object, object, number]>([
  ['both leave it out', broken, broken, 4],
  ['NEW leaves it out', whole, broken, 4],
  ['OLD leaves it out', broken, whole, 4],
  ['OLD leaves out what NEW lacks', broken, without, 4],
  ['NEW leaves out what OLD lacks', without, broken, 0],
])('an operation is neither removed nor safe where %s', async ([, old, next, exitCode]) => {
  const report = await compared([old, next]);
  expect({ exitCode: report.exitCode, reported: report.reported }).toEqual({ exitCode, reported: [] });
  expect((report.changes ?? []).map(({ rule }) => rule)).toEqual([]);
  const cells = report.cells.filter(({ operationId }) => operationId === 'PUT /ports');
  expect(cells.map(({ verdict }) => verdict)).toEqual(exitCode === 4 ? ['not reached'] : []);
});
