import type { ErrorObject } from 'ajv/dist/core.js';
import { ajvFormats, ajvLibrary, ajvVocabularies } from '#libraries';
import { type Document, type Place, placeOf, rawChild, type Spot } from '../document/spot.ts';
import { stringifyJson } from '../json/exact-json.ts';
import { count } from '../json/in-brief.ts';
import { toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { compilePattern } from '../pattern/pattern.ts';
import { condenseErrors } from './branch-errors.ts';
import { addExactKeywords, originalKeyword } from './numeric-keywords.ts';
import type { Shape } from './shape.ts';
import { createTranslator, type Direction, type Translator } from './translate.ts';

/** One way in which a value breaks a schema. */
export interface Violation {
  /** JSON Pointer (RFC 6901) of the value in the validated one, also of a missing member; empty for the whole. */
  readonly pointer: string;
  /** The violated keyword; `false` for a schema that is `false`. */
  readonly keyword: string;
  /** The value of the keyword; undefined if the violation has no keyword of a schema. */
  readonly limit?: unknown;
  /** The requirement, e.g. `must be one of "a", "b"`. */
  readonly expected: string;
  /** The value at the pointer; undefined for a missing member. */
  readonly received: unknown;
  /** The source position of the keyword. */
  readonly at: Place;
  /** The Schema Object with the keyword; undefined if there is none. */
  readonly schema?: Spot;
}

/** All violations of a JSON value (as `parseJson` returns it); empty if it is valid. */
export type Validate = (value: unknown) => Violation[];

/** Compiles the schemas of one document, each at the first call of its function. */
export interface Validators {
  /** The same schema and direction give the same function. */
  compile(schema: Spot, direction: Direction): Validate;
  /**
   * Drops all compiled schemas if they are more than this number; each takes some 60 kB. The functions remain usable,
   * and compile again when called.
   */
  trim(most: number): void;
}

type Whole = Pick<Shape, 'roots'>;

const checksOf = ({ roots }: Whole, direction: Direction) =>
  roots.map((part) => validatorsOf(part.document).compile(part, direction));

/** All violations of a whole schema by a value. */
export const violationsOf = (shape: Whole, value: unknown, direction: Direction = 'response'): Violation[] =>
  checksOf(shape, direction).flatMap((check) => check(value));

/** Whether a value is valid, exactly; skips the validator where `roughlyFits` can decide. */
export const fullyFits = (shape: Whole, value: unknown, direction: Direction = 'response'): boolean =>
  checksOf(shape, direction).every((check) => check(value).length === 0);

/** The validators of a document, shared by all modules. */
export const validatorsOf = oncePer((_: Document): Validators => {
  let engine: Engine | undefined;
  const compiled = new Map<unknown, Partial<Record<Direction, Validate>>>();
  return {
    compile(schema, direction) {
      const forSchema = compiled.get(schema.value) ?? {};
      compiled.set(schema.value, forSchema);
      forSchema[direction] ??= compileLazily(() => (engine ??= createEngine()), schema, direction);
      return forSchema[direction];
    },
    trim(most) {
      if (engine && engine.translator.compiled > most) engine = undefined;
    },
  };
});

interface Engine {
  readonly translator: Translator;
  /** The only references to compiled schemas, so that they can be dropped. */
  readonly checks: Map<Validate, Check>;
}

type Check = ReturnType<Translator['compile']>;

/** Ajv is loaded for the first value, so that a server can start and respond without it. */
function createEngine(): Engine {
  const { default: Ajv } = ajvLibrary();
  const ajv = new Ajv({
    next: true,
    strict: false,
    allErrors: true,
    verbose: true,
    // Violations have their own messages.
    messages: false,
    // Otherwise an object would have the members of JavaScript's prototypes: `toString`, `constructor`.
    ownProperties: true,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    code: { optimize: false, process: appendErrors, regExp: Object.assign(regExpFor, { code: 'regExpFor' }) },
  });
  for (const vocabulary of ajvVocabularies()) ajv.addVocabulary(vocabulary);
  const formats = ajvFormats();
  for (const name of DEFINED_FORMATS) ajv.addFormat(name, formats[name]);
  addExactKeywords(ajv);
  return { translator: createTranslator(ajv), checks: new Map() };
}

/**
 * For each item with another schema Ajv copies all errors so far, so that a long list with many errors would take
 * quadratic time.
 */
function appendErrors(code: string): string {
  return code.replace(
    /(vErrors\d*) = \1 === null \? ([\w.]+) : \1\.concat\(\2\)/g,
    'if ($1 === null) $1 = $2; else for (const error of $2) $1.push(error)',
  );
}

/**
 * The formats that JSON Schema (2020-12 validation §7.3) or OpenAPI's format registry defines. The meaning of other
 * names is unknown: a service may well use `url` for a path. Numbers are checked elsewhere, exactly.
 */
const DEFINED_FORMATS = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'] as const),
  ...(['uri', 'uri-reference', 'uri-template', 'json-pointer', 'relative-json-pointer'] as const),
  ...(['regex', 'byte'] as const),
];

/** Whether a specification defines which texts the format allows. */
export function isDefinedFormat(name: unknown): boolean {
  return (DEFINED_FORMATS as readonly unknown[]).includes(name);
}

