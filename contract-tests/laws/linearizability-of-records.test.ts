import { describe, expect, it } from 'vitest';
import { judgeHistory, type RecordCall, type RecordOperation } from './linearizability-of-records.ts';

const at = { uri: 'openapi.yaml', line: 1, column: 1 };
const call = (operation: RecordOperation, began: number, ended: number): RecordCall => ({
  operation,
  began,
  ended,
});
const put = (a: number, b: number, status = 200): RecordOperation => ({
  kind: 'replace',
  body: { a, b },
  status,
});
/** A PUT whose response nobody has seen. */
const unknownFate: RecordOperation = { kind: 'replace', body: { a: 1, b: 1 } };
const patch = (body: object): RecordOperation => ({ kind: 'update', body: { ...body }, status: 200 });
const merge = (body: object): RecordOperation => ({ kind: 'update', body: { ...body }, isMerge: true });
const remove: RecordOperation = { kind: 'remove' };
const shows = (a: number, b: number): RecordOperation => ({
  kind: 'read',
  shows: { a, b, updatedAt: 'now' },
});
const gone: RecordOperation = { kind: 'read', shows: undefined };

/** All writes at once, then the settled read. */
const judge = (
  writes: readonly RecordOperation[],
  final: RecordOperation,
  early: readonly RecordOperation[] = [],
) =>
  judgeHistory(
    {
      initial: { a: 0, b: 0 },
      writes: writes.map((operation) => call(operation, 0, 10)),
      early: early.map((operation) => call(operation, 1, 9)),
      settled: call(final, 20, 21),
    },
    ['a', 'b'],
    at,
  ).map(({ law }) => law);

describe('a record after requests at once', () => {
  it.each([
    ['is one of two bodies', [put(1, 1), put(2, 2)], shows(1, 1)],
    ['is the other', [put(1, 1), put(2, 2)], shows(2, 2)],
    ['has both updates', [patch({ a: 1 }), patch({ b: 2 })], shows(1, 2)],
    ['has the update on top of the replacement', [put(1, 1), patch({ b: 2 })], shows(1, 2)],
    ['has the replacement on top of the update', [put(1, 1), patch({ b: 2 })], shows(1, 1)],
    ['lacks what a merge patch with null removes', [merge({ a: null }), merge({ b: 2 })], shows(9, 2)],
    ['is gone after a removal', [put(1, 1), remove], gone],
    ['was removed twice', [remove, remove], gone],
    ['was made again by a PUT that says so', [put(1, 1, 201), remove], shows(1, 1)],
    ['may have been made again by a PUT of unknown fate', [unknownFate, remove], shows(1, 1)],
  ])('%s', (_, writes, final) => {
    expect(judge(writes, final)).toEqual([]);
  });

  it.each([
    ['is a mix of two bodies', [put(1, 1), put(2, 2)], shows(1, 2)],
    ['lacks one of two updates', [patch({ a: 1 }), patch({ b: 2 })], shows(1, 0)],
    ['is as before', [put(1, 1)], shows(0, 0)],
    ['has a value that nobody wrote', [put(1, 1)], shows(3, 3)],
    ['is back after a removal', [put(1, 1), remove], shows(1, 1)],
    ['is gone, and nobody removed it', [put(1, 1)], gone],
  ])('must not be such that it %s', (_, writes, final) => {
    expect(judge(writes, final)).toEqual(['linearizable']);
  });

  it('may be seen in any state that some of the requests leave, since replicas lag', () => {
    const writes = [patch({ a: 1 }), patch({ b: 2 })];
    expect(judge(writes, shows(1, 2), [shows(0, 0), shows(1, 0), shows(0, 2), gone])).toEqual([]);
  });

  it('must not be seen half written', () => {
    expect(judge([put(1, 1), put(2, 2)], shows(2, 2), [shows(1, 2)])).toEqual(['linearizable']);
  });

  it('has the later of two changes that were not at once', () => {
    const writes = [call(put(1, 1), 0, 1), call(put(2, 2), 2, 3)];
    const judged = (final: RecordOperation) =>
      judgeHistory(
        { initial: { a: 0, b: 0 }, writes, early: [], settled: call(final, 20, 21) },
        ['a', 'b'],
        at,
      );
    expect(judged(shows(2, 2))).toEqual([]);
    expect(judged(shows(1, 1))).toHaveLength(1);
  });
});
