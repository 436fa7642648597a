import type { Spot } from '../document/spot.ts';
import { toPointer } from '../json/json-value.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { familiesOf } from '../resources/families.ts';
import { memberMeanings } from '../resources/members.ts';
import { recordSpot } from '../resources/presumed-bodies.ts';
import { memberShape } from '../resources/record-schema.ts';
import { referencesOf } from '../resources/references.ts';
import type { Identity, IdSign, Resource, Singleton } from '../resources/resource.ts';
import { uniqueKeys } from '../resources/unique.ts';

/** A fact: its basis, value (undefined: no fact), key, and name for a key with several facts. */
export type Fact = readonly [basis: Basis, value: unknown, key: string, name?: string];

export const memberPath = ({
  property,
  inner,
}: {
  property?: string | undefined;
  inner?: string | undefined;
}) => [property, inner].filter(Boolean).join('.') || undefined;

const ID_SIGNS: Readonly<Record<IdSign, readonly Sign[]>> = {
  said: ['said'],
  link: ['said'],
  'name of the parameter': ['name', 'path'],
  'end of the parameter': ['name', 'path'],
  'name id': ['name', 'schema'],
  undeclared: ['name', 'path'],
};

export const idBasis = ({ sign, because }: Identity): Basis => basisOf(ID_SIGNS[sign], because);

/** The facts about a collection and its records. */
export function ofCollection(
  resource: Resource,
  resources: readonly Resource[],
  isOfAccounts: boolean,
): Fact[] {
  const { shape, id, parents } = resource;
  const byShape = basisOf(['schema', 'path'], shape.spot);
  const families = familiesOf(resources);
  const family = families.get(resource);
  const described = recordSpot(resource);
  // Kin and embedded members depend on the schema, which several paths may share.
  const { kin = [], embedded = [] } = families.get(family?.sharedWith ?? resource) ?? {};
  const keys = uniqueKeys(resource);
  const unique = keys.map(({ properties, isPerParent, freed }) => ({
    members: properties,
    ...(isPerParent && { perParent: true }),
    ...(freed && { freed: true }),
  }));
  const heldBy = family?.heldBy ?? [];
  return [
    [byShape, described && pointerOf(described), 'record'],
    ...(id ? [[idBasis(id), memberPath(id), 'id'] as const] : []),
    ...(isOfAccounts ? [[basisOf(['name'], shape.spot), true, 'accounts'] as const] : []),
    ...parents.map((parent): Fact => {
      const kin = family?.kin.find((one) => one.parameter === parent.parameter);
      const member = memberPath(parent);
      const facts = {
        ...(kin && { of: kin.parent.path }),
        ...(member !== undefined && { member }),
        ...(kin?.isOwned && { owned: true }),
      };
      const basis = kin
        ? { signs: ['path' as const, 'schema' as const], ...kin }
        : basisOf(['path'], shape.spot);
      return [basis, facts, 'parents', parent.parameter];
    }),
    [byShape, family?.sharedWith?.path, 'sharedWith'],
    ...[...memberMeanings(resource)].flatMap(([name, { signs, ...fact }]): Fact[] => {
      const { spot } = memberShape(shape, name) ?? shape;
      return (fact.holds ?? fact.per) === undefined ? [] : [[basisOf(signs, spot), fact, 'members', name]];
    }),
    ...kin.flatMap((one): Fact[] =>
      one.parameter === undefined && one.property !== undefined
        ? [[one, { names: one.parent.path }, 'members', one.property]]
        : [],
    ),
    ...embedded.map((one): Fact => [one, { shows: one.child.path }, 'members', one.property]),
    ...referencesOf(shape, resources)
      .filter(
        (reference) => reference.shape && !embedded.some(({ property }) => property === reference.property),
      )
      .map((reference): Fact => [reference, { names: reference.to.path }, 'members', reference.property]),
    ...keys.map((key): Fact => [key, unique, 'unique']),
    ...heldBy.map((one): Fact => [one, heldBy.map(({ child }) => child.path), 'keptBy']),
  ];
}

/** The facts about a single record of state. */
export function ofSingleton({ shape }: Singleton): Fact[] {
  const basis = basisOf(['schema', 'path'], shape.spot);
  return [
    [basis, true, 'single'],
    [basis, pointerOf(shape.spot), 'record'],
  ];
}

/** A JSON Pointer, preceded by the file unless that is the first one. */
function pointerOf({ document, file, path }: Spot): string {
  const pointer = `#${toPointer(path)}`;
  return file === document.root.file ? pointer : `${file.uri}${pointer}`;
}