/** Ajv identifies expressions by their text. */
function regExpFor(source: string): { test: (text: string) => boolean; toString: () => string } {
  const { test, expression } = compilePattern(source);
  return { test, toString: () => String(expression) };
}

/** A run needs few of the thousands of schemas in a large document, so Ajv generates code at the first call only. */
function compileLazily(engineOf: () => Engine, schema: Spot, direction: Direction): Validate {
  return function validate(value) {
    const { translator, checks } = engineOf();
    let check = checks.get(validate);
    if (!check) {
      check = translator.compile(schema, direction);
      checks.set(validate, check);
    }
    if (check(value)) return [];
    const errors = check.errors ?? [];
    // The errors would keep the value in memory.
    check.errors = null;
    return condenseErrors(errors).map((error) => toViolation(error, translator, schema));
  };
}

function toViolation(error: ErrorObject, { originOf }: Translator, root: Spot): Violation {
  const missing = error.keyword === 'required' ? (error.params.missingProperty as string) : undefined;
  const broken = brokenBy(error, originOf(error.parentSchema) ?? root, missing);
  const expected = broken.expected ?? expectationOf(broken.keyword, error.schema, error.params);
  const received = missing === undefined ? error.data : undefined;
  return new FoundViolation(error.instancePath + broken.member, expected, received, broken);
}

/** A cache by schema and by Ajv's keyword, or the name of a missing member. */
const brokenKeywords = oncePer((_: object) => new Map<string, BrokenKeyword>());
const missingMembers = oncePer((_: object) => new Map<string, BrokenKeyword>());

/** The shared description for each violation of a keyword, or missing member. */
function brokenBy(error: ErrorObject, schema: Spot, missing: string | undefined): BrokenKeyword {
  const { keyword, parentSchema, schema: limit, params } = error;
  const ofSchema = (missing === undefined ? brokenKeywords : missingMembers)(parentSchema ?? schema);
  const name = missing ?? keyword;
  let broken = ofSchema.get(name);
  if (!broken) {
    // The schema `false` is translated to `not: {}`.
    const original = schema.value === false ? 'false' : originalKeyword(keyword);
    const expected = isOfSchema(original) ? expectationOf(original, limit, params) : undefined;
    const member = missing === undefined ? '' : toPointer([missing]);
    broken = new BrokenKeyword(original, expected, member, schema, keywordSpot(schema, original, missing));
    ofSchema.set(name, broken);
  }
  return broken;
}

/** The spot of a keyword; for `required` that of the item that names the missing member. */
function keywordSpot(schema: Spot, keyword: string, missing: unknown): Spot {
  const spot = rawChild(schema, keyword) ?? schema;
  if (keyword !== 'required' || !Array.isArray(spot.value)) return spot;
  return rawChild(spot, String(spot.value.indexOf(missing))) ?? spot;
}

/** A keyword of a schema, as its violations describe it. */
class BrokenKeyword {
  readonly keyword: string;
  /** Undefined if it depends on the value. */
  readonly expected: string | undefined;
  /** JSON Pointer of the missing member; empty for any other keyword. */
  readonly member: string;
  readonly schema: Spot;
  readonly #spot: Spot;
  #at: Place | undefined;

  /** The keyword's value in the document. */
  get limit(): unknown {
    return this.#spot.value;
  }

  constructor(keyword: string, expected: string | undefined, member: string, schema: Spot, spot: Spot) {
    this.keyword = keyword;
    this.schema = schema;
    this.expected = expected;
    this.member = member;
    this.#spot = spot;
  }

  /**
   * Computed on demand: most callers only ask whether a value is valid, and finding a line of a large file takes longer
   * than the check.
   */
  get at(): Place {
    this.#at ??= placeOf(this.#spot);
    return this.#at;
  }
}

/** A class, because a getter in each object literal would take a fifth of the time of a refused request. */
class FoundViolation implements Violation {
  readonly pointer: string;
  readonly expected: string;
  readonly received: unknown;
  readonly #broken: BrokenKeyword;

  constructor(pointer: string, expected: string, received: unknown, broken: BrokenKeyword) {
    this.pointer = pointer;
    this.expected = expected;
    this.received = received;
    this.#broken = broken;
  }

  get keyword(): string {
    return this.#broken.keyword;
  }

  get limit(): unknown {
    return this.#broken.limit;
  }

  get at(): Place {
    return this.#broken.at;
  }

  get schema(): Spot {
    return this.#broken.schema;
  }
}

type Message = (limit: unknown, params: Record<string, unknown>) => string;

/** The requirement of each keyword, as the predicate of a sentence about a member. */
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
  unevaluatedProperties: (_, { unevaluated }) => `must not have the member "${unevaluated}"`,
  unevaluatedItems: (_, { unevaluated }) => `must not have the item ${unevaluated}`,
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

/** Keywords whose message also depends on the value. */
const OF_VALUE = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'oneOf',
  'anyOf',
  'propertyNames',
  'dependentRequired',
  'discriminator',
]);

/** Whether the message of a keyword is the same for all values. */
function isOfSchema(keyword: string): boolean {
  return !OF_VALUE.has(keyword);
}

/** The requirement of a keyword; `params` are those of Ajv. */
function expectationOf(keyword: string, limit: unknown, params: Record<string, unknown>): string {
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
