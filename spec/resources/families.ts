import type { Spot } from '../document/spot.ts';
import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { idStems, idWord, singularName } from '../meaning/names.ts';
import { refusedFor } from '../meaning/statuses.ts';
import { saidOfCollection, saidOfRecord } from '../meaning/x-paddock.ts';
import { formUpTo, type Operation, pathForm } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { type Ancestor, ancestorsOf } from './ancestors.ts';
import { recordName } from './paths.ts';
import { memberShape, schemaKey, sentShape } from './record-schema.ts';
import { namedLists, type Reference, referencesOf } from './references.ts';
import type { Parent, Resource } from './resource.ts';

/** A relation of a collection's records to a record of another collection, as their parent or in a member. */
export interface Kin extends Basis {
  readonly parent: Resource;
  /** The path below the parent; undefined: only a member of the record names it. */
  readonly address: Address | undefined;
  /** The path's parameter with the parent's id. */
  readonly parameter: string | undefined;
  /** The record's member that names the parent, if it has one. */
  readonly property: string | undefined;
  /** The member of that object which is the parent's id; undefined: the member itself is. */
  readonly inner: string | undefined;
  /** Records can only be created below a parent, and are removed with it. */
  readonly isOwned: boolean;
}

/** Another path, below a parent, with records of a collection. */
export interface Address {
  readonly path: string;
  readonly parents: readonly Parent[];
  /** The collection that shares its records with another; undefined: it is the path of an operation. */
  readonly resource: Resource | undefined;
  /** Undefined: no record is made there. */
  readonly create: Operation | undefined;
  readonly because: Spot;
}

interface Child {
  readonly child: Resource;
  readonly kin: Kin;
}

/** A member that shows the records of another collection that belong to its record. */
export interface Embedded extends Basis, Child {
  readonly property: string;
  readonly shape: Shape;
}

/** Records that prevent the removal of another one (409). */
interface Held extends Basis, Child {}

/** How the records of a collection are related to others. */
export interface Family {
  /** The collection at a shorter path with the same records; undefined: the records are its own. */
  readonly sharedWith: Resource | undefined;
  /** Other paths, below parents, where its records are listed or created. */
  readonly addresses: readonly Address[];
  readonly kin: readonly Kin[];
  readonly embedded: readonly Embedded[];
  /** The records that show one of its own as an object, and say that they belong to it in no other way. */
  readonly showing: readonly Child[];
  /** Records that prevent the removal of one of its own while they belong to it. */
  readonly heldBy: readonly Held[];
}

type Shared = ReadonlyMap<Resource, Resource | undefined>;

/** The key of the member that names the other record: the member, or the id in it. */
export const kinKey = ({ property, inner }: Kin): string | undefined =>
  property === undefined || inner === undefined ? property : `${property}.${inner}`;

/** The families of all collections of a document. */
export const familiesOf = oncePer(readFamilies);

function readFamilies(resources: readonly Resource[]): ReadonlyMap<Resource, Family> {
  const shared: Shared = new Map(resources.map((resource) => [resource, sharedWith(resource, resources)]));
  const relatives = resources.map((resource) => {
    const others = resources.filter((one) => shared.get(one) === resource);
    const addresses = [...others.map(asAddress), ...addressesOf(resource)];
    // A collection with shared records has the relations of the collection that owns them.
    const kin = shared.get(resource) ? [] : kinOf(resource, addresses, resources, shared);
    return { resource, sharedWith: shared.get(resource), addresses, kin };
  });
  const pairs = relatives.flatMap(({ resource: child, kin: its }) => its.map((kin) => ({ child, kin })));
  const children = Map.groupBy(pairs, ({ kin }) => kin.parent);
  const showing = Map.groupBy(
    relatives.flatMap(({ resource: child, kin }) =>
      shared.get(child) ? [] : showingIn(child, kin, resources),
    ),
    ({ kin }) => kin.parent,
  );
  return new Map(
    relatives.map(({ resource, ...family }) => {
      const its = children.get(resource) ?? [];
      const embedders = showing.get(resource) ?? [];
      const embedded = embeddedIn(resource, its, embedders);
      return [resource, { ...family, embedded, showing: embedders, heldBy: heldBy(resource, its) }];
    }),
  );
}

