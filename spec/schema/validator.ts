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
  /** JSON Pointer (RFC 6901) of the value within the validated one, of a missing member too; empty for the whole. */
  readonly pointer: string;
  /** The keyword that is broken; `false` for a schema that is `false`. */
  readonly keyword: string;
  /** The value of the keyword; undefined where the violation is none of a schema's keyword. */
  readonly limit?: unknown;
  /** What the keyword demands, e.g. `must be one of "a", "b"`. */
  readonly expected: string;
  /** The value at the pointer; undefined for a missing member. */
  readonly received: unknown;
  /** The source position of the keyword. */
  readonly at: Place;
  /** The Schema Object of the keyword; undefined where it is none of a schema's. */
  readonly schema?: Spot;
}

/** All violations of a JSON value (as `parseJson` returns it); empty if it is valid. */
export type Validate = (value: unknown) => Violation[];

/** Compiles the schemas of one document, each at the first call of its function. */
export interface Validators {
  /** The same schema and direction give the same function. */
  compile(schema: Spot, direction: Direction): Validate;
  /**
   * Drops what was compiled, where that is more than so many schemas; each takes some 60 kB. The functions stay, and
   * compile their schemas again when they are called.
   */
  trim(most: number): void;
}

type Whole = Pick<Shape, 'roots'>;

const checksOf = ({ roots }: Whole, direction: Direction) =>
  roots.map((part) => validatorsOf(part.document).compile(part, direction));

/** All that a value breaks of a schema as a whole. */
export const violationsOf = (shape: Whole, value: unknown, direction: Direction = 'response'): Violation[] =>
  checksOf(shape, direction).flatMap((check) => check(value));

/** Whether a value breaks nothing of a schema: exactly, where `roughlyFits` needs no validator. */
export const fullyFits = (shape: Whole, value: unknown, direction: Direction = 'response'): boolean =>
  checksOf(shape, direction).every((check) => check(value).length === 0);

/** The validators of a document, which all that is compiled of it shares. */
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
  /** What was compiled lies here alone, so that it can be dropped. */
  readonly checks: Map<Validate, Check>;
}

type Check = ReturnType<Translator['compile']>;

/** Ajv is loaded for the first value: a server can listen, and respond, without it. */
function createEngine(): Engine {
  const { default: Ajv } = ajvLibrary();
  const ajv = new Ajv({
    next: true,
    strict: false,
    allErrors: true,
    verbose: true,
    // Violations have texts of their own.
    messages: false,
    // Without it an object has every member of JavaScript's prototypes: `toString`, `constructor`.
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

/** Ajv copies all errors so far for each item whose schema is another one: of a long list, each error would cost as many. */
function appendErrors(code: string): string {
  return code.replace(
    /(vErrors\d*) = \1 === null \? ([\w.]+) : \1\.concat\(\2\)/g,
    'if ($1 === null) $1 = $2; else for (const error of $2) $1.push(error)',
  );
}

/**
 * Those that JSON Schema (2020-12 validation §7.3) or OpenAPI's format registry defines. What another name promises nobody
 * can know: a service may well mean a path by `url`. Numbers are checked exactly elsewhere.
 */
const DEFINED_FORMATS = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'] as const),
  ...(['uri', 'uri-reference', 'uri-template', 'json-pointer', 'relative-json-pointer'] as const),
  ...(['regex', 'byte'] as const),
];

/** Whether it is defined which texts a format allows. */
export function isDefinedFormat(name: unknown): boolean {
  return (DEFINED_FORMATS as readonly unknown[]).includes(name);
}

/** Ajv identifies expressions by their text. */
function regExpFor(source: string): { test: (text: string) => boolean; toString: () => string } {
  const { test, expression } = compilePattern(source);
  return { test, toString: () => String(expression) };
}

/** Large documents have thousands of schemas of which a run needs few: Ajv generates code at the first call. */
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
    // They hold the value.
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

/** By schema, and by keyword, or the name of a missing member: as Ajv has them. */
const brokenKeywords = oncePer((_: object) => new Map<string, BrokenKeyword>());
const missingMembers = oncePer((_: object) => new Map<string, BrokenKeyword>());

/** The same for each violation of a keyword, and of a missing member. */
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

/** For `required` the item that names the missing member. */
function keywordSpot(schema: Spot, keyword: string, missing: unknown): Spot {
  const spot = rawChild(schema, keyword) ?? schema;
  if (keyword !== 'required' || !Array.isArray(spot.value)) return spot;
  return rawChild(spot, String(spot.value.indexOf(missing))) ?? spot;
}

/** A keyword of a schema that values break. */
class BrokenKeyword {
  readonly keyword: string;
  /** Undefined: it depends on the value. */
  readonly expected: string | undefined;
  /** JSON Pointer of the missing member; empty for any other keyword. */
  readonly member: string;
  readonly schema: Spot;
  readonly #spot: Spot;
  #at: Place | undefined;

  /** Its value in the document. */
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
   * Found when it is asked for: most callers want to know only whether a value fits, and a line of a large file costs
   * more than the whole check.
   */
  get at(): Place {
    this.#at ??= placeOf(this.#spot);
    return this.#at;
  }
}

/** A class, since a getter of its own in each object would cost a refused request a fifth of its time. */
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

/** Keywords of which the text depends on the value, too. */
const OF_VALUE = new Set([
  ...[
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
    'oneOf',
    'anyOf',
    'propertyNames',
    'dependentRequired',
  ],
  'discriminator',
]);

/** Whether the text for a keyword is the same for all values that break it. */
function isOfSchema(keyword: string): boolean {
  return !OF_VALUE.has(keyword);
}

/** What a keyword demands; `params` are those of Ajv. */
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
