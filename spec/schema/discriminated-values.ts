import type { ErrorObject, ValidateFunction } from 'ajv/dist/core.js';
import type { Spot } from '../document/spot.ts';
import { isRecord, ownEntry, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { DISCRIMINATOR, wrapError } from './branch-errors.ts';
import { discriminatorOf } from './discriminator.ts';
import type { Ajv } from './numeric-keywords.ts';
import type { Shape } from './shape.ts';

/** A value in a JSON document with the branch that its discriminator names. */
interface Discriminated {
  /** JSON Pointer (RFC 6901) of the value. */
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly property: string;
  /** The Schema Object of the branch, as in `oneOf` or `anyOf`. */
  readonly branch: Spot;
}

/** The discriminated values in a value of this schema, except those whose discriminator names no branch. */
export const discriminatedValues = (shape: Shape, value: unknown): Iterable<Discriminated> =>
  chooses(shape) ? valuesIn(shape, value, []) : [];

const chooses = oncePer((shape: Shape) => mayChoose(shape, new Set()));

/** Whether a schema, or one below it, has a discriminator. Most have none, so their values can be skipped. */
function mayChoose(shape: Shape, above: Set<unknown>): boolean {
  if (above.has(shape.spot.value)) return false;
  above.add(shape.spot.value);
  if (shape.parts.some((part) => discriminatorOf(part) !== undefined)) return true;
  const below = [...shape.properties.values(), ...(shape.items ? [shape.items] : [])];
  return below.some((member) => mayChoose(member, above));
}

function* valuesIn(shape: Shape, value: unknown, path: readonly string[]): Generator<Discriminated> {
  if (Array.isArray(value) && shape.items)
    for (const [index, item] of value.entries()) yield* valuesIn(shape.items, item, [...path, String(index)]);
  if (!isRecord(value)) return;
  const named = namedBranch(shape, value);
  if (named) {
    yield { pointer: toPointer(path), value, ...named };
    return;
  }
  for (const [name, member] of shape.properties)
    if (Object.hasOwn(value, name)) yield* valuesIn(member, value[name], [...path, name]);
}

function namedBranch(shape: Shape, value: Readonly<Record<string, unknown>>) {
  for (const part of shape.parts) {
    const { property = '', named = [], fallback } = discriminatorOf(part) ?? {};
    const match = named.find(({ values }) => values.some((name) => name === ownEntry(value, property)));
    const branch = match?.branch ?? fallback;
    if (branch) return { property, branch };
  }
  return undefined;
}

/** The choice of a discriminator, as its Ajv keyword contains it. */
export interface Choice {
  readonly property: string;
  /** The check of each value of the property; undefined for the schema that has the discriminator itself. */
  readonly checks: ReadonlyMap<string, (() => ValidateFunction) | undefined>;
  /** Whether any other value of the property is invalid. */
  readonly complete: boolean;
  /** The check for any other value, and for a missing property. */
  readonly fallback: (() => ValidateFunction) | undefined;
}

/** The function of a keyword as Ajv calls it. */
export interface Validator {
  (value: unknown, context?: Parameters<ValidateFunction>[1]): boolean;
  errors?: Partial<ErrorObject>[];
}

/** A value must fit the branch that its discriminator names; a branch is compiled on first use. */
export function addDiscriminatorKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: DISCRIMINATOR,
    errors: true,
    compile({ property, checks, complete, fallback }: Choice, holder: object) {
      // The branch may have this schema in its `allOf`, which leads back here.
      const running = new WeakSet<object>();

      function errorsOf(
        value: Record<string, unknown>,
        context: Parameters<Validator>[1],
      ): readonly ErrorObject[] {
        const name = ownEntry(value, property);
        const isNamed = typeof name === 'string' && checks.has(name);
        if (!isNamed && !fallback) {
          if (!complete || typeof name !== 'string') return [];
          const instancePath = (context?.instancePath ?? '') + toPointer([property]);
          const error = { keyword: 'discriminator', instancePath, schemaPath: '', params: {}, data: name };
          return [{ ...error, schema: [...checks.keys()], parentSchema: holder }];
        }
        const check = (isNamed ? checks.get(name) : fallback)?.();
        return !check || check(value, context) ? [] : (check.errors ?? []);
      }

      const validate: Validator = (value, context) => {
        if (!isRecord(value) || running.has(value)) return true;
        running.add(value);
        try {
          const errors = errorsOf(value, context);
          validate.errors = errors.map((inner) => wrapError(inner, holder));
          return errors.length === 0;
        } finally {
          running.delete(value);
        }
      };
      return validate;
    },
  });
}
