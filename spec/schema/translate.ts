import type { ValidateFunction } from 'ajv/dist/core.js';
import {
  type Document,
  isReference,
  isVersion30,
  rawChild,
  rawChildren,
  type Spot,
  siblingsIgnored,
} from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { once, oncePer } from '../json/once-per.ts';
import { DISCRIMINATOR, REFERENCE, wrapError } from './branch-errors.ts';
import { isClosedTogether, isExtended } from './closing.ts';
import { addDiscriminatorKeyword, type Choice, type Validator } from './discriminated-values.ts';
import { discriminatorOf } from './discriminator.ts';
import { ASSERTIONS, SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_MEMBERS, walkSchemas } from './keywords.ts';
import { type Ajv, useExactKeywords } from './numeric-keywords.ts';
import { Shape } from './shape.ts';
import { addUnevaluatedKeywords, type TranslatedReference } from './unevaluated.ts';

/** `readOnly` properties apply to responses only, `writeOnly` ones to requests only (OpenAPI 3.0.3 §4.7.24). */
export type Direction = 'request' | 'response';

/** Translates Schema Objects of OpenAPI 3.0 and 3.1 for Ajv. */
export interface Translator {
  translate(schema: Spot, direction: Direction): object;
  compile(schema: Spot, direction: Direction): ValidateFunction;
  /** The number of compiled schemas, including referenced ones. */
  readonly compiled: number;
  /** The document's Schema Object for a translated schema. */
  originOf(translated: unknown): Spot | undefined;
}

/** How the schemas that contain a schema affect its members. */
interface Hidden {
  /** Names of properties that do not apply in this direction: they are not required, and any value is valid. */
  readonly names: ReadonlySet<string>;
  /** The whole schema is closed, instead of each of its parts. */
  readonly isOpen: boolean;
}

const NONE: Hidden = { names: new Set(), isOpen: false };

