import { isRecord, pathText, placeOf, type Shape, toPointer } from '#spec';
import { jsonShape } from './evidence.ts';
import type { Breach, Law } from './law.ts';
import { isMask } from './same-value.ts';

/** A write-only member, and where values have it; null stands for the items of a list. */
interface WriteOnly {
  readonly path: readonly (string | null)[];
  readonly member: Shape;
}

/** What only a client sends is not in a response (OpenAPI 3.0 §4.7.24, JSON Schema validation §9.4). */
export const writeOnlyHidden: Law = {
  name: 'write-only-hidden',
  applies: ({ json, documented }) => json !== undefined && writeOnlyIn(jsonShape(documented)).length > 0,
  judge: ({ json, documented }) =>
    writeOnlyIn(jsonShape(documented)).flatMap(({ path, member }) => {
      const shown = valuesAt(json, path).find(({ value }) => isTold(value));
      return shown ? [breach(shown, member)] : [];
    }),
};

/** The value itself is mostly a secret. */
function breach({ pointer }: Value, member: Shape): Breach {
  return {
    law: 'write-only-hidden',
    received: `a value of ${pathText(pointer)}`,
    documented: `${pointer.at(-1)} is write-only`,
    at: placeOf(member.find('writeOnly')?.spot ?? member.spot),
    part: toPointer(pointer),
  };
}

/** What says nothing of the value, a mask or an empty text say, does not show it. */
function isTold(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !isMask(value);
  return value !== undefined && value !== null;
}

const known = new WeakMap<Shape, readonly WriteOnly[]>();

/** Those that each value of the schema has: what only some alternatives have is not among them. */
function writeOnlyIn(shape: Shape | undefined): readonly WriteOnly[] {
  if (!shape) return [];
  const found = known.get(shape) ?? [...membersOf(shape, [], new Set())];
  known.set(shape, found);
  return found;
}

function* membersOf(
  shape: Shape,
  path: WriteOnly['path'],
  above: ReadonlySet<unknown>,
): Generator<WriteOnly> {
  const schema = shape.spot.value;
  if (above.has(schema)) return;
  const within = new Set([...above, schema]);
  for (const [name, member] of shape.properties) {
    if (member.writeOnly) yield { path: [...path, name], member };
    else yield* membersOf(member, [...path, name], within);
  }
  if (shape.items) yield* membersOf(shape.items, [...path, null], within);
}

interface Value {
  readonly pointer: readonly string[];
  readonly value: unknown;
}

function valuesAt(value: unknown, path: WriteOnly['path'], pointer: readonly string[] = []): Value[] {
  const [step, ...rest] = path;
  if (step === undefined) return [{ pointer, value }];
  if (step === null)
    return Array.isArray(value)
      ? value.flatMap((item, index) => valuesAt(item, rest, [...pointer, String(index)]))
      : [];
  return isRecord(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest, [...pointer, step]) : [];
}
