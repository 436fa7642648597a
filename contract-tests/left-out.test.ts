import { expect, test } from 'vitest';
import { createNotes, notesDocument } from './testing/notes-service.ts';
import { runCheckOf } from './testing/run-check.ts';

const gone = { $ref: '#/components/responses/Gone' };
const OPERATION = { '/reports': { get: { responses: { 200: gone, 404: gone } } } };
const PATH = { '/reports': { $ref: '#/components/pathItems/Gone' } };

test.for<[string, object, string | undefined, number]>([
  ['an operation that is left out', OPERATION, undefined, 4],
  ['a path that is left out', PATH, undefined, 4],
  ['an operation that is excluded, too', OPERATION, 'GET /reports', 0],
])('%s decides the verdict', async ([, paths, excluded, exitCode]) => {
  const { fetch, received } = createNotes();
  const exclude = excluded === undefined ? [] : [excluded];
  const report = await runCheckOf(notesDocument({}, paths), { fetch, exclude });
  expect(received.filter((one) => one.includes('/reports'))).toEqual([]);
  expect({ exitCode: report.exitCode, reason: report.reason }).toEqual({
    exitCode,
    reason: excluded ? undefined : expect.stringMatching(/cannot be read: .*:\d+:\d+: the \$ref .*Gone/),
  });
  const cells = report.cells.filter(({ operationId }) => operationId === 'GET /reports');
  expect(cells.map(({ status, verdict }) => `${status} ${verdict}`)).toEqual(
    paths === PATH ? [] : [200, 404].map((one) => `${one} ${excluded ? 'skipped' : 'not reached'}`),
  );
});
