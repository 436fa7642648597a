import { describe, expect, it } from 'vitest';
import { isLinearizable, judgeHistory, type RecordCall, type RecordOperation } from './linearizability.ts';

const write = (value: number, began: number, ended: number): RecordCall => ({
  operation: { kind: 'replace', body: { value }, status: 200 },
  began,
  ended,
});
const read = (value: number, began: number, ended: number): RecordCall => ({
  operation: { kind: 'read', shows: { value } },
  began,
  ended,
});
const never = Number.POSITIVE_INFINITY;

describe('a record that holds 0', () => {
  it.each([
    ['no call at all', []],
    ['a read after a write', [write(1, 0, 1), read(1, 2, 3)]],
    ['a read at once with a write, before it', [write(1, 0, 9), read(0, 1, 2)]],
    ['a read at once with a write, after it', [write(1, 0, 9), read(1, 1, 2)]],
    ['two writes at once, either last', [write(1, 0, 9), write(2, 0, 9), read(1, 10, 11)]],
    ['a write of unknown fate that took effect', [write(1, 0, never), read(1, 5, 6)]],
    ['a write of unknown fate that did not', [write(1, 0, never), read(0, 5, 6)]],
    ['one that took effect late', [write(1, 0, never), read(0, 5, 6), read(1, 7, 8)]],
  ])('explains %s', (_, calls) => {
    expect(isLinearizable(calls, { value: 0 })).toBe(true);
  });

  it.each([
    ['a read of what nobody wrote', [write(1, 0, 9), read(3, 1, 2)]],
    ['a read of the old value after the write', [write(1, 0, 1), read(0, 2, 3)]],
    ['a read of the first of two writes', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]],
    [
      'reads that see two writes at once in both orders',
      [write(1, 0, 9), write(2, 0, 9), read(1, 10, 11), read(2, 12, 13)],
    ],
    ['a write that is taken back', [write(1, 0, never), read(1, 5, 6), read(0, 7, 8)]],
    ['a value before its write has begun', [read(1, 0, 1), write(1, 2, 3)]],
  ])('does not explain %s', (_, calls) => {
    expect(isLinearizable(calls, { value: 0 })).toBe(false);
  });

  it('is decided at once for many writes at once', () => {
    const writes = Array.from({ length: 10 }, (_, index) => write(index, 0, 100));
    expect(isLinearizable([...writes, read(99, 200, 201)], { value: 0 })).toBe(false);
  });
});

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
