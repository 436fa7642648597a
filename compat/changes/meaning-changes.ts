import {
  type Contract,
  isEqual,
  isRecord,
  keyOf,
  meaningOf,
  type Operation,
  stringifyJson,
  toPointer,
} from '#spec';
import type { Contracts, Pair } from '../pair.ts';

/** A fact that both documents promise, and otherwise, or that only one of them does. */
export interface MeaningChange {
  /** `query status`, `unique` */
  readonly fact: string;
  readonly from: string;
  readonly to: string;
}

/** What an operation, and the records that it works on, mean otherwise. What a parameter meant that is gone, others say. */
export function meaningChanges({ old, new: next }: Pair, contracts: Contracts): MeaningChange[] {
  if (!next) return [];
  const [mine, theirs] = [factsOf(old, contracts.old), factsOf(next, contracts.new)];
  const isOfGone = (fact: string) =>
    fact.startsWith('query ') &&
    ![old, next].every((one) => one.parameters.some(({ name }) => fact === `query ${name}`));
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((fact) => {
    const [from, to] = [mine.get(fact), theirs.get(fact)];
    return isOfGone(fact) || isEqual(from, to) ? [] : [{ fact, from: shown(from), to: shown(to) }];
  });
}

const shown = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : stringifyJson(value);

/** What is compared: where things are in bodies, and how pages say so, schemas show. */
const OF_OPERATIONS = ['does', 'query', 'first', 'where', 'sets', 'changes', 'upsert', 'may', 'says'];
const OF_RECORDS = ['id', 'unique', 'keptBy', 'members'];

function factsOf(operation: Operation, contract: Contract): ReadonlyMap<string, unknown> {
  const { meaning, bases } = meaningOf(contract);
  const key = keyOf(operation);
  const own = meaning.operations[key];
  const facts = new Map<string, unknown>();
  const add = (at: readonly string[], all: object | undefined, keys: readonly string[]) => {
    const isPromised = (...path: string[]) =>
      bases.get(toPointer([...at, ...path]))?.certainty === 'promised';
    for (const [name, value] of Object.entries(all ?? {}).filter((entry) => keys.includes(entry[0]))) {
      if (isPromised(name)) facts.set(name, value);
      else if (isRecord(value))
        for (const [inner, one] of Object.entries(value))
          if (isPromised(name, inner)) facts.set(`${name} ${inner}`, one);
    }
  };
  add(['operations', key], own, OF_OPERATIONS);
  if (own?.of !== undefined) add(['collections', own.of], meaning.collections[own.of], OF_RECORDS);
  return facts;
}
