import { isNumber } from '../json/exact-json.ts';
import { hasType, isEqual, isRecord, ownEntry } from '../json/json-value.ts';
import { isMultipleOf } from './numeric-keywords.ts';
import type { Shape } from './shape.ts';

/**
 * Whether a value seems to fit a schema, by what distinguishes the branches of a `oneOf`: types, values, required
 * members, bounds, lengths, patterns and the look of formats. Ignores what is deeper than three levels, and loads no
 * validator.
 */
export function roughlyFits(shape: Shape, value: unknown, depth = 0): boolean {
  const { types, values } = shape;
  if (types && ![...types].some((type) => hasType(value, type))) return false;
  if (values && !values.some((one) => isEqual(one, value))) return false;
  if (isNumber(value)) return isInRange(shape, value) && isStep(shape, value);
  if (typeof value === 'string') return isText(shape, value);
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value))
    return value.every((item) => !shape.items || roughlyFits(shape.items, item, depth + 1));
  return !isRecord(value) || isMembers(shape, value, depth);
}

const MAX_DEPTH = 3;

function isInRange({ range: { low, high } }: Shape, value: number | bigint): boolean {
  if (low && (low.exclusive ? value <= low.value : value < low.value)) return false;
  return !high || (high.exclusive ? value < high.value : value <= high.value);
}

function isStep(shape: Shape, value: number | bigint): boolean {
  return shape.all('multipleOf').every((step) => isMultipleOf(value, step.value as number));
}

function isText(shape: Shape, value: string): boolean {
  const length = [...value].length;
  if (length < (shape.highest('minLength') ?? 0)) return false;
  if (length > (shape.lowest('maxLength') ?? Number.POSITIVE_INFINITY)) return false;
  const looks = ownEntry(LOOKS, shape.find('format')?.value);
  return (!looks || looks.test(value)) && shape.patterns.every(({ test }) => test(value));
}

/** What every text of a format matches; other texts do not have the format. */
const LOOKS: Readonly<Record<string, RegExp>> = {
  uri: /^[a-z][a-z\d+.-]*:/i,
  url: /^[a-z][a-z\d+.-]*:/i,
  email: /@/,
  uuid: /^[\da-f]{8}-/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dt/i,
  ipv4: /^\d+(?:\.\d+){3}$/,
  ipv6: /:/,
};

function isMembers(shape: Shape, value: Readonly<Record<string, unknown>>, depth: number): boolean {
  const { properties, required } = shape;
  for (const name of required.keys()) {
    // A member of the other direction may be missing.
    const member = properties.get(name);
    if (!Object.hasOwn(value, name) && !member?.readOnly && !member?.writeOnly) return false;
  }
  const isClosed = shape.all('additionalProperties').some((keyword) => keyword.value === false);
  return Object.entries(value).every(([name, inner]) => {
    const member = properties.get(name);
    return member ? roughlyFits(member, inner, depth + 1) : !isClosed;
  });
}

/**
 * Whether an object fits a response schema with plain members only: numbers, texts and flags, with bounds and
 * enumerations. Undefined: only the validator can decide, and loading that takes a fifth of the start of a small mock.
 */
export function plainlyFits(shape: Shape, value: unknown): boolean | undefined {
  const members = [...shape.properties.values()];
  const isPlain =
    isDecided(shape) && members.every((member) => isDecided(member) && !COMPOUND.has(member.mainType));
  if (!isPlain || !isRecord(value)) return undefined;
  // Only the validator knows which members a response may omit.
  if ([...shape.required.keys()].some((name) => !Object.hasOwn(value, name))) return undefined;
  return roughlyFits(shape, value);
}

/** Keywords that {@link roughlyFits} decides completely, and those that assert nothing. */
const DECIDED = new Set([
  '$ref',
  'allOf',
  'type',
  'nullable',
  'enum',
  'properties',
  'required',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

const DECIDED_FORMATS = new Set<unknown>(['int32', 'int64']);

const COMPOUND = new Set<unknown>(['object', 'array']);

function isDecided({ parts }: Shape): boolean {
  return parts.every(
    ({ value }) =>
      isRecord(value) &&
      Object.entries(value).every(
        ([keyword, argument]) =>
          DECIDED.has(keyword) ||
          keyword.startsWith('x-') ||
          (keyword === 'format' && DECIDED_FORMATS.has(argument)),
      ),
  );
}
