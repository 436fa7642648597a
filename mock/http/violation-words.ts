import { isNumber } from '#spec';
import type { Detail } from './exchange.ts';

/** What frameworks call a broken keyword. */
interface Words {
  readonly pydantic: string;
  /** The constraint of Bean Validation, as Spring names it. */
  readonly spring: string;
  readonly zod: string;
  readonly plain: string;
  /** Further names of it in lists of codes, without signs. */
  readonly others?: readonly string[];
  /** pydantic's name of the limit. */
  readonly limit?: string;
}

export type Dialect = 'pydantic' | 'spring' | 'zod' | 'plain';

const words = (
  pydantic: string,
  spring: string,
  zod: string,
  plain: string,
  more: Pick<Words, 'limit' | 'others'> = {},
): Words => ({ pydantic, spring, zod, plain, ...more });

const KEYWORDS: Readonly<Record<string, Words>> = {
  required: words('missing', 'NotNull', 'invalid_type', 'required', {
    others: ['missing', 'missingfield', 'isrequired', 'notblank', 'blank', 'empty'],
  }),
  type: words('value_error', 'typeMismatch', 'invalid_type', 'invalid_type', {
    others: ['wrongtype', 'typeerror', 'type'],
  }),
  enum: words('enum', 'typeMismatch', 'invalid_enum_value', 'not_allowed', {
    others: ['invalidvalue', 'invalidchoice', 'invalidoption', 'inclusion', 'oneof'],
    limit: 'expected',
  }),
  const: words('literal_error', 'AssertTrue', 'invalid_literal', 'not_allowed', { limit: 'expected' }),
  minLength: words('string_too_short', 'Size', 'too_small', 'too_short', { limit: 'min_length' }),
  maxLength: words('string_too_long', 'Size', 'too_big', 'too_long', { limit: 'max_length' }),
  pattern: words('string_pattern_mismatch', 'Pattern', 'invalid_string', 'invalid_format', {
    others: ['pattern', 'format'],
    limit: 'pattern',
  }),
  format: words('value_error', 'Pattern', 'invalid_string', 'invalid_format', { others: ['format'] }),
  minimum: words('greater_than_equal', 'Min', 'too_small', 'too_small', {
    limit: 'ge',
    others: ['min', 'outofrange', 'range'],
  }),
  maximum: words('less_than_equal', 'Max', 'too_big', 'too_large', {
    limit: 'le',
    others: ['max', 'outofrange', 'range', 'toobig'],
  }),
  exclusiveMinimum: words('greater_than', 'Min', 'too_small', 'too_small', { limit: 'gt' }),
  exclusiveMaximum: words('less_than', 'Max', 'too_big', 'too_large', { limit: 'lt' }),
  multipleOf: words('multiple_of', 'Digits', 'not_multiple_of', 'not_multiple_of', { limit: 'multiple_of' }),
  minItems: words('too_short', 'Size', 'too_small', 'too_few', { limit: 'min_length' }),
  maxItems: words('too_long', 'Size', 'too_big', 'too_many', { limit: 'max_length' }),
  uniqueItems: words('value_error', 'UniqueElements', 'custom', 'not_unique'),
  additionalProperties: words(
    'extra_forbidden',
    'UnrecognizedProperty',
    'unrecognized_keys',
    'unknown_member',
    {
      others: ['unknown', 'unknownfield', 'unexpected'],
    },
  ),
  content: words('json_invalid', 'HttpMessageNotReadable', 'custom', 'malformed', {
    others: ['parseerror', 'syntax'],
  }),
};

const ELSE = words('value_error', 'Valid', 'custom', 'invalid', { others: ['invalidvalue'] });

const wordsOf = ({ broken }: Detail): Words => (broken && KEYWORDS[broken.keyword]) || ELSE;

/** What pydantic calls a wrong type: of a text that might have been one of it, or of anything else. */
const TYPES: Readonly<Record<string, readonly [parsed: string, other: string]>> = {
  integer: ['int_parsing', 'int_type'],
  number: ['float_parsing', 'float_type'],
  boolean: ['bool_parsing', 'bool_type'],
  string: ['string_type', 'string_type'],
  array: ['list_type', 'list_type'],
  object: ['model_attributes_type', 'model_attributes_type'],
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'datetime_from_date_parsing',
  date: 'date_from_datetime_parsing',
  time: 'time_parsing',
  duration: 'time_delta_parsing',
  uuid: 'uuid_parsing',
  uri: 'url_parsing',
};

/** The name of what a detail breaks. */
export function wordOf(detail: Detail, dialect: Dialect): string {
  const { keyword, limit, received } = detail.broken ?? {};
  if (dialect === 'pydantic' && keyword === 'type') {
    const [first] = [limit].flat().filter((type) => type !== 'null');
    const [parsed, other] = TYPES[String(first)] ?? [];
    const word = typeof received === 'string' ? parsed : other;
    if (word) return word;
  }
  if (dialect === 'pydantic' && keyword === 'format') return FORMATS[String(limit)] ?? ELSE.pydantic;
  if (dialect === 'spring' && keyword === 'format' && limit === 'email') return 'Email';
  return wordsOf(detail)[dialect];
}

/** All names of it, the most specific first: one of them may be in an enumeration. */
export function allWords(detail: Detail): readonly string[] {
  const { pydantic, spring, zod, plain, others = [] } = wordsOf(detail);
  return [plain, detail.broken?.keyword ?? plain, pydantic, zod, spring, ...others, 'invalid'];
}

/** pydantic's `ctx`; undefined: it has none. */
export function contextOf(detail: Detail): Readonly<Record<string, unknown>> | undefined {
  const { limit: name } = wordsOf(detail);
  const limit = detail.broken?.limit;
  if (name === undefined || limit === undefined) return undefined;
  if (name === 'expected') return { expected: [limit].flat().map(quoted).join(' or ') };
  return isNumber(limit) || typeof limit === 'string' ? { [name]: limit } : undefined;
}

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
