import type { Spot } from '../document/spot.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { idWord, singularName } from '../meaning/names.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import { formUpTo, type Operation, pathForm } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { type Ancestor, ancestorsOf } from './ancestors.ts';
import { recordName } from './paths.ts';
import { bodyPath, bodyShape, memberShape, schemaKey, shapeAt } from './record-schema.ts';
import { referencesOf } from './references.ts';
import type { Parent, Resource } from './resource.ts';

/** What records of a collection belong to, or name in a member: a record of another collection. */
export interface Kin extends Basis {
  readonly parent: Resource;
  /** The path that says the parent; undefined: only a member of the record does. */
  readonly address: Address | undefined;
  /** The path's parameter with the parent's id. */
  readonly parameter: string | undefined;
  /** The record's member that names the parent, if it has one. */
  readonly property: string | undefined;
  /** The member of that object which is the parent's id; undefined: the member itself is. */
  readonly inner: string | undefined;
  /** Records are made below a parent alone, and are nothing without it. */
  readonly isOwned: boolean;
}

/** Another path below parents with the records of a collection. */
export interface Address {
  readonly path: string;
  readonly parents: readonly Parent[];
  /** The collection that shares its records with another; undefined: it is the path of an operation. */
  readonly resource: Resource | undefined;
  /** Undefined: no record is made there. */
  readonly create: Operation | undefined;
  readonly because: Spot;
}

/** A member that shows the records of another collection that belong to its record. */
export interface Embedded extends Basis {
  readonly property: string;
  readonly shape: Shape;
  readonly child: Resource;
  readonly kin: Kin;
}

/** How the records of a collection are related to others. */
export interface Family {
  /** The collection at a shorter path that has the very same records; undefined: it has its own. */
  readonly sharedWith: Resource | undefined;
  /** Where else its records are found, or made: below parents. */
  readonly addresses: readonly Address[];
  readonly kin: readonly Kin[];
  readonly embedded: readonly Embedded[];
  /** The records that keep one of its own from being removed (409), as long as they belong to it. */
  readonly heldBy: readonly Held[];
}

/** The records that keep another one from being removed. */
export interface Held extends Basis {
  readonly child: Resource;
  readonly kin: Kin;
}

const known = new WeakMap<readonly Resource[], ReadonlyMap<Resource, Family>>();

/** The families of all collections of a document. */
export function familiesOf(resources: readonly Resource[]): ReadonlyMap<Resource, Family> {
  const families = known.get(resources) ?? readFamilies(resources);
  known.set(resources, families);
  return families;
}

/**
 * The records that the path of a collection names and that own those below: one below another is not below them, and is gone
 * with them. Promised where the path is the only address of the records.
 */
export function ownersOf(resources: readonly Resource[], resource: Resource): readonly Ancestor[] {
  return ancestorsOf(resources, `${resource.path}/`).filter((one) =>
    isFoundBelowOnly(resources, resource, one),
  );
}

/** They are not shared with a third collection, and no operation on another path shows or makes them. */
function isFoundBelowOnly(
  resources: readonly Resource[],
  resource: Resource,
  { parent, parameter }: Ancestor,
): boolean {
  const { sharedWith, addresses = [] } = familiesOf(resources).get(resource) ?? {};
  const operations = [...Object.values(resource.actions), ...resource.further.map((one) => one.operation)];
  const isBelow = (path: string) =>
    ancestorsOf(resources, path).some((one) => one.parent === parent && one.parameter === parameter);
  return !sharedWith && addresses.length === 0 && operations.every(({ path }) => isBelow(path));
}

function readFamilies(resources: readonly Resource[]): ReadonlyMap<Resource, Family> {
  const shared = new Map(resources.map((one) => [one, sharedWith(one, resources)]));
  const addresses = new Map(
    resources.map((one) => {
      const others = resources.filter((other) => shared.get(other) === one);
      return [one, addressesOf(one, others)] as const;
    }),
  );
  const kinOf = (one: Resource): readonly Kin[] => {
    // Its records are those of the other, and so is their kin.
    if (shared.get(one)) return [];
    const others = addresses.get(one) ?? [];
    const said = kinSaid(one);
    const read = [
      ...kinByPath(one, others, resources, shared),
      ...kinByMember(one, others, resources, shared),
    ];
    return [...read.filter(({ property }) => !said.some((own) => own.property === property)), ...said];
  };
  const kin = new Map(resources.map((one) => [one, kinOf(one)] as const));
  const pairs = [...kin].flatMap(([child, its]) => its.map((by) => ({ child, kin: by })));
  const children = Map.groupBy(pairs, (one) => one.kin.parent);
  return new Map(
    resources.map((one) => [
      one,
      {
        sharedWith: shared.get(one),
        addresses: addresses.get(one) ?? [],
        kin: kin.get(one) ?? [],
        embedded: embeddedIn(one, children.get(one) ?? []),
        heldBy: heldBy(one, children.get(one) ?? []),
      },
    ]),
  );
}