export function createTranslator(ajv: Ajv): Translator {
  const origins = new WeakMap<object, Spot>();
  const targets = new Map<string, Map<unknown, () => object>>();
  let compiled = 0;
  addReferenceKeyword(ajv);
  addDiscriminatorKeyword(ajv);
  addUnevaluatedKeywords(ajv, compile);

  function compile(schema: object): ValidateFunction {
    compiled += 1;
    return ajv.compile(schema);
  }

  function targetOf(spot: Spot, direction: Direction, hidden: Hidden): () => object {
    const variant = `${direction} ${hidden.isOpen} ${[...hidden.names].join(' ')}`;
    const byValue = targets.get(variant) ?? new Map<unknown, () => object>();
    targets.set(variant, byValue);
    const target = byValue.get(spot.value) ?? once(() => translate(spot, direction, hidden));
    byValue.set(spot.value, target);
    return target;
  }

  function refer(schema: Record<string, unknown>, spot: Spot, direction: Direction, hidden: Hidden): void {
    const target = spot.document.resolve(spot);
    if (!target) return;
    const translated = targetOf(target, direction, hidden);
    const reference: TranslatedReference = { schema: translated, compile: once(() => compile(translated())) };
    schema[REFERENCE] = reference;
  }

  function translate(spot: Spot, direction: Direction, inherited: Hidden = NONE): object {
    const isWhole = !inherited.isOpen && isRecord(spot.value) && isClosedTogether(Shape.of([spot]).parts);
    const hidden: Hidden = isRecord(spot.value)
      ? {
          names: new Set([...inherited.names, ...hiddenMembers(spot, direction)]),
          isOpen: inherited.isOpen || isWhole,
        }
      : NONE;
    const isOpen = hidden.isOpen || (isRecord(spot.value) && isExtended(spot.value));
    const schema: Record<string, unknown> = spot.value === false ? { not: {} } : {};
    origins.set(schema, spot);
    const onlyReference = isReference(spot.value) && siblingsIgnored(spot);
    for (const [keyword, member] of isRecord(spot.value) ? rawChildren(spot) : []) {
      if (keyword === '$ref' && isReference(spot.value)) refer(schema, spot, direction, hidden);
      else if (isOpen && keyword === 'additionalProperties' && member.value === false) continue;
      else if (!onlyReference && ASSERTIONS.has(keyword)) {
        const isChosen = direction === 'request' && keyword === 'oneOf' && isDecided(spot);
        const name = isChosen ? 'anyOf' : soundKeyword(keyword, spot);
        if (name) schema[name] ??= translateKeyword(keyword, member, direction, hidden);
      }
    }
    // The discriminator of a response is checked separately, by a rule of its own.
    const choice = direction === 'request' && !onlyReference ? choiceOf(spot, hidden) : undefined;
    if (choice) schema[DISCRIMINATOR] = choice;
    if (isVersion30(spot)) from30(schema, spot);
    delete schema.nullable;
    if (isWhole && !onlyReference) schema.unevaluatedProperties ??= false;
    if (Array.isArray(schema.required))
      schema.required = schema.required.filter((name) => !hidden.names.has(name));
    useExactKeywords(schema);
    checkProto(schema);
    return schema;
  }

  function choiceOf(spot: Spot, hidden: Hidden): Choice | undefined {
    const discriminator = isRecord(spot.value) ? discriminatorOf(spot) : undefined;
    if (!discriminator || hidden.names.has(discriminator.property)) return undefined;
    const { property, named } = discriminator;
    const checkOf = (branch: Spot) => {
      // The schema itself is validated in any case.
      const schema = targetOf(branch, 'request', hidden);
      return branch.value === spot.value ? undefined : once(() => compile(schema()));
    };
    const checks = new Map(
      named.flatMap(({ values, branch }) => {
        const check = checkOf(branch);
        return isNameOf(branch, property, values) ? values.map((value) => [value, check] as const) : [];
      }),
    );
    const complete =
      discriminator.complete && named.every(({ values, branch }) => isNameOf(branch, property, values));
    const fallback = discriminator.fallback && checkOf(discriminator.fallback);
    return checks.size > 0 || fallback ? { property, checks, complete, fallback } : undefined;
  }

  function translateKeyword(keyword: string, spot: Spot, direction: Direction, hidden: Hidden): unknown {
    // Schemas that apply to the same instance hide the same properties.
    const below = IN_PLACE.has(keyword) ? hidden : NONE;
    if (SCHEMA_MAPS.includes(keyword)) {
      const hides = (name: string) => keyword === 'properties' && hidden.names.has(name);
      return Object.fromEntries(
        rawChildren(spot).map(([name, schema]) => [name, hides(name) || translate(schema, direction, below)]),
      );
    }
    if (SCHEMA_LISTS.includes(keyword))
      return rawChildren(spot).map(([, schema]) => translate(schema, direction, below));
    if (!SCHEMA_MEMBERS.includes(keyword)) return spot.value;
    // Ajv names the additional member only if these keywords are literally `false`.
    return spot.value === false && CLOSING.has(keyword) ? false : translate(spot, direction, below);
  }

  return {
    translate,
    compile: (schema, direction) => compile(translate(schema, direction)),
    get compiled() {
      return compiled;
    },
    originOf: (translated) => origins.get(translated as object),
  };
}

/** Without `not` and `if`, which test the whole instance, including hidden properties. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

const CLOSING = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

function hiddenMembers(spot: Spot, direction: Direction): string[] {
  return [...Shape.of([spot]).properties]
    .filter(([, property]) => (direction === 'request' ? property.readOnly : property.writeOnly))
    .map(([name]) => name);
}

/** Some documents enumerate values that differ from the names of their discriminator; the enumeration then counts. */
function isNameOf(branch: Spot, property: string, values: readonly string[]): boolean {
  const memberValues = new Shape([branch]).properties.get(property)?.values;
  return !memberValues || values.some((value) => memberValues.includes(value));
}

