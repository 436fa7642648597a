import type { ErrorObject } from 'ajv';
import { isWithin } from '../json/json-value.ts';

/** The Ajv keyword for this project's discriminators: Ajv's own supports neither `mapping` nor `allOf`. */
export const DISCRIMINATOR = 'paddock-discriminator';

/** The Ajv keyword for this project's references; its errors wrap those of the referenced schema. */
export const REFERENCE = 'paddock-ref';

/** Ajv overwrites schema and data in the errors of a keyword, so the original errors are wrapped. */
export function wrapError(inner: ErrorObject, holder: object): Partial<ErrorObject> {
  return new WrappedError(inner, holder) as unknown as Partial<ErrorObject>;
}

/** Has all properties that Ajv will set, so that the object need not grow. */
class WrappedError {
  readonly keyword = REFERENCE;
  readonly params: { readonly inner: ErrorObject };
  readonly parentSchema: object;
  readonly instancePath = undefined;
  readonly schemaPath = undefined;
  readonly schema = undefined;
  readonly data = undefined;

  constructor(inner: ErrorObject, holder: object) {
    this.params = { inner };
    this.parentSchema = holder;
  }
}

/** An error with the Schema Objects that led to it, the innermost first. */
interface TracedError {
  readonly error: ErrorObject;
  readonly schemas: readonly unknown[];
  /** The errors that wrapped it. */
  readonly wraps: readonly ErrorObject[];
}

/** Keywords whose failed subschemas report errors of their own before that of the keyword. */
const BRANCHING = new Set(['oneOf', 'anyOf', 'contains', 'propertyNames']);

/** Ajv's errors with references unwrapped, and a single error for each keyword with branches. */
export function condenseErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const inner = errors.map(innermost);
  if (!inner.some(({ keyword }) => keyword === 'if' || BRANCHING.has(keyword))) return distinct(inner);
  const condensed: TracedError[] = [];
  for (const traced of errors.map(trace)) {
    const { keyword } = traced.error;
    if (BRANCHING.has(keyword)) condensed.push(...explain(traced, popBranches(condensed, traced.error)));
    else if (keyword !== 'if') condensed.push(traced);
  }
  return distinct(withoutNamed(condensed).map(({ error }) => error));
}

/** Drops "no branch fits" where the error of the discriminator is more precise. */
function withoutNamed(errors: readonly TracedError[]): readonly TracedError[] {
  const named = new Map<unknown, Set<string>>();
  for (const { parentSchema, instancePath } of errors.flatMap(({ wraps }) => wraps))
    if (DISCRIMINATOR in (parentSchema ?? {}))
      named.set(parentSchema, (named.get(parentSchema) ?? new Set()).add(instancePath));
  return errors.filter(({ error: { keyword, params, parentSchema, instancePath } }) => {
    const isChoice = keyword === 'oneOf' || keyword === 'anyOf';
    return !isChoice || params.passingSchemas || !named.get(parentSchema)?.has(instancePath);
  });
}

/** Drops errors that another schema reports for the same value. */
function distinct(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  if (errors.length < 2) return errors;
  // Parameters are only serialised if keyword and place are equal, since they may contain the value at any depth.
  const seen = new Map<string, ErrorObject | Set<string>>();
  return errors.filter((error) => {
    const place = `${error.keyword} ${error.instancePath}`;
    const earlier = seen.get(place);
    if (earlier === undefined) {
      seen.set(place, error);
      return true;
    }
    const params = earlier instanceof Set ? earlier : new Set([paramsOf(earlier)]);
    seen.set(place, params);
    return params.size < params.add(paramsOf(error)).size;
  });
}

function paramsOf({ params }: ErrorObject): string {
  return JSON.stringify(params, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function innermost(error: ErrorObject): ErrorObject {
  let inner = error;
  while (inner.keyword === REFERENCE) inner = inner.params.inner;
  return inner;
}

function trace(error: ErrorObject): TracedError {
  const wraps: ErrorObject[] = [];
  let inner = error;
  while (inner.keyword === REFERENCE) {
    wraps.unshift(inner);
    inner = inner.params.inner;
  }
  return { error: inner, schemas: [inner, ...wraps].map(({ parentSchema }) => parentSchema), wraps };
}

type Branches = readonly (readonly TracedError[])[];

/** Removes and returns the errors of the branches, which precede that of the keyword. Empty if they cannot be attributed. */
function popBranches(errors: TracedError[], choice: ErrorObject): Branches {
  const trees = ([choice.schema].flat() as unknown[]).map((branch) => objectsIn(branch));
  const branches: TracedError[][] = trees.map(() => []);
  // Errors behind Ajv's own `$ref` do not tell which branch led to them.
  const refers = trees.some((tree) => [...tree].some((schema) => '$ref' in (schema as object)));
  const parentTree = refers ? objectsIn(choice.parentSchema) : undefined;
  for (let last = errors.at(-1); last; last = errors.at(-1)) {
    const { schemas, error } = last;
    const branch = trees.findIndex((tree) => schemas.some((schema) => tree.has(schema)));
    const isForeign = parentTree !== undefined && !schemas.some((schema) => parentTree.has(schema));
    if ((branch < 0 && !isForeign) || !isWithin(error.instancePath, choice.instancePath)) break;
    branches[branch]?.unshift(last);
    errors.pop();
  }
  return refers ? [] : branches;
}

/** All objects in a schema, without following references. */
function objectsIn(schema: unknown, objects = new Set<unknown>()): Set<unknown> {
  if (typeof schema !== 'object' || schema === null || objects.has(schema)) return objects;
  objects.add(schema);
  for (const member of Object.values(schema)) objectsIn(member, objects);
  return objects;
}

/** Instead of "none fits", the errors of the single branch that was evidently meant, by type or by tag. */
function explain(choice: TracedError, branches: Branches): readonly TracedError[] {
  const { keyword, params, instancePath } = choice.error;
  if ((keyword !== 'oneOf' && keyword !== 'anyOf') || params.passingSchemas || branches.length === 0)
    return [choice];
  const failsType = ({ error }: TracedError) =>
    error.instancePath === instancePath && (isTypeError(error) || isValueError(error));
  const meant = branches.filter((branch) => branch.length > 0 && !branch.some(failsType));
  // A member with one possible value (a discriminator) tells the branches apart.
  const tagged = meant.filter((branch) => !branch.some(({ error }) => isValueError(error)));
  const [only, ...more] = meant.length > 1 ? tagged : meant;
  if (only && more.every((other) => saysSame(only, other))) return only;
  const failures = branches.map((branch) => branch.find(failsType)?.error);
  const types = failures.map((error) => (error && isTypeError(error) ? error.schema : undefined));
  if (meant.length > 0 || types.includes(undefined)) return [choice];
  return [{ ...choice, error: { ...choice.error, params: { types: [...new Set(types.flat())] } } }];
}

/** Whether two branches have the same errors. */
function saysSame(one: readonly TracedError[], other: readonly TracedError[]): boolean {
  const describe = (branch: readonly TracedError[]) =>
    branch.map(({ error }) => `${error.keyword} ${error.instancePath} ${paramsOf(error)}`).join();
  return describe(one) === describe(other);
}

function isTypeError({ keyword }: ErrorObject): boolean {
  return /^(?:exact-)?type$/.test(keyword);
}

function isValueError({ keyword }: ErrorObject): boolean {
  return /^(?:exact-)?(?:const|enum)$/.test(keyword);
}