/**
 * `/pets` of `/owners/{ownerId}/pets`: they have one name, one schema and one id. Where the shorter path has parents, too, a
 * record has to say what else it belongs to.
 */
function sharedWith(resource: Resource, resources: readonly Resource[]): Resource | undefined {
  const { path, shape, id, parents } = resource;
  if (parents.length === 0 || !id) return undefined;
  const key = schemaKey(shape);
  const found = resources.filter((one) => {
    const more = parents.slice(one.parents.length);
    const isAbove = more.length > 0 && path.startsWith(above(one.path));
    return (
      isAbove &&
      (one.parents.length === 0 || more.every((parent) => isSaid(parent, resource))) &&
      recordName(one.path) === recordName(path) &&
      one.id?.property === id.property &&
      key !== undefined &&
      schemaKey(one.shape) === key
    );
  });
  return found.toSorted((one, other) => one.path.length - other.path.length)[0];
}

/** `/shops/{shopId}/` of `/shops/{shopId}/pets`. */
const above = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const isSaid = ({ property }: Parent, { shape }: Resource) =>
  property !== undefined && shape.required.has(property);

function addressesOf({ path: own, further }: Resource, others: readonly Resource[]): Address[] {
  return [
    ...others.map(asAddress),
    ...further.flatMap(({ role, parents, operation }) => {
      const { path, spot } = operation;
      const create = CREATES.has(role) ? operation : undefined;
      const isMeant = create ?? (role === 'view' && parents.some(({ property }) => property !== undefined));
      const isOther = parents.length > 0 && pathForm(path) !== pathForm(own);
      return isMeant && isOther ? [{ resource: undefined, path, parents, create, because: spot }] : [];
    }),
  ];
}

function asAddress(resource: Resource): Address {
  const { path, parents, actions, shape } = resource;
  const because = (actions.create ?? actions.list ?? actions.read)?.spot ?? shape.spot;
  return { resource, path, parents, create: actions.create, because };
}

const CREATES: ReadonlySet<string> = new Set(['create', 'createMany']);

/** What the paths of a collection say of its records. */
function kinByPath(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: ReadonlyMap<Resource, Resource | undefined>,
): Kin[] {
  const { actions, further } = resource;
  const creates = [
    ...(actions.create ? [actions.create] : []),
    ...further.flatMap(({ role, operation }) => (CREATES.has(role) ? operation : [])),
    ...addresses.flatMap(({ create }) => create ?? []),
  ];
  const own = asAddress(resource);
  const found = [own, ...addresses].flatMap((address): Kin[] => {
    // What the nearest parent belongs to itself is known of that.
    const { parent, parameter } = ancestorsOf(resources, address.path).at(-1) ?? {};
    const named = address.parents.find((one) => one.parameter === parameter);
    if (!parent || parameter === undefined || !named || parent === resource) return [];
    const item = formUpTo(address.path, parameter);
    const isBelow = (one: Operation) => pathForm(one.path).startsWith(`${item}/`);
    return [
      {
        ...{ parent: shared.get(parent) ?? parent, address, parameter },
        ...{ property: named.property, inner: named.inner },
        isOwned: address === own || (creates.length > 0 && creates.every(isBelow)),
        ...{ certainty: 'promised', because: address.because },
      },
    ];
  });
  return found.filter(
    (one, index) =>
      found.findIndex((other) => other.parent === one.parent && other.property === one.property) === index,
  );
}

/** The members that hold ids of another collection. */
function kinByMember(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: ReadonlyMap<Resource, Resource | undefined>,
): Kin[] {
  const { shape, id, path, parents } = resource;
  const byPath = [parents, ...addresses.map((one) => one.parents)].flat();
  const isMeant = (one: Resource) => one !== resource && !shared.get(one) && isReached(one, path);
  return referencesOf(shape, resources, isMeant).flatMap(
    ({ property, to: parent, shape: shown, by, isSole, ...basis }): Kin[] => {
      const isKnown = property === id?.property || byPath.some((one) => one.property === property);
      const isList = memberShape(shape, property)?.mainType === 'array';
      const isId = by === parent.id?.property && idWord(by) === idWord(property);
      const isSaid = basis.certainty === 'promised' && basis.signs?.includes('said');
      if (isKnown || shown || isList || (!isSaid && (!isSole || !isId || !isMeant(parent)))) return [];
      const none = { address: undefined, parameter: undefined, inner: undefined };
      return [{ parent, property, ...none, isOwned: false, ...basis }];
    },
  );
}

/** The members of which the user says that they name records of another document. */
function kinSaid({ shape, related = [] }: Resource): Kin[] {
  return related.flatMap(({ name: property, parent }): Kin[] => {
    const member = memberShape(shape, property);
    if (!member) return [];
    return [
      {
        ...{ parent, property, address: undefined, parameter: undefined, inner: undefined },
        ...{ isOwned: false, ...basisOf(['said'], member.spot) },
      },
    ];
  });
}

