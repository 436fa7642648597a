import { isRecord } from '#spec';

/** A change in an overlay, and its evidence. */
export interface OverlayChange {
  /** Equal for equal changes. */
  readonly key: string;
  /** JSONPath (RFC 9535). */
  readonly target: string;
  readonly update?: unknown;
  readonly remove?: true;
  /** What it adds or loosens, in words. */
  readonly text: string;
  readonly kind: 'adds' | 'loosens';
  /** The number of exchanges that show it. */
  readonly seen: number;
}

/** Converts 3.1 schemas anywhere in a value to OpenAPI 3.0: `nullable`, and a single type each. */
export function asVersion30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asVersion30);
  if (!isRecord(value)) return value;
  const object = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === 'example' ? member : asVersion30(member)]),
  );
  const { type, anyOf, ...others } = object;
  if (Array.isArray(anyOf) && anyOf.some(isNull)) {
    const rest = anyOf.filter((one) => !isNull(one));
    return rest.length === 1
      ? { ...others, allOf: rest, nullable: true }
      : { ...others, anyOf: rest, nullable: true };
  }
  if (!Array.isArray(type)) return type === 'null' ? { ...others, nullable: true } : object;
  const types = type.filter((one) => one !== 'null');
  const isNullable = types.length < type.length && { nullable: true };
  if (types.length === 1) return { type: types[0], ...others, ...isNullable };
  const { items, properties, required, additionalProperties, ...rest } = others;
  const parts = { array: { items: items ?? {} }, object: { properties, required, additionalProperties } };
  return {
    ...rest,
    anyOf: types.map((one) => ({
      type: one,
      ...defined(parts[one as keyof typeof parts] ?? {}),
      ...isNullable,
    })),
  };
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && (schema.type === 'null' || Object.keys(schema).join() === 'nullable');
}

function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
