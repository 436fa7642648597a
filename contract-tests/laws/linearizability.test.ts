import { describe, expect, it } from 'vitest';
import { type Call, isLinearizable } from './linearizability-of-records.ts';

type Operation = { readonly write: number } | { readonly read: number };

const register = {
  apply: (state: number, operation: Operation) =>
    'write' in operation ? operation.write : operation.read === state ? state : undefined,
  keyOf: String,
};

const write = (value: number, began: number, ended: number): Call<Operation> => ({
  operation: { write: value },
  began,
  ended,
});
const read = (value: number, began: number, ended: number): Call<Operation> => ({
  operation: { read: value },
  began,
  ended,
});
const never = Number.POSITIVE_INFINITY;

describe('a register that holds 0', () => {
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
    expect(isLinearizable(calls, 0, register)).toBe(true);
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
    expect(isLinearizable(calls, 0, register)).toBe(false);
  });

  it('is decided at once for many writes at once', () => {
    const writes = Array.from({ length: 10 }, (_, index) => write(index, 0, 100));
    expect(isLinearizable([...writes, read(99, 200, 201)], 0, register)).toBe(false);
  });
});