/** Whether the path of a collection says all that a record of the other needs beside its id, and clients can know its ids. */
function isReached({ path, parents, actions }: Resource, from: string): boolean {
  const isNear = parents.length === 0 || pathForm(from).startsWith(pathForm(above(path)));
  return isNear && (actions.list !== undefined || actions.create !== undefined);
}

/** Members of a body that must name records of other collections. */
export interface NamedInBody {
  readonly kin: readonly (Kin & { readonly property: string })[];
  /** The documented status for a name of nothing. */
  readonly status: number;
}

/**
 * What a write may name only if it is there. Undefined: its body names nothing, or the document has no status for that.
 * @param said members that the path of the request says already
 */
export function namedInBody(
  resource: Resource,
  { kin }: Family,
  operation: Operation,
  said: ReadonlySet<string>,
): NamedInBody | undefined {
  const documented = explicitStatuses(operation.responses);
  // Where a record is named by the path, 404 is said of that.
  const statuses = operation.method === 'POST' ? [422, 400, 404, 409] : [422, 400, 409];
  const refusing = Object.entries(operation.said.facts.refuses ?? {}).find(([, why]) => why === 'parent');
  const status = refusing ? Number(refusing[0]) : statuses.find((one) => documented.includes(one));
  const body = shapeAt(bodyShape(operation), bodyPath(resource, operation));
  const written = kin.flatMap(({ property, ...one }) => {
    if (property === undefined || one.inner !== undefined || said.has(property)) return [];
    const shapes = [body, resource.shape].map((shape) => shape && memberShape(shape, property));
    return shapes.every((shape) => shape?.readOnly === false) ? [{ ...one, property }] : [];
  });
  return status === undefined || written.length === 0 ? undefined : { kin: written, status };
}

interface Child {
  readonly child: Resource;
  readonly kin: Kin;
}

/**
 * The arrays of records of another collection, of which each belongs to one record here. What requests write there must be
 * such records, too, and no mere references.
 */
function embeddedIn(resource: Resource, children: readonly Child[]): Embedded[] {
  const { shape } = resource;
  return [...shape.properties].flatMap(([property, member]): Embedded[] => {
    const key = member.items && schemaKey(member.items);
    if (member.mainType !== 'array' || !member.items || key === undefined) return [];
    if ((member.highest('minItems') ?? 0) > 0) return [];
    const [only, ...more] = children.filter(({ child }) => schemaKey(child.shape) === key);
    const alike = [...shape.properties.values()].filter((one) => one.items && schemaKey(one.items) === key);
    if (only && !writtenForms(resource, property).every((form) => isRecordForm(form, only.child))) return [];
    const isMeant = only && (alike.length === 1 || singularName(property) === recordName(only.child.path));
    if (!isMeant || more.length > 0 || isNamedWithin(only.child)) return [];
    return [{ property, shape: member, ...only, certainty: 'presumed', because: member.spot }];
  });
}

/** Whether clients name the records, and those below another parent may bear the same names. */
function isNamedWithin({ id, shape, parents }: Resource): boolean {
  if (!id || id.inner !== undefined || parents.length === 0) return false;
  return id.shape.mainType === 'string' && !id.shape.readOnly && shape.required.has(id.property);
}

const CONFLICT = '409';

/** A 409 of its removal alone suggests that what belongs to it keeps it, unless that goes with it. */
function heldBy({ actions, shape }: Resource, children: readonly Child[]): Held[] {
  const said = saidOfRecord(shape);
  const { keptBy } = said.facts;
  if (keptBy)
    return children.flatMap(({ child, kin }) =>
      keptBy.includes(child.path)
        ? [{ child, kin, ...basisOf(['said'], said.at('keptBy') ?? shape.spot) }]
        : [],
    );
  const because = actions.remove?.responses.find(({ key }) => key === CONFLICT)?.spot;
  if (!because) return [];
  return children.flatMap(({ child, kin }): Held[] =>
    kin.isOwned ? [] : [{ child, kin, ...basisOf(['path'], because) }],
  );
}

/** What requests may have in a member, in whatever form. */
function writtenForms(resource: Resource, property: string): Shape[] {
  const { actions, further, shape } = resource;
  if (shape.properties.get(property)?.readOnly) return [];
  const operations = [...Object.values(actions), ...further.map(({ operation }) => operation)];
  return operations.flatMap((one) => {
    const sent = shapeAt(bodyShape(one), bodyPath(resource, one));
    const member = sent && memberShape(sent, property);
    return member && !member.readOnly ? member : [];
  });
}

/** An array of objects that have more of the record than its id. */
function isRecordForm({ items }: Shape, { shape, id }: Resource): boolean {
  const names = [...(items?.properties ?? [])].flatMap(([name, { readOnly }]) => (readOnly ? [] : name));
  return names.some((name) => name !== id?.property && shape.properties.has(name));
}
