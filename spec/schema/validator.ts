import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { type Place, placeOf, rawChild, type Spot } from '../document/spot.ts';
import { compilePattern } from '../pattern/pattern.ts';
import { settleChoices } from './choices.ts';
import { addNumericKeywords, originalKeyword } from './numeric-keywords.ts';
import { createTranslator, type Direction, type Translator } from './translate.ts';
import { describe } from './wording.ts';

/** One way in which a value breaks a schema. */
export interface Violation {
  /** JSON Pointer (RFC 6901) of the value within what was checked; empty for the whole. */
  readonly pointer: string;
  readonly keyword: string;
  /** What the document demands, e.g. `must be one of "a", "b"`. */
  readonly expected: string;
  readonly received: unknown;
  /** The line of the broken keyword. */
  readonly at: Place;
}

/** All violations of a value; none: it is valid. */
export type Validate = (value: unknown) => Violation[];

/** Compiles schemas of one document; each is compiled at its first use and kept. */
export interface Validators {
  compile(schema: Spot, direction: Direction): Validate;
}

export function createValidators(): Validators {
  let engine: Engine | undefined;
  const compiled = new Map<unknown, Map<Direction, Validate>>();

  return {
    compile(schema, direction) {
      const forSchema = compiled.get(schema.value) ?? new Map<Direction, Validate>();
      compiled.set(schema.value, forSchema);
      let validate = forSchema.get(direction);
      if (!validate) {
        validate = lazily(() => (engine ??= createEngine()), schema, direction);
        forSchema.set(direction, validate);
      }
      return validate;
    },
  };
}

interface Engine {
  readonly ajv: Ajv2020;
  readonly translator: Translator;
}

/** Ajv is loaded for the first value to check, not before: a server can listen, and answer, without it. */
function createEngine(): Engine {
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    // Without it a record has every member that JavaScript's prototypes have: `toString`, `constructor`.
    ownProperties: true,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: Object.assign(regExpFor, { code: 'regExpFor' }) },
  });
  addFormats.default(ajv);
  // The expression that comes with the library takes half a minute for some texts of 100,000 characters.
  ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text));
  addNumericKeywords(ajv);
  return { ajv, translator: createTranslator(ajv) };
}

/** Ajv takes two expressions for one when their texts are the same. */
function regExpFor(source: string): { test: (text: string) => boolean; toString: () => string } {
  const { test, expression } = compilePattern(source);
  return { test, toString: () => String(expression) };
}

/** Large documents have thousands of schemas of which a run needs few: Ajv generates code at the first call. */
function lazily(engineOf: () => Engine, schema: Spot, direction: Direction): Validate {
  let check: ReturnType<typeof compile> | undefined;
  return (value) => {
    check ??= compile(engineOf(), schema, direction);
    if (check(value)) return [];
    const { translator } = engineOf();
    return settleChoices(check.errors ?? []).map((error) => toViolation(error, translator, schema));
  };
}

function compile({ ajv, translator }: Engine, schema: Spot, direction: Direction) {
  return ajv.compile(translator.translate(schema, direction));
}

function toViolation(error: ErrorObject, { originOf }: Translator, root: Spot): Violation {
  const schema = originOf(error.parentSchema) ?? root;
  // `false` as a schema is compiled as `not: {}`, which has a place in the document.
  const keyword = schema.value === false ? 'false' : originalKeyword(error.keyword);
  const missing = keyword === 'required' ? `/${escapePointer(error.params.missingProperty)}` : '';
  return {
    pointer: error.instancePath + missing,
    keyword,
    expected: describe(keyword, error.schema, error.params),
    received: missing ? undefined : error.data,
    at: placeOf(keywordSpot(schema, keyword, error.params.missingProperty)),
  };
}

/** The line of the keyword; of a missing member the line that names it. */
function keywordSpot(schema: Spot, keyword: string, missing: unknown): Spot {
  const spot = rawChild(schema, keyword) ?? schema;
  if (keyword !== 'required' || !Array.isArray(spot.value)) return spot;
  return rawChild(spot, String(spot.value.indexOf(missing))) ?? spot;
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
