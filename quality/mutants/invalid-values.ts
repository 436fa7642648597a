import { isObject } from './by-hand/correct.ts';
import { isInt64 } from './by-hand/exact-json.ts';
import { STATUSES } from './by-hand/pet.ts';

const isStatus = (value: unknown) => STATUSES.some((status) => status === value);
const isText = (value: unknown) => typeof value === 'string';
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(String(value));
const isBig = (value: unknown) => typeof value === 'bigint';
const kind = (matches: (value: unknown) => boolean, example: unknown) => ({ matches, example });

/** Kinds of values that some members of an animal do not allow. */
export const KINDS = {
  missing: kind((value) => value === undefined, undefined),
  null: kind((value) => value === null, null),
  boolean: kind((value) => typeof value === 'boolean', true),
  array: kind(Array.isArray, []),
  object: kind(isObject, {}),
  number: kind(isBig, 12n),
  fraction: kind((value) => typeof value === 'number', 1.5),
  'beyond int64': kind((value) => isBig(value) && !isInt64(value), 2n ** 63n),
  text: kind(matches(/^(?!-?\d+$)/), 'reserved'),
  'empty text': kind((value) => value === '', ''),
  digits: kind(matches(/^-?\d+$/), '17'),
  'digits and more': kind(matches(/^\d+\D/), '17 or so'),
  'upper case': kind((value) => isStatus(String(value).toLowerCase()), 'SOLD'),
  padded: kind((value) => isText(value) && isStatus(String(value).trim()), ' sold '),
  'in array': kind((value) => Array.isArray(value) && (isInt64(value[0]) || isStatus(value[0])), [7n]),
};
type Kind = keyof typeof KINDS;

const NO_TEXT = ['missing', 'null', 'boolean', 'array', 'object', 'number'] satisfies Kind[];
const NO_INT64 = NO_TEXT.map((name) => (name === 'number' ? 'fraction' : name));

/** For each member the kinds that it does not allow. */
export const FORBIDDEN: Readonly<Record<'name' | 'categoryId' | 'status', readonly Kind[]>> = {
  name: NO_TEXT,
  categoryId: [...NO_INT64, 'beyond int64', 'text', 'empty text', 'digits', 'digits and more', 'in array'],
  status: ['null', 'boolean', 'array', 'number', 'text', 'empty text', 'upper case', 'padded', 'in array'],
};