/**
 * The records in a collection's path that own those below: records of another parent are not found there, and they are
 * removed with their parent. Promised where the path is the only address of the records, or `x-paddock` says it.
 */
export function ownersOf(resources: readonly Resource[], resource: Resource): readonly Ancestor[] {
  const { sharedWith: other, addresses = [] } = familiesOf(resources).get(resource) ?? {};
  const operations = [
    ...Object.values(resource.actions),
    ...resource.further.map((further) => further.operation),
  ];
  const isAlone = !other && addresses.length === 0;
  const isBelow = ({ parent, parameter }: Ancestor, { path }: Operation) =>
    ancestorsOf(resources, path).some(
      (ancestor) => ancestor.parent === parent && ancestor.parameter === parameter,
    );
  return ancestorsOf(resources, `${resource.path}/`).filter(
    (ancestor) =>
      parentsSaid(resource)[ancestor.parameter]?.owned ??
      (isAlone && operations.every((operation) => isBelow(ancestor, operation))),
  );
}

const parentsSaid = (resource: Resource) => saidOfCollection(resource).facts.parents ?? {};

/** The collection with the same records: `/pets` for `/owners/{ownerId}/pets`, if name, schema and id are the same. */
function sharedWith({ path, shape, id, parents }: Resource, resources: readonly Resource[]) {
  const key = schemaKey(shape);
  const others = resources.filter(
    (resource) =>
      id !== undefined &&
      key !== undefined &&
      schemaKey(resource.shape) === key &&
      resource.parents.length < parents.length &&
      path.startsWith(above(resource.path)) &&
      recordName(resource.path) === recordName(path) &&
      resource.id?.property === id.property,
  );
  return others.toSorted((left, right) => left.path.length - right.path.length)[0];
}

/** The path above the last segment: `/shops/{shopId}/` for `/shops/{shopId}/pets`. */
const above = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const CREATES: ReadonlySet<string> = new Set(['create', 'createMany']);

function addressesOf({ path: collectionPath, further }: Resource): Address[] {
  return further.flatMap(({ role, parents, operation }): Address[] => {
    const { path, spot } = operation;
    const create = CREATES.has(role) ? operation : undefined;
    const isMeant = create ?? (role === 'view' && parents.some(({ property }) => property !== undefined));
    const isOther = parents.length > 0 && pathForm(path) !== pathForm(collectionPath);
    return isMeant && isOther ? [{ resource: undefined, path, parents, create, because: spot }] : [];
  });
}

function asAddress(resource: Resource): Address {
  const { path, parents, actions, shape } = resource;
  const because = (actions.create ?? actions.list ?? actions.read)?.spot ?? shape.spot;
  return { resource, path, parents, create: actions.create, because };
}

/** The relations that `x-paddock` says, those by the paths of a collection, and those by members with ids of others. */
function kinOf(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: Shared,
): Kin[] {
  const { shape, id, path, related = [] } = resource;
  const said = related.flatMap(({ name, parent }) => {
    const member = memberShape(shape, name);
    return member ? [kinBy(name, parent, basisOf(['said'], member.spot))] : [];
  });
  const byPath = kinByPath(resource, addresses, resources, shared);
  const isMeant = (one: Resource) => one !== resource && !shared.get(one) && isReached(one, path);
  const names = new Set(
    [id, ...[resource, ...addresses].flatMap(({ parents }) => parents)].map((one) => one?.property),
  );
  const byMember = referencesOf(shape, resources, isMeant).flatMap(
    ({ property, to, shape: embedded, isSole, ...basis }) => {
      const isList = memberShape(shape, property)?.mainType === 'array';
      const end = idWord(to.id?.property ?? '');
      const isSure = isSole && isMeant(to) && (idStems(property).length > 0 ? idWord(property) : end) === end;
      const isKin = !names.has(property) && !embedded && !isList && (isSure || basis.signs?.includes('said'));
      return isKin ? [kinBy(property, to, basis)] : [];
    },
  );
  const isSaid = ({ property }: Kin) => said.some((relation) => relation.property === property);
  return [...[...byPath, ...byMember].filter((kin) => !isSaid(kin)), ...said];
}

