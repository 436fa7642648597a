import { complain, isRecord, rawChild, type Spot } from '../document/spot.ts';
import { isNumber } from '../exact-json.ts';
import { patternProblem } from '../pattern/pattern.ts';
import { JSON_TYPES, type JsonType } from './json-type.ts';
import { isVersion30 } from './shape.ts';
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_MEMBERS } from './subschemas.ts';

/** Keywords whose value has the wrong form, as problems of the document. */
export function checkKeywords(schema: Spot): void {
  for (const [keyword, [wanted, fits]] of Object.entries(KEYWORD_FORMS)) {
    const spot = rawChild(schema, keyword);
    if (spot && !fits(spot.value)) complain(spot, `"${keyword}" must be ${wanted}`);
  }
  checkPatterns(schema);
  if (!isVersion30(schema)) refuseFlags(schema);
}

/** A document that was lifted from 3.0 to 3.1 by its version alone: the bound would become a 1 or a 0. */
function refuseFlags(schema: Spot): void {
  for (const [keyword, bound] of Object.entries({
    exclusiveMinimum: 'minimum',
    exclusiveMaximum: 'maximum',
  })) {
    const spot = rawChild(schema, keyword);
    if (typeof spot?.value === 'boolean')
      complain(
        spot,
        `"${keyword}" must be a number in OpenAPI 3.1: the bound itself, in place of "${bound}"`,
      );
  }
}

const isType = (value: unknown) => JSON_TYPES.includes(value as JsonType);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean';
const isSchemaMap = (value: unknown) => isRecord(value) && Object.values(value).every(isSchema);
const isSchemaList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isNameList = (value: unknown) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** `pattern`, and the names of `patternProperties`. */
function checkPatterns(schema: Spot): void {
  const pattern = rawChild(schema, 'pattern');
  const problem = pattern && patternProblem(pattern.value);
  if (problem) complain(pattern, `"pattern" ${problem}`);
  const named = rawChild(schema, 'patternProperties');
  for (const source of isRecord(named?.value) ? Object.keys(named.value) : []) {
    const wrong = patternProblem(source);
    if (wrong) complain(rawChild(named as Spot, source) ?? schema, `a name in "patternProperties" ${wrong}`);
  }
}

type Form = readonly [wanted: string, fits: (value: unknown) => boolean];

function everyOne(keywords: readonly string[], form: Form): Record<string, Form> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, form]));
}

const KEYWORD_FORMS: Readonly<Record<string, Form>> = {
  ...everyOne(SCHEMA_MAPS, ['an object of schemas', isSchemaMap]),
  ...everyOne(SCHEMA_LISTS, ['a list of schemas', isSchemaList]),
  ...everyOne(SCHEMA_MEMBERS, ['a schema, true or false', isSchema]),
  type: [
    `one of ${JSON_TYPES.join(', ')}, or a list of them`,
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  ],
  required: ['a list of names', isNameList],
  enum: ['a list of at least one value', (value) => Array.isArray(value) && value.length > 0],
  dependentRequired: [
    'an object of lists of names',
    (value) => isRecord(value) && Object.values(value).every(isNameList),
  ],
  uniqueItems: ['true or false', (value) => typeof value === 'boolean'],
  minContains: ['a count of 0 or more', isCount],
  maxContains: ['a count of 0 or more', isCount],
  format: ['a string', (value) => typeof value === 'string'],
  minimum: ['a number', isNumber],
  maximum: ['a number', isNumber],
  exclusiveMinimum: ['a number', (value) => isNumber(value) || typeof value === 'boolean'],
  exclusiveMaximum: ['a number', (value) => isNumber(value) || typeof value === 'boolean'],
  multipleOf: ['a number above 0', (value) => isNumber(value) && (value as number) > 0],
  minLength: ['a count of 0 or more', isCount],
  maxLength: ['a count of 0 or more', isCount],
  minItems: ['a count of 0 or more', isCount],
  maxItems: ['a count of 0 or more', isCount],
  minProperties: ['a count of 0 or more', isCount],
  maxProperties: ['a count of 0 or more', isCount],
  readOnly: ['true or false', (value) => typeof value === 'boolean'],
  writeOnly: ['true or false', (value) => typeof value === 'boolean'],
};
