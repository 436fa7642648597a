import { isRecord, rawChild, Shape, type Spot } from '#spec';

/** What schemas of one value say of its members, in all of their branches. */
export interface Members {
  /** The schemas of each named member. */
  readonly named: ReadonlyMap<string, readonly Spot[]>;
  /** The schemas of all other members and items. */
  readonly others: readonly Spot[];
  /** Members that are not named are documented, too. */
  readonly isOpen: boolean;
}

const BRANCHES = ['oneOf', 'anyOf', 'allOf'];
const CONDITIONS = ['if', 'then', 'else', 'not'];
/** What they allow is documented; that they are absent documents nothing. */
const OPEN = new Set(['additionalProperties', 'unevaluatedProperties']);
const OTHERS = ['additionalProperties', 'items', 'unevaluatedProperties', 'unevaluatedItems', 'contains'];

/** Asked of each value that is tried, and the same for all of them. */
const KNOWN = new WeakMap<readonly Spot[], Members>();

/** @param schemas of the same value; what is said of a list is kept as long as the list */
export function membersOf(schemas: readonly Spot[]): Members {
  const known = KNOWN.get(schemas) ?? readMembers(schemas);
  KNOWN.set(schemas, known);
  return known;
}

function readMembers(schemas: readonly Spot[]): Members {
  const named = new Map<string, Spot[]>();
  const others: Spot[] = [];
  const seen = new Set<unknown>();
  let isOpen = false;

  function visit(schema: Spot): void {
    for (const part of new Shape([schema]).parts) {
      if (seen.has(part.value) || !isRecord(part.value)) continue;
      seen.add(part.value);
      for (const [name, spot] of childrenOf(rawChild(part, 'properties')))
        named.set(name, [...(named.get(name) ?? []), spot]);
      for (const keyword of OTHERS) {
        const other = rawChild(part, keyword);
        if (isRecord(other?.value)) others.push(other);
        if (OPEN.has(keyword) && (other?.value === true || isRecord(other?.value))) isOpen = true;
      }
      for (const [, spot] of childrenOf(rawChild(part, 'prefixItems'))) others.push(spot);
      for (const [, spot] of childrenOf(rawChild(part, 'patternProperties'))) others.push(spot);
      if (rawChild(part, 'patternProperties') || rawChild(part, 'propertyNames')) isOpen = true;
      for (const keyword of BRANCHES) for (const [, spot] of childrenOf(rawChild(part, keyword))) visit(spot);
      for (const [, spot] of childrenOf(rawChild(part, 'dependentSchemas'))) visit(spot);
      for (const keyword of CONDITIONS) {
        const spot = rawChild(part, keyword);
        if (spot) visit(spot);
      }
    }
  }

  for (const schema of schemas) visit(schema);
  // An object of which nothing is said may have any member.
  return { named, others, isOpen: isOpen || named.size === 0 };
}

function childrenOf(spot: Spot | undefined): [string, Spot][] {
  if (typeof spot?.value !== 'object' || spot.value === null) return [];
  return Object.keys(spot.value).map((key) => [key, rawChild(spot, key) as Spot]);
}

/** The schemas of a member or an item. */
export function schemasAt(schemas: readonly Spot[], step: string): readonly Spot[] {
  const { named, others } = membersOf(schemas);
  return named.get(step) ?? others;
}

/** The schemas of the value at a JSON Pointer's steps; those of the last that is described. */
export function schemasAlong(schemas: readonly Spot[], steps: readonly string[]): readonly Spot[] {
  let here = schemas;
  for (const step of steps) {
    const next = schemasAt(here, step);
    if (next.length === 0) return here;
    here = next;
  }
  return here;
}