const kinBy = (property: string, parent: Resource, basis: Basis): Kin => ({
  parent,
  property,
  address: undefined,
  parameter: undefined,
  inner: undefined,
  isOwned: false,
  ...basis,
});

function kinByPath(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: Shared,
): Kin[] {
  const mainAddress = asAddress(resource);
  const further = resource.further.filter(({ role }) => CREATES.has(role));
  const creates = [
    ...[mainAddress, ...addresses].flatMap(({ create }) => create ?? []),
    ...further.map(({ operation }) => operation),
  ];
  const relations = [mainAddress, ...addresses].flatMap((address) => {
    const said = parentsSaid(address.resource ?? resource);
    // Relations of the nearest parent follow from that parent.
    const nearest = ancestorsOf(resources, address.path).at(-1);
    return address.parents.flatMap(({ parameter, property, inner, isOtherWord }): Kin[] => {
      const { of, owned } = said[parameter] ?? {};
      const isNearest = nearest?.parameter === parameter;
      const parent = resources.find(({ path }) => path === of) ?? (isNearest ? nearest.parent : undefined);
      if (!parent || parent === resource) return [];
      const item = formUpTo(address.path, parameter);
      const isBelow = (operation: Operation) => pathForm(operation.path).startsWith(`${item}/`);
      const isMade = creates.some((create) => recordName(create.path) === recordName(resource.path));
      const isOwned = owned ?? (address === mainAddress || (isMade && creates.every(isBelow)));
      const signs = ['path', !isOtherWord && 'schema'] as const;
      const basis = basisOf(parameter in said ? ['said'] : signs, address.because);
      return [
        { parent: shared.get(parent) ?? parent, address, parameter, property, inner, isOwned, ...basis },
      ];
    });
  });
  const isFirst = (kin: Kin, index: number) =>
    relations.findIndex(({ parent, property }) => parent === kin.parent && property === kin.property) ===
    index;
  return relations.filter(isFirst);
}

/** Whether a path identifies a record of another collection completely, so that clients can know its ids. */
function isReached({ path, parents, actions }: Resource, from: string): boolean {
  const isNear = parents.length === 0 || pathForm(from).startsWith(pathForm(above(path)));
  return isNear && (actions.list ?? actions.create) !== undefined;
}

/** References in a body that must exist. */
export interface NamedInBody {
  readonly kin: readonly (Kin & { readonly property: string })[];
  /** Members with lists of ids. */
  readonly lists: readonly Reference[];
  /** The documented status for a reference to a missing record. */
  readonly status: number;
}

/**
 * The references in a body that must exist. Undefined: it has none, or the document has no status for a missing record.
 * @param said members whose values the path of the request determines
 */
export function namedInBody(
  resource: Resource,
  { kin }: Family,
  operation: Operation,
  said: ReadonlySet<string>,
  resources: readonly Resource[] = [],
): NamedInBody | undefined {
  const documented = explicitStatuses(operation.responses);
  const usual = [422, 400].find((one) => documented.includes(one));
  const told = refusedFor(operation, 'parent');
  const status = told ?? usual;
  const body = sentShape(resource, operation);
  const written = kin.flatMap(({ property, ...one }) => {
    if (property === undefined || one.inner !== undefined || said.has(property)) return [];
    const shapes = [body, resource.shape].map((shape) => shape && memberShape(shape, property));
    // A free text, such as the `username` of an organisation, may be a name of its own and no reference.
    if (told === undefined && idStems(property).length === 0 && isFreeText(shapes[0])) return [];
    return shapes.every((shape) => shape?.readOnly === false) ? [{ ...one, property }] : [];
  });
  const lists = body ? namedLists(body, resources) : [];
  return status === undefined || written.length + lists.length === 0
    ? undefined
    : { kin: written, lists, status };
}

