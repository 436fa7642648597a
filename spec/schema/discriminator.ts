import { type Document, isReference, rawChild, rawChildren, type Spot } from '../document/spot.ts';
import { isRecord, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';

/** How a Discriminator Object (OpenAPI 3.1 §4.8.25) names one branch of `oneOf` or `anyOf`. */
interface BranchName {
  readonly property: string;
  /** The values of the property that name the branch. */
  readonly values: readonly string[];
  readonly spot: Spot;
}

/**
 * The values that name a branch: those that `mapping` maps to it, else the name of the referenced component. Undefined:
 * the schema has no discriminator, or the branch is inline and has no name.
 */
export function discriminatorValues(schema: Spot, branch: Spot): BranchName | undefined {
  const spot = rawChild(schema, 'discriminator');
  if (!spot || !isRecord(spot.value) || !isReference(branch.value)) return undefined;
  const { propertyName: property, mapping } = spot.value;
  if (typeof property !== 'string' || isFallback(spot, branch)) return undefined;
  const key = targetKey(branch, branch.value.$ref);
  const mapped = Object.entries(isRecord(mapping) ? mapping : {}).filter(
    ([, target]) => targetKey(spot, String(target)) === key,
  );
  const name = componentName(key);
  const values = mapped.length > 0 ? mapped.map(([value]) => value) : name === undefined ? [] : [name];
  return values.length > 0 ? { property, values, spot } : undefined;
}

/** A mapping may contain a component's name instead of a reference. */
function absolute(target: string): string {
  return /^[A-Za-z0-9._-]+$/.test(target) && !/\.(?:ya?ml|json)$/i.test(target)
    ? `#/components/schemas/${target}`
    : target.replace(/^\.\//, '');
}

/** The same key for all references to a component, which may have an `$id`. */
function targetKey(from: Spot, ref: string): string {
  const text = absolute(ref);
  if (componentName(text) !== undefined) return text;
  const target = from.document.resolve({ ...from, value: { $ref: ref } });
  return target?.file === from.document.root.file ? `#${toPointer(target.path)}` : text;
}

function componentName(ref: string): string | undefined {
  return /#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];
}

/** A schema with the values of the discriminator's property that name it. */
interface NamedSchema {
  readonly values: readonly string[];
  /** The Schema Object, as in `oneOf` or `anyOf`, or that of the component. */
  readonly branch: Spot;
}

/** The schemas that a discriminator chooses from. */
export interface Discriminator {
  readonly property: string;
  readonly named: readonly NamedSchema[];
  /** Whether they are all possible schemas of a value, so that any other name is invalid. */
  readonly complete: boolean;
  /** The schema of values without such a name (`defaultMapping`, OpenAPI 3.2 §4.25). Undefined: the document has none. */
  readonly fallback: Spot | undefined;
}

/** Whether a branch is the one for values without a name, and has no name mapped to it. */
function isFallback(discriminator: Spot, branch: Spot): boolean {
  const { defaultMapping, mapping } = discriminator.value as Record<string, unknown>;
  if (typeof defaultMapping !== 'string' || !isReference(branch.value)) return false;
  const target = targetKey(branch, branch.value.$ref);
  const keyOf = (one: unknown) => targetKey(discriminator, String(one));
  const mapped = Object.values(isRecord(mapping) ? mapping : {});
  return keyOf(defaultMapping) === target && !mapped.some((one) => keyOf(one) === target);
}

function fallbackOf(discriminator: Spot, branches: readonly Spot[]): Spot | undefined {
  const { defaultMapping } = discriminator.value as Record<string, unknown>;
  if (typeof defaultMapping !== 'string') return undefined;
  const target = targetKey(discriminator, defaultMapping);
  const { spots } = componentsOf(discriminator.document);
  const branch = branches.find(
    (spot) => isReference(spot.value) && targetKey(spot, spot.value.$ref) === target,
  );
  return branch ?? spots.get(componentName(target) ?? '');
}

/**
 * The discriminator of a Schema Object: among its `oneOf` or `anyOf`, or without them among the components that have it
 * in their `allOf` (OpenAPI 3.1 §4.8.25). Undefined if it has none, or one that names no schema.
 */
export function discriminatorOf(schema: Spot): Discriminator | undefined {
  const spot = rawChild(schema, 'discriminator');
  if (!spot || !isRecord(spot.value) || typeof spot.value.propertyName !== 'string') return undefined;
  const property = spot.value.propertyName;
  const choice = rawChild(schema, 'oneOf') ?? rawChild(schema, 'anyOf');
  const branches = choice ? rawChildren(choice).map(([, branch]) => branch) : [];
  const named = choice
    ? branches.flatMap((branch): NamedSchema[] => {
        const { values = [] } = discriminatorValues(schema, branch) ?? {};
        return values.length > 0 ? [{ values, branch }] : [];
      })
    : heirsOf(schema, spot);
  const fallback = fallbackOf(spot, branches);
  if (named.length === 0 && !fallback) return undefined;
  const complete = choice ? named.length === branches.length : isRecord(spot.value.mapping);
  return { property, named, complete: complete && !fallback, fallback };
}

/** The schemas that a discriminator refers to. */
export function branchesOf(discriminator: Discriminator | undefined): readonly Spot[] {
  const { named = [], fallback } = discriminator ?? {};
  return [...named.map(({ branch }) => branch), ...(fallback ? [fallback] : [])];
}

/** The components that extend a schema by `allOf` at any depth, by the values that name them. */
function heirsOf(schema: Spot, discriminator: Spot): readonly NamedSchema[] {
  const { named, spots, nameOf, heirs } = componentsOf(schema.document);
  const cachedHeirs = named.get(schema.value);
  if (cachedHeirs) return cachedHeirs;
  const ownName = nameOf.get(schema.value);
  const names = new Set(ownName === undefined ? [] : [ownName]);
  // Iterating over a set includes items added meanwhile.
  for (const name of names) for (const heir of heirs.get(name) ?? []) names.add(heir);
  const { mapping } = discriminator.value as { mapping?: unknown };
  const mapped = Map.groupBy(Object.entries(isRecord(mapping) ? mapping : {}), ([, target]) =>
    componentName(targetKey(discriminator, String(target))),
  );
  const schemas = [...names].map((name): NamedSchema => {
    const values = mapped.get(name)?.map(([value]) => value) ?? [name];
    return { values, branch: spots.get(name) as Spot };
  });
  named.set(schema.value, schemas);
  return schemas;
}

/** The schemas among the components of a document. */
interface Components {
  readonly spots: ReadonlyMap<string, Spot>;
  readonly nameOf: ReadonlyMap<unknown, string>;
  /** By the name of a component, the names of those that have it in their `allOf`. */
  readonly heirs: ReadonlyMap<string, readonly string[]>;
  /** A cache by the schema with the discriminator. */
  readonly named: Map<unknown, readonly NamedSchema[]>;
}

const componentsOf = oncePer((document: Document): Components => {
  const all = rawChild(document.root, 'components');
  const schemas = rawChildren(all && rawChild(all, 'schemas'));
  const heirs = new Map<string, string[]>();
  for (const [name, component] of schemas)
    for (const [, parentSpot] of rawChildren(rawChild(component, 'allOf'))) {
      const { value } = parentSpot;
      const parent = isReference(value) ? componentName(targetKey(parentSpot, value.$ref)) : undefined;
      if (parent !== undefined) heirs.set(parent, [...(heirs.get(parent) ?? []), name]);
    }
  const nameOf = new Map(schemas.map(([name, { value }]) => [value, name]));
  return { spots: new Map(schemas), nameOf, heirs, named: new Map() };
});
