import { stringifyJson } from '../json/exact-json.ts';

type Message = (limit: unknown, params: Record<string, unknown>) => string;

/** What each keyword demands, as the predicate of a sentence about a member. */
const MESSAGES: Readonly<Record<string, Message>> = {
  type: (types) => ofTypes(types),
  required: () => 'is required',
  enum: (values) => `must be one of ${(values as unknown[]).map((value) => stringifyJson(value)).join(', ')}`,
  discriminator: (names) =>
    `must be one of ${(names as unknown[]).map((name) => stringifyJson(name)).join(', ')}`,
  const: (value) => `must be ${stringifyJson(value)}`,
  format: (format) => `must fit the format ${format}`,
  pattern: (pattern) => `must match the pattern ${pattern}`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be above ${limit}`,
  exclusiveMaximum: (limit) => `must be below ${limit}`,
  multipleOf: (divisor) => `must be a multiple of ${divisor}`,
  minLength: atLeast('character'),
  maxLength: atMost('character'),
  minItems: atLeast('item'),
  maxItems: atMost('item'),
  minProperties: atLeast('member'),
  maxProperties: atMost('member'),
  uniqueItems: () => 'must not repeat an item',
  additionalProperties: (_, { additionalProperty }) => `must not have the member "${additionalProperty}"`,
  unevaluatedProperties: (_, { unevaluatedProperty }) => `must not have the member "${unevaluatedProperty}"`,
  oneOf: (_, { passingSchemas, types }) => {
    if (passingSchemas) return 'fits several of the alternatives, and must fit just one';
    return types ? ofTypes(types) : 'must fit one of the alternatives';
  },
  anyOf: (_, { types }) => (types ? ofTypes(types) : 'must fit one of the alternatives'),
  not: () => 'must not have this form',
  false: () => 'must be absent',
  propertyNames: (_, { propertyName }) => `must not have a member named "${propertyName}"`,
  contains: (_, { minContains, maxContains }) =>
    `must have ${contained(minContains, maxContains)} that the schema under "contains" describes`,
  dependentRequired: (_, { property, missingProperty }) =>
    `must have "${missingProperty}" beside "${property}"`,
};

/** Keywords of which the text depends on the value, too. */
const OF_VALUE = new Set([
  ...[
    'additionalProperties',
    'unevaluatedProperties',
    'oneOf',
    'anyOf',
    'propertyNames',
    'dependentRequired',
  ],
  'discriminator',
]);

/** Whether the text for a keyword is the same for all values that break it. */
export function isOfSchema(keyword: string): boolean {
  return !OF_VALUE.has(keyword);
}

/** What a keyword demands; `params` are those of Ajv. */
export function expectationOf(keyword: string, limit: unknown, params: Record<string, unknown>): string {
  return MESSAGES[keyword]?.(limit, params) ?? `must keep the keyword ${keyword}`;
}

function ofTypes(types: unknown): string {
  return `must be ${[types].flat().map(withArticle).join(' or ')}`;
}

function atLeast(noun: string): Message {
  return (limit) => `must have at least ${count(limit, noun)}`;
}

function atMost(noun: string): Message {
  return (limit) => `must have at most ${count(limit, noun)}`;
}

function contained(least: unknown, most: unknown): string {
  if (most === undefined) return `at least ${count(least, 'item')}`;
  return `${least} to ${count(most, 'item')}`;
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null';
  return `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