const isFreeText = (shape: Shape | undefined) =>
  shape?.mainType === 'string' && shape.find('format') === undefined;

/** Records that embed their parent and refer to it in no other way: the `play` of a performance. */
function showingIn(child: Resource, kin: readonly Kin[], resources: readonly Resource[]): Child[] {
  const references = referencesOf(child.shape, resources).filter(
    ({ property, to, shape }) =>
      shape && to !== child && memberShape(child.shape, property)?.mainType !== 'array',
  );
  return references.flatMap(({ property, to, shape: _, isSole: __, ...basis }) => {
    const isOnly =
      references.filter((reference) => reference.to === to).length === 1 &&
      !kin.some((one) => one.parent === to);
    return isOnly && to.id && to.id.inner === undefined
      ? [{ child, kin: { ...kinBy(property, to, basis), inner: to.id.property } }]
      : [];
  });
}

/** Arrays that embed the records of another collection that belong to the record. */
function embeddedIn(resource: Resource, children: readonly Child[], showing: readonly Child[]): Embedded[] {
  const { shape, actions } = resource;
  const sent = [actions.create, actions.replace, actions.update].flatMap(
    (operation) => (operation && sentShape(resource, operation)) ?? [],
  );
  const { facts, at } = saidOfRecord(shape);
  return [...shape.properties].flatMap(([property, member]): Embedded[] => {
    const told = facts.members?.[property]?.shows;
    if (told !== undefined) {
      const named = [...children, ...showing].find(({ child }) => child.path === told);
      const basis = basisOf(['said'], at('members', property, 'shows') ?? member.spot);
      return named ? [{ property, shape: member, ...named, ...basis }] : [];
    }
    const key = member.items && schemaKey(member.items);
    const isSent = sent.some((body) => memberShape(body, property));
    const [only, ...more] = (isSent ? children : [...children, ...showing]).filter(
      ({ child }) => key !== undefined && schemaKey(child.shape) === key,
    );
    const isNamed = only && singularName(property) === recordName(only.child.path);
    // The array may have any name if no other member lists such records and no request sends it: the `connections` of a trip.
    const alike = [...shape.properties.values()].filter((one) => one.items && schemaKey(one.items) === key);
    const isAlone = alike.length === 1 && !isSent;
    const isMeant = only && (isNamed || (only.kin.property !== undefined && isAlone));
    if (!isMeant || more.length > 0 || isNamedWithin(only.child)) return [];
    return [{ property, shape: member, ...only, ...basisOf(['schema'], member.spot) }];
  });
}

/** Whether clients choose the names of records, so that those below another parent may have equal names. */
function isNamedWithin({ id, shape, parents }: Resource): boolean {
  return parents.length > 0 && id?.shape.mainType === 'string' && shape.required.has(id.property);
}

/** A documented 409 of the removal suggests that its children prevent it, unless they are removed with it. */
function heldBy(resource: Resource, children: readonly Child[]): Held[] {
  const { actions, shape } = resource;
  const { facts, at } = saidOfCollection(resource);
  const because = actions.remove?.responses.find(({ key }) => key === '409')?.spot;
  return children.flatMap(({ child, kin }): Held[] => {
    if (facts.keptBy)
      return facts.keptBy.includes(child.path)
        ? [{ child, kin, ...basisOf(['said'], at('keptBy') ?? shape.spot) }]
        : [];
    return because && !kin.isOwned ? [{ child, kin, ...basisOf(['path'], because) }] : [];
  });
}
