import {
  type Contract,
  formsOf,
  isRecord,
  type Operation,
  type Place,
  type Shape,
  showPlace,
  stringifyJson,
  type Violation,
} from '#spec';
import { shorten, type Warning } from './break.ts';
import { candidates } from './candidates.ts';
import type { Contracts, Pair } from './pair.ts';
import { areSame } from './same-schema.ts';

/**
 * Values that NEW still takes in a request, and that no record of it may have any more: its responses were narrowed, its
 * requests were not. Clients of OLD lose nothing by what NEW promises of its responses; no service can keep both promises.
 */
export function contradictionWarnings(contracts: Contracts, pairs: readonly Pair[]): Warning[] {
  const found = new Map<string, Found & { readonly operations: Operation[] }>();
  for (const { old, new: next } of pairs) {
    if (!next) continue;
    for (const one of contradictionsOf(contracts, old, next)) {
      const key = `${showPlace(one.at)}:${one.at.column} ${one.name}`;
      const known = found.get(key) ?? { ...one, operations: [] };
      known.operations.push(old);
      found.set(key, known);
    }
  }
  return [...found.values()].flatMap(({ operations, name, value, expected, at }) => {
    const [operation] = operations;
    const others =
      operations.length > 1
        ? `, also to ${operations
            .slice(1)
            .map(({ id }) => id)
            .join(', ')}`
        : '';
    const text = `NEW contradicts itself: \`${name}\` may be sent as ${value}${others}, and no record may have that: ${expected}`;
    return operation ? [{ operation, text, at }] : [];
  });
}

interface Found {
  readonly name: string;
  readonly value: string;
  readonly expected: string;
  readonly at: Place;
}

function contradictionsOf({ old, new: next }: Contracts, before: Operation, after: Operation): Found[] {
  const [mine, theirs] = [recordOf(old, before), recordOf(next, after)];
  if (!mine || !theirs || areSame(mine.parts, theirs.parts)) return [];
  return [...theirs.properties].flatMap(([name, shown]) => {
    const was = mine.properties.get(name);
    const sent = sentAs(after, name).find(({ mainType }) => mainType === shown.mainType);
    if (!was || !sent || shown.readOnly || areSame(was.parts, shown.parts)) return [];
    if (areSame(sent.parts, shown.parts)) return [];
    for (const value of candidates([...sent.parts], [...shown.parts])) {
      if (problemsIn(next, sent, value, 'request').length > 0) continue;
      const [problem] = problemsIn(next, shown, value, 'response');
      if (!problem || problemsIn(old, was, value, 'response').length > 0) continue;
      const { expected, at } = problem;
      return [{ name, value: shorten(stringifyJson(value)), expected, at }];
    }
    return [];
  });
}

/** Whether a record cannot have what a request sends, though the schema of the request allows it. */
export function isUnstorable(contract: Contract, operation: Operation, body: unknown): boolean {
  const record = recordOf(contract, operation);
  if (!record || !isRecord(body)) return false;
  return Object.entries(body).some(([name, value]) => {
    const shown = record.properties.get(name);
    return shown && !shown.readOnly && problemsIn(contract, shown, value, 'response').length > 0;
  });
}

/** The schema of the record that an operation writes; undefined: it writes none. */
function recordOf({ resources }: Contract, operation: Operation): Shape | undefined {
  return resources.find(({ actions: { create, replace, update } }) =>
    [create, replace, update].includes(operation),
  )?.shape;
}

/** What requests may send of a member, in each form of the body. */
function sentAs({ body }: Operation, name: string): Shape[] {
  const forms = (body?.content ?? []).flatMap(({ shape }) => (shape ? formsOf(shape) : []));
  return forms.flatMap(({ properties }) => properties.get(name) ?? []);
}

/** What is missing inside of a value, a service completes. */
function problemsIn(
  { validators }: Contract,
  { parts }: Shape,
  value: unknown,
  direction: 'request' | 'response',
): Violation[] {
  const all = parts.flatMap((part) => validators.compile(part, direction)(value));
  return direction === 'request' ? all : all.filter(({ keyword }) => keyword !== 'required');
}
