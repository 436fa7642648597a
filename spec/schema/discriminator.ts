import { isReference, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-type.ts';

/** What a Discriminator Object (OpenAPI 3.1 §4.8.25) says of one branch of `oneOf` or `anyOf`. */
export interface BranchName {
  readonly property: string;
  /** The values of the property that name the branch. */
  readonly values: readonly string[];
  readonly spot: Spot;
}

/**
 * The values that name a branch: those that `mapping` maps to it, else the name of the component that it refers to.
 * Undefined: the schema has no discriminator, or the branch is written in place and has no name.
 */
export function discriminatorValues(schema: Spot, branch: Spot): BranchName | undefined {
  const spot = rawChild(schema, 'discriminator');
  if (!spot || !isRecord(spot.value) || !isReference(branch.value)) return undefined;
  const { propertyName: property, mapping } = spot.value;
  if (typeof property !== 'string') return undefined;
  const { $ref } = branch.value;
  const mapped = Object.entries(isRecord(mapping) ? mapping : {}).filter(
    ([, target]) => absolute(String(target)) === absolute($ref),
  );
  const name = componentName($ref);
  const values = mapped.length > 0 ? mapped.map(([value]) => value) : name === undefined ? [] : [name];
  return values.length > 0 ? { property, values, spot } : undefined;
}

/** A mapping may give the name of a component instead of a reference. */
function absolute(target: string): string {
  return /^[A-Za-z0-9._-]+$/.test(target) && !/\.(?:ya?ml|json)$/i.test(target)
    ? `#/components/schemas/${target}`
    : target.replace(/^\.\//, '');
}

function componentName(ref: string): string | undefined {
  return /#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];
}