/**
 * The keyword to validate instead of this one; undefined for none. Ignoring a malformed keyword makes a schema accept
 * more than its author meant. Keywords that reject an instance because a subschema accepts it would then reject too
 * much, so `oneOf` is read as `anyOf`, and the others are omitted.
 */
function soundKeyword(keyword: string, schema: Spot): string | undefined {
  // The discriminator decides on the branch of a value (OpenAPI 3.1 §4.8.25), and that branch is checked separately.
  if (keyword === 'oneOf' && isRecord(schema.value) && discriminatorOf(schema)?.complete) return 'anyOf';
  if (schema.document.rebuilt.size === 0) return keyword;
  switch (keyword) {
    case 'oneOf':
      return rawChildren(rawChild(schema, keyword)).some(([, branch]) => isLoosened(branch))
        ? 'anyOf'
        : keyword;
    case 'not':
    case 'if':
      return isLoosened(rawChild(schema, keyword)) ? undefined : keyword;
    case 'maxContains':
      return isLoosened(rawChild(schema, 'contains')) ? undefined : keyword;
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
      return isLoosened(schema) ? undefined : keyword;
    default:
      return keyword;
  }
}

/** Whether a discriminator decides which of all branches a client means, even if the value also fits others. */
function isDecided(schema: Spot): boolean {
  const { complete, named = [], property = '' } = discriminatorOf(schema) ?? {};
  return complete === true && named.every(({ branch, values }) => isNameOf(branch, property, values));
}

/** Whether a part of a schema, or of a referenced one, was ignored. */
const isLoosened = (schema: Spot | undefined): boolean =>
  isRecord(schema?.value) && loosenedIn(schema.document)(schema.value, schema);

const loosenedIn = oncePer(({ rebuilt }: Document) =>
  oncePer((_: object, schema: Spot) => {
    let hasRebuilt = false;
    walkSchemas(schema, (part) => {
      if (rebuilt.has(part.value)) hasRebuilt = true;
    });
    return hasRebuilt;
  }),
);

/** Ajv skips a property with this name, but not a pattern that matches it. */
function checkProto(schema: Record<string, unknown>): void {
  const { properties, patternProperties } = schema as Record<string, object | undefined>;
  if (!properties || !Object.hasOwn(properties, '__proto__')) return;
  const protoSchema = Object.getOwnPropertyDescriptor(properties, '__proto__')?.value;
  schema.patternProperties = { ...patternProperties, '^(?:__proto__)$': protoSchema };
}

/**
 * OpenAPI 3.0.3 §4.7.24: `nullable` widens the type, `exclusiveMinimum` is a flag beside `minimum`. Up to 3.0.2
 * `nullable` needed no type, so beside a `oneOf` or `anyOf` it allows null as well.
 */
function from30(schema: Record<string, unknown>, spot: Spot): void {
  if (schema.nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  if (schema.nullable === true && schema.type === undefined)
    for (const keyword of ['oneOf', 'anyOf']) {
      const branches = rawChildren(rawChild(spot, keyword));
      const isThere = branches.some(([, branch]) => Shape.of([branch]).nullable);
      if (Array.isArray(schema[keyword]) && !isThere)
        schema[keyword] = [...schema[keyword], { type: 'null' }];
    }
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue;
    if (schema[flag] && schema[bound] !== undefined) {
      schema[flag] = schema[bound];
      delete schema[bound];
    } else delete schema[flag];
  }
}

/**
 * A reference is compiled for the first instance that reaches it: a run needs few of the thousands of schemas in a
 * large document, and a chain of some hundred references would exhaust the stack of Ajv's compiler.
 */
function addReferenceKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: REFERENCE,
    errors: true,
    compile({ compile }: TranslatedReference, holder: object) {
      const validate: Validator = (value, context) => {
        const check = compile();
        if (check(value, context)) return true;
        validate.errors = check.errors?.map((inner) => wrapError(inner, holder)) ?? [];
        // The errors would keep the value in memory.
        check.errors = null;
        return false;
      };
      return validate;
    },
  });
}
