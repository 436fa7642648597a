import type { ErrorObject } from 'ajv';

/** Ajv's keyword for our own references; its errors carry those of the schema that was referred to. */
export const REFERENCE = 'paddock-ref';

/** An error with the schema objects through which it was reached, the innermost first. */
interface Reached {
  readonly error: ErrorObject;
  readonly through: readonly unknown[];
}

/** Keywords that apply schemas as a question: where the answer is no, what those schemas missed is an echo of it. */
const CHOICES = new Set(['oneOf', 'anyOf', 'contains', 'propertyNames']);

/** Ajv's errors as people need them: references unwrapped, and each choice said once. */
export function settleChoices(errors: readonly ErrorObject[]): ErrorObject[] {
  const settled: Reached[] = [];
  for (const reached of errors.map(unwrap)) {
    const { error } = reached;
    if (error.keyword === 'if') continue;
    if (CHOICES.has(error.keyword)) settled.push(...explain(reached, popEchoes(settled, error)));
    else settled.push(reached);
  }
  return settled.map(({ error }) => error);
}

function unwrap(error: ErrorObject): Reached {
  const through: unknown[] = [];
  let inner = error;
  while (inner.keyword === REFERENCE) {
    through.unshift(inner.parentSchema);
    inner = inner.params.inner;
  }
  return { error: inner, through: [inner.parentSchema, ...through] };
}

type Branches = readonly (readonly Reached[])[];

/** The errors of a choice's branches stand directly before its own. Empty: whose they are cannot be told. */
function popEchoes(settled: Reached[], choice: ErrorObject): Branches {
  const trees = ([choice.schema].flat() as unknown[]).map((branch) => objectsOf(branch));
  const branches: Reached[][] = trees.map(() => []);
  // Behind Ajv's own `$ref` the way to an error is lost.
  const refers = trees.some((tree) => [...tree].some((schema) => '$ref' in (schema as object)));
  const own = refers ? objectsOf(choice.parentSchema) : undefined;
  for (let last = settled.at(-1); last; last = settled.at(-1)) {
    const { through, error } = last;
    const branch = trees.findIndex((tree) => through.some((schema) => tree.has(schema)));
    const isForeign = own !== undefined && !through.some((schema) => own.has(schema));
    if ((branch < 0 && !isForeign) || !isWithin(error.instancePath, choice.instancePath)) break;
    branches[branch]?.unshift(last);
    settled.pop();
  }
  return refers ? [] : branches;
}

/** All schema objects that are written in a schema itself, references not followed. */
function objectsOf(schema: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof schema !== 'object' || schema === null || found.has(schema)) return found;
  found.add(schema);
  for (const member of Object.values(schema)) objectsOf(member, found);
  return found;
}

export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** Where it is plain which branch was meant, what that one misses says more than that none fits. */
function explain(choice: Reached, branches: Branches): Reached[] {
  const { keyword, params, instancePath } = choice.error;
  if ((keyword !== 'oneOf' && keyword !== 'anyOf') || params.passingSchemas || branches.length === 0)
    return [choice];
  const missesType = ({ error }: Reached) =>
    error.instancePath === instancePath && /^(?:exact-)?(?:type|const|enum)$/.test(error.keyword);
  const meant = branches.filter((branch) => branch.length > 0 && !branch.some(missesType));
  const tagged = meant.length > 1 ? meant.filter((branch) => !branch.some(missesTag)) : meant;
  if (tagged.length === 1) return [...(tagged[0] as Reached[])];
  const types = branches.map((branch) => branch.find(missesType)?.error).map(typesDemanded);
  if (meant.length > 0 || types.includes(undefined)) return [choice];
  return [{ ...choice, error: { ...choice.error, params: { types: types.flat() } } }];
}

function typesDemanded(error: ErrorObject | undefined): unknown {
  return error && /^(?:exact-)?type$/.test(error.keyword) ? error.schema : undefined;
}

/** A member with one possible value tells the branches of a choice apart. */
function missesTag({ error }: Reached): boolean {
  return /^(?:exact-)?(?:const|enum)$/.test(error.keyword);
}
