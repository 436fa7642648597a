import type { ErrorObject, ValidateFunction } from 'ajv/dist/core.js';
import { isRecord, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { compilePattern } from '../pattern/pattern.ts';
import { REFERENCE, wrapError } from './branch-errors.ts';
import type { Validator } from './discriminated-values.ts';
import { type Ajv, exactName, originalKeyword } from './numeric-keywords.ts';

/** The value of a translated reference's keyword. */
export interface TranslatedReference {
  readonly schema: () => object;
  readonly compile: () => ValidateFunction;
}

type Schema = Readonly<Record<string, unknown>>;

/** The member names or item indices that a schema evaluates. */
type Keys = Set<string>;

const OF_MEMBERS = exactName('unevaluatedProperties');
const OF_ITEMS = exactName('unevaluatedItems');

/**
 * `unevaluatedProperties` and `unevaluatedItems` (JSON Schema 2020-12 core §11). Ajv's own ignore `contains` and an
 * `if` alone, and fail to compile some schemas.
 * @param compile compiles with the keywords of translated schemas
 */
export function addUnevaluatedKeywords(ajv: Ajv, compile: (schema: object) => ValidateFunction): void {
  const checkOf = oncePer(compile);
  /**
   * Caches whether values fit schemas, by value, during one check; otherwise each level would check all levels below it
   * again.
   */
  let results: Map<unknown, Map<object, boolean>> | undefined;

  function fits(schema: unknown, value: unknown): boolean {
    if (!isRecord(schema)) return schema !== false;
    const ofValue = results?.get(value) ?? new Map<object, boolean>();
    results?.set(value, ofValue);
    const valid = ofValue.get(schema) ?? run(schema, value);
    ofValue.set(schema, valid);
    return valid;
  }

  function run(schema: object, value: unknown): boolean {
    const check = checkOf(schema);
    const valid = check(value);
    // The errors would keep the value in memory.
    check.errors = null;
    return valid as boolean;
  }

  /** Collects the keys that a schema evaluates in a value that fits it. */
  function collect(schema: unknown, value: object, keys: Keys): void {
    if (!isRecord(schema)) return;
    for (const key of Object.keys(value)) if (!keys.has(key) && evaluates(schema, value, key)) keys.add(key);
    for (const branch of branchesOf(schema, value)) collect(branch, value, keys);
  }

  /** Whether keywords for members or items evaluate a key. */
  function evaluates(schema: Schema, value: object, key: string): boolean {
    const { properties = {}, patternProperties = {}, prefixItems = [], contains } = schema;
    if (Array.isArray(value)) {
      if ('items' in schema || OF_ITEMS in schema) return true;
      if (Number(key) < (prefixItems as unknown[]).length) return true;
      return contains !== undefined && fits(contains, value[Number(key)]);
    }
    if ('additionalProperties' in schema || OF_MEMBERS in schema) return true;
    if (Object.hasOwn(properties as object, key)) return true;
    return Object.keys(patternProperties as object).some((pattern) => compilePattern(pattern).test(key));
  }

  /** The schemas that apply to the same value, and that it fits. */
  function branchesOf(schema: Schema, value: object): unknown[] {
    const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema as Record<string, unknown[]>;
    const choices = [...(anyOf as unknown[]), ...(oneOf as unknown[])].filter((branch) =>
      fits(branch, value),
    );
    const dependent = Object.entries(dependentSchemas).filter(([name]) => Object.hasOwn(value, name));
    const reference = schema[REFERENCE] as TranslatedReference | undefined;
    return [
      ...(reference ? [reference.schema()] : []),
      ...(allOf as unknown[]),
      ...choices,
      ...(Array.isArray(value) ? [] : dependent.map(([, branch]) => branch)),
      ...conditional(schema, value),
    ];
  }

  function conditional(schema: Schema, value: object): unknown[] {
    if (schema.if === undefined) return [];
    return fits(schema.if, value) ? [schema.if, schema.then] : [schema.else];
  }

  function addKeyword(exactKeyword: string, applies: (value: object) => boolean): void {
    const keyword = originalKeyword(exactKeyword);
    ajv.addKeyword({
      keyword: exactKeyword,
      errors: true,
      compile(rest: unknown, holder: object) {
        const others = Object.fromEntries(Object.entries(holder).filter(([name]) => name !== exactKeyword));

        function errorsOf(
          value: object,
          keys: readonly string[],
          context: Parameters<Validator>[1],
        ): ErrorObject[] {
          const instancePath = context?.instancePath ?? '';
          if (!isRecord(rest))
            return keys.map((key) => {
              const params = { unevaluated: key };
              return {
                keyword,
                instancePath,
                schemaPath: '',
                params,
                schema: rest,
                parentSchema: holder,
                data: value,
              };
            });
          const check = compile(rest);
          return keys.flatMap((key) => {
            const member = (value as Record<string, unknown>)[key];
            const path = instancePath + toPointer([key]);
            const at = { parentData: value, parentDataProperty: key, rootData: value, dynamicAnchors: {} };
            return check(member, { ...at, instancePath: path }) ? [] : (check.errors ?? []);
          });
        }

        const validate: Validator = (value, context) => {
          if (typeof value !== 'object' || value === null || !applies(value)) return true;
          const isOutermost = results === undefined;
          results ??= new Map();
          try {
            const keys: Keys = new Set();
            collect(others, value, keys);
            const left = Object.keys(value).filter((key) => !keys.has(key));
            const errors = errorsOf(value, left, context);
            validate.errors = errors.map((inner) => wrapError(inner, holder));
            return errors.length === 0;
          } finally {
            if (isOutermost) results = undefined;
          }
        };
        return validate;
      },
    });
  }

  addKeyword(OF_MEMBERS, (value) => !Array.isArray(value));
  addKeyword(OF_ITEMS, Array.isArray);
}
