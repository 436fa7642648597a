import { type ErrorObject, Ajv2020 as Validator2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord, isReference, type Place, placeOf, rawChild, type Spot } from '../document/spot.ts';
import { toRegExp } from './keyword-forms.ts';
import { addNumericKeywords, originalKeyword, useNumericTwins } from './numeric-keywords.ts';
import { isVersion30, rawChildren, Shape, siblingsIgnored } from './shape.ts';
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_MEMBERS } from './subschemas.ts';
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

/** OpenAPI lets `readOnly` members count in answers only, `writeOnly` ones in requests only. */
export type Direction = 'request' | 'response';

/** Compiles schemas of one document; each is compiled at its first use and kept. */
export interface Validators {
  compile(schema: Spot, direction: Direction): Validate;
}

export function createValidators(): Validators {
  const ajv = new Validator2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: Object.assign((pattern: string) => toRegExp(pattern), { code: 'toRegExp' }) },
  });
  addFormats.default(ajv);
  addNumericKeywords(ajv);
  const origins = new WeakMap<object, Spot>();
  const translate = createTranslator(ajv, origins);
  const compiled = new Map<unknown, Map<Direction, Validate>>();

  return {
    compile(schema, direction) {
      const forSchema = compiled.get(schema.value) ?? new Map<Direction, Validate>();
      compiled.set(schema.value, forSchema);
      let validate = forSchema.get(direction);
      if (!validate) {
        validate = lazily(() => ajv.compile(translate(schema, direction) as object), origins, schema);
        forSchema.set(direction, validate);
      }
      return validate;
    },
  };
}

/** Large documents have thousands of schemas of which a run needs few: Ajv generates code at the first call. */
function lazily(
  compile: () => { (value: unknown): unknown; errors?: ErrorObject[] | null },
  origins: WeakMap<object, Spot>,
  root: Spot,
): Validate {
  let check: ReturnType<typeof compile> | undefined;
  return (value) => {
    check ??= compile();
    if (check(value)) return [];
    return withoutEchoes(check.errors ?? []).map((error) => toViolation(error, origins, root));
  };
}

/** Where no branch of a choice fits, the choice itself is the violation; what each branch missed is an echo of it. */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  return errors.filter(
    (error) =>
      !choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`)) &&
      error.keyword !== 'if',
  );
}

function toViolation(error: ErrorObject, origins: WeakMap<object, Spot>, root: Spot): Violation {
  const keyword = originalKeyword(error.keyword);
  const schema = (error.parentSchema && origins.get(error.parentSchema)) ?? root;
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

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Turns Schema Objects of OpenAPI 3.0 and 3.1 into what Ajv compiles, and remembers where each came from. */
function createTranslator(ajv: Validator2020, origins: WeakMap<object, Spot>) {
  const referenced = new Map<string, Map<unknown, string>>();

  /** References become references between registered schemas, so that recursive schemas work. */
  function reference(target: Spot, direction: Direction, hidden: ReadonlySet<string>): string {
    const variant = `${direction} ${[...hidden].join(' ')}`;
    const ids = referenced.get(variant) ?? new Map<unknown, string>();
    referenced.set(variant, ids);
    const known = ids.get(target.value);
    if (known) return known;
    const id = `paddock:${referenced.size}-${ids.size}`;
    ids.set(target.value, id);
    ajv.addSchema(translate(target, direction, hidden) as object, id);
    return id;
  }

  function translate(spot: Spot, direction: Direction, inherited: ReadonlySet<string> = new Set()): unknown {
    if (!isRecord(spot.value)) return spot.value;
    const hidden = new Set([...inherited, ...hiddenMembers(spot, direction)]);
    const schema: Record<string, unknown> = {};
    origins.set(schema, spot);
    const onlyReference = isReference(spot.value) && siblingsIgnored(spot);
    for (const [keyword, member] of rawChildren(spot)) {
      if (keyword === '$ref') {
        const target = spot.document.resolve(spot);
        if (target) schema.$ref = reference(target, direction, hidden);
      } else if (!onlyReference && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-')) {
        schema[keyword] = translateKeyword(keyword, member, direction, hidden);
      }
    }
    if (isVersion30(spot)) adopt30(schema);
    if (Array.isArray(schema.required)) schema.required = schema.required.filter((name) => !hidden.has(name));
    useNumericTwins(schema);
    return schema;
  }

  function translateKeyword(
    keyword: string,
    spot: Spot,
    direction: Direction,
    hidden: ReadonlySet<string>,
  ): unknown {
    if (keyword === 'properties') {
      const members = rawChildren(spot).map(([name, schema]) => [
        name,
        hidden.has(name) || translate(schema, direction),
      ]);
      return Object.fromEntries(members);
    }
    if (SCHEMA_MAPS.includes(keyword)) {
      return Object.fromEntries(
        rawChildren(spot).map(([name, schema]) => [name, translate(schema, direction)]),
      );
    }
    if (SCHEMA_LISTS.includes(keyword)) {
      return rawChildren(spot).map(([, schema]) => translate(schema, direction, hidden));
    }
    return SCHEMA_MEMBERS.includes(keyword) ? translate(spot, direction) : spot.value;
  }

  return translate;
}

/** Keywords without a say in what is valid; `$id` and anchors too, since references are resolved by us. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['xml', 'externalDocs', 'discriminator', '$id', '$schema', '$anchor', '$comment'],
]);

/** Members that do not count in this direction: they are not required, and their value is not judged. */
function hiddenMembers(spot: Spot, direction: Direction): string[] {
  return [...new Shape([spot]).properties]
    .filter(([, property]) => (direction === 'request' ? property.readOnly : property.writeOnly))
    .map(([name]) => name);
}

/** OpenAPI 3.0.3 §4.7.24: `nullable` widens the type, `exclusiveMinimum` is a flag beside `minimum`. */
function adopt30(schema: Record<string, unknown>): void {
  if (schema.nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  delete schema.nullable;
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
