import type { Spot } from '../document/spot.ts';
import { toPointer } from '../json/json-pointer.ts';
import { isRecord } from '../json/json-type.ts';
import { discriminatorOf } from './discriminator.ts';
import type { Shape } from './shape.ts';

/** A value in a JSON document whose discriminator names the branch that it must fit. */
export interface Discriminated {
  /** JSON Pointer (RFC 6901) of the value. */
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly property: string;
  /** The Schema Object of the branch, as `oneOf` or `anyOf` has it. */
  readonly branch: Spot;
}

/** The discriminated values in a value of this schema; those whose discriminator names no branch are left out. */
export function* discriminatedValues(
  shape: Shape,
  value: unknown,
  path: readonly string[] = [],
): Generator<Discriminated> {
  if (Array.isArray(value) && shape.items)
    for (const [index, item] of value.entries())
      yield* discriminatedValues(shape.items, item, [...path, String(index)]);
  if (!isRecord(value)) return;
  const named = namedBranch(shape, value);
  if (named) {
    yield { pointer: toPointer(path), value, ...named };
    return;
  }
  for (const [name, member] of shape.properties)
    if (Object.hasOwn(value, name)) yield* discriminatedValues(member, value[name], [...path, name]);
}

function namedBranch(shape: Shape, value: Readonly<Record<string, unknown>>) {
  for (const part of shape.parts) {
    const { property = '', named = [] } = discriminatorOf(part) ?? {};
    if (!Object.hasOwn(value, property)) continue;
    const found = named.find(({ values }) => values.some((name) => name === value[property]));
    if (found) return { property, branch: found.branch };
  }
  return undefined;
}
