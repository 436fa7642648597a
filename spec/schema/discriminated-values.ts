import type { ErrorObject, ValidateFunction } from 'ajv/dist/core.js';
import type { Spot } from '../document/spot.ts';
import { isRecord, ownEntry, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { DISCRIMINATOR, wrapError } from './branch-errors.ts';
import { discriminatorOf } from './discriminator.ts';
import type { Ajv } from './numeric-keywords.ts';
import type { Shape } from './shape.ts';

/** A value in a JSON document whose discriminator names the branch that it must fit. */
interface Discriminated {
  /** JSON Pointer (RFC 6901) of the value. */
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly property: string;
  /** The Schema Object of the branch, as `oneOf` or `anyOf` has it. */
  readonly branch: Spot;
}

/** The discriminated values in a value of this schema; those whose discriminator names no branch are left out. */
export const discriminatedValues = (shape: Shape, value: unknown): Iterable<Discriminated> =>
  chooses(shape) ? valuesIn(shape, value, []) : [];

const chooses = oncePer((shape: Shape) => mayChoose(shape, new Set()));

/** Whether a schema, or one below it, has a discriminator: most have none, and their values need not be looked at. */
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

/** What the discriminator of a schema chooses from, as its keyword for Ajv has it. */
export interface Choice {
  readonly property: string;
  /** By the values of the property; undefined for the schema that has the discriminator. */
  readonly checks: ReadonlyMap<string, (() => ValidateFunction) | undefined>;
  /** Whether any other value is wrong. */
  readonly complete: boolean;
  /** For any other value, and for none. */
  readonly fallback: (() => ValidateFunction) | undefined;
}

/** A function of a keyword, as Ajv calls it. */
export interface Validator {
  (value: unknown, context?: Parameters<ValidateFunction>[1]): boolean;
  errors?: Partial<ErrorObject>[];
}

/** What the discriminator names must fit; a branch is compiled for the first value that names it. */
export function addDiscriminatorKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: DISCRIMINATOR,
    errors: true,
    compile({ property, checks, complete, fallback }: Choice, holder: object) {
      // A schema that has this one in its `allOf` leads back here.
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
