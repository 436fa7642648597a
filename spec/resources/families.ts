import type { Spot } from '../document/spot.ts';
import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { idStems, idWord, singularName } from '../meaning/names.ts';
import { refusedFor } from '../meaning/statuses.ts';
import { saidOfCollection } from '../meaning/x-paddock.ts';
import { formUpTo, type Operation, pathForm, pathParameters } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { itemOf, recordName } from './paths.ts';
import { memberShape, schemaKey, sentShape } from './record-schema.ts';
import { namedLists, type Reference, referencesOf } from './references.ts';
import type { Parent, Resource } from './resource.ts';

/** A record that a path names before its end. */
export interface Ancestor {
  readonly parent: Resource;
  readonly parameter: string;
}

/** The records that a path names before its end, the outermost first; each by its place in the path, whatever its parameter is called. */
export function ancestorsOf(resources: readonly Resource[], path: string): Ancestor[] {
  return pathParameters(path).flatMap((parameter) => {
    const item = formUpTo(path, parameter);
    const parent = item === pathForm(path) ? undefined : itemsOf(resources).get(item);
    return parent && mayBeId(parameter, parent) ? [{ parent, parameter }] : [];
  });
}

/**
 * The collection of the record that a path parameter names, by its id or by another member: `{name}` of `/pets/{name}/newest`.
 * Undefined: it names none, as one of a few values that only bears the name of a member.
 */
export function recordNamedBy(
  resources: readonly Resource[],
  { path, parameters }: Operation,
  name: string,
): Resource | undefined {
  const found = pathParameters(path).includes(name)
    ? itemsOf(resources).get(formUpTo(path, name))
    : undefined;
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  return found && !mayBeId(name, found) && described?.shape.values ? undefined : found;
}

/** A parameter with the name of another member is none that is the id: `/stores/{reference}`. */
const mayBeId = (parameter: string, { id, shape }: Resource) =>
  parameter === id?.parameter || parameter === id?.property || !memberShape(shape, parameter);

/** Collections by the paths of their items, without the names of parameters. */
const itemsOf = oncePer((resources: readonly Resource[]): ReadonlyMap<string, Resource> => {
  const paths = (resource: Resource) => {
    const { id, path, actions } = resource;
    const own = Object.values(actions).flatMap((one) => itemOf(one.path) ?? []);
    const shown = own.filter(({ parameter }) => parameter === id?.parameter).map(({ above }) => above);
    for (const { role, operation } of resource.further) {
      const item = role === 'read' ? itemOf(operation.path) : undefined;
      if (item) shown.push(item.above);
    }
    return id?.parameter === undefined
      ? []
      : [path, ...shown].map((one) => [`${pathForm(one)}/{}`, resource] as const);
  };
  return new Map(resources.toReversed().flatMap(paths));
});

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

interface Child {
  readonly child: Resource;
  readonly kin: Kin;
}

/** A member that shows the records of another collection that belong to its record. */
export interface Embedded extends Basis, Child {
  readonly property: string;
  readonly shape: Shape;
}

/** The records that keep another one from being removed (409). */
interface Held extends Basis, Child {}

/** How the records of a collection are related to others. */
export interface Family {
  /** The collection at a shorter path that has the very same records; undefined: it has its own. */
  readonly sharedWith: Resource | undefined;
  /** Where else its records are found, or made: below parents. */
  readonly addresses: readonly Address[];
  readonly kin: readonly Kin[];
  readonly embedded: readonly Embedded[];
  /** What keeps one of its own from being removed, as long as it belongs to it. */
  readonly heldBy: readonly Held[];
}

type Shared = ReadonlyMap<Resource, Resource | undefined>;

/** The key by which records are found that a member of theirs says belong to another one: the member, or the id in it. */
export const kinKey = ({ property, inner }: Kin): string | undefined =>
  property === undefined || inner === undefined ? property : `${property}.${inner}`;

/** The families of all collections of a document. */
export const familiesOf = oncePer(readFamilies);

function readFamilies(resources: readonly Resource[]): ReadonlyMap<Resource, Family> {
  const shared: Shared = new Map(resources.map((one) => [one, sharedWith(one, resources)]));
  const own = resources.map((resource) => {
    const others = resources.filter((one) => shared.get(one) === resource);
    const addresses = [...others.map(asAddress), ...addressesOf(resource)];
    // The kin of shared records are those of the other collection.
    const kin = shared.get(resource) ? [] : kinOf(resource, addresses, resources, shared);
    return { resource, sharedWith: shared.get(resource), addresses, kin };
  });
  const pairs = own.flatMap(({ resource: child, kin: its }) => its.map((kin) => ({ child, kin })));
  const children = Map.groupBy(pairs, ({ kin }) => kin.parent);
  const showing = Map.groupBy(
    own.flatMap(({ resource: child, kin }) => (shared.get(child) ? [] : showingIn(child, kin, resources))),
    ({ kin }) => kin.parent,
  );
  return new Map(
    own.map(({ resource, ...family }) => {
      const its = children.get(resource) ?? [];
      const embedded = embeddedIn(resource, its, showing.get(resource) ?? []);
      return [resource, { ...family, embedded, heldBy: heldBy(resource, its) }];
    }),
  );
}

/**
 * The records that the path of a collection names and that own those below: one below another is not below them, and is gone
 * with them. Promised where the path is the only address of the records, and as `x-paddock` says.
 */
export function ownersOf(resources: readonly Resource[], resource: Resource): readonly Ancestor[] {
  const { sharedWith: other, addresses = [] } = familiesOf(resources).get(resource) ?? {};
  const operations = [...Object.values(resource.actions), ...resource.further.map((one) => one.operation)];
  const isAlone = !other && addresses.length === 0;
  const isBelow = ({ parent, parameter }: Ancestor, { path }: Operation) =>
    ancestorsOf(resources, path).some((one) => one.parent === parent && one.parameter === parameter);
  return ancestorsOf(resources, `${resource.path}/`).filter(
    (one) =>
      parentsSaid(resource)[one.parameter]?.owned ??
      (isAlone && operations.every((operation) => isBelow(one, operation))),
  );
}

const parentsSaid = (resource: Resource) => saidOfCollection(resource).facts.parents ?? {};

/** `/pets` of `/owners/{ownerId}/pets`: they have one name, one schema and one id. */
function sharedWith({ path, shape, id, parents }: Resource, resources: readonly Resource[]) {
  const key = schemaKey(shape);
  const found = resources.filter(
    (one) =>
      id !== undefined &&
      key !== undefined &&
      schemaKey(one.shape) === key &&
      one.parents.length < parents.length &&
      path.startsWith(above(one.path)) &&
      recordName(one.path) === recordName(path) &&
      one.id?.property === id.property,
  );
  return found.toSorted((one, other) => one.path.length - other.path.length)[0];
}

/** `/shops/{shopId}/` of `/shops/{shopId}/pets`. */
const above = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const CREATES: ReadonlySet<string> = new Set(['create', 'createMany']);

function addressesOf({ path: own, further }: Resource): Address[] {
  return further.flatMap(({ role, parents, operation }): Address[] => {
    const { path, spot } = operation;
    const create = CREATES.has(role) ? operation : undefined;
    const isMeant = create ?? (role === 'view' && parents.some(({ property }) => property !== undefined));
    const isOther = parents.length > 0 && pathForm(path) !== pathForm(own);
    return isMeant && isOther ? [{ resource: undefined, path, parents, create, because: spot }] : [];
  });
}

function asAddress(resource: Resource): Address {
  const { path, parents, actions, shape } = resource;
  const because = (actions.create ?? actions.list ?? actions.read)?.spot ?? shape.spot;
  return { resource, path, parents, create: actions.create, because };
}

/** What is said of members, what the paths of a collection say of its records, and the members that hold ids of others. */
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
  const known = new Set(
    [id, ...[resource, ...addresses].flatMap(({ parents }) => parents)].map((one) => one?.property),
  );
  const byMember = referencesOf(shape, resources, isMeant).flatMap(
    ({ property, to, shape: shown, isSole, ...basis }) => {
      const isList = memberShape(shape, property)?.mainType === 'array';
      const end = idWord(to.id?.property ?? '');
      const isSure = isSole && isMeant(to) && (idStems(property).length > 0 ? idWord(property) : end) === end;
      const isKin = !known.has(property) && !shown && !isList && (isSure || basis.signs?.includes('said'));
      return isKin ? [kinBy(property, to, basis)] : [];
    },
  );
  const isSaid = ({ property }: Kin) => said.some((own) => own.property === property);
  return [...[...byPath, ...byMember].filter((kin) => !isSaid(kin)), ...said];
}

const kinBy = (property: string, parent: Resource, basis: Basis): Kin => ({
  ...{ parent, property, address: undefined, parameter: undefined, inner: undefined, isOwned: false },
  ...basis,
});

function kinByPath(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: Shared,
): Kin[] {
  const own = asAddress(resource);
  const further = resource.further.filter(({ role }) => CREATES.has(role));
  const creates = [
    ...[own, ...addresses].flatMap(({ create }) => create ?? []),
    ...further.map(({ operation }) => operation),
  ];
  const found = [own, ...addresses].flatMap((address) => {
    const said = parentsSaid(address.resource ?? resource);
    // What the nearest parent belongs to itself is known of that.
    const nearest = ancestorsOf(resources, address.path).at(-1);
    return address.parents.flatMap(({ parameter, property, inner }): Kin[] => {
      const { of, owned } = said[parameter] ?? {};
      const isNearest = nearest?.parameter === parameter;
      const parent = resources.find(({ path }) => path === of) ?? (isNearest ? nearest.parent : undefined);
      if (!parent || parent === resource) return [];
      const item = formUpTo(address.path, parameter);
      const isBelow = (one: Operation) => pathForm(one.path).startsWith(`${item}/`);
      const isMade = creates.some((one) => recordName(one.path) === recordName(resource.path));
      const isOwned = owned ?? (address === own || (isMade && creates.every(isBelow)));
      const basis = basisOf(parameter in said ? ['said'] : ['path', 'schema'], address.because);
      return [
        { parent: shared.get(parent) ?? parent, address, parameter, property, inner, isOwned, ...basis },
      ];
    });
  });
  const isFirst = (one: Kin, index: number) =>
    found.findIndex(({ parent, property }) => parent === one.parent && property === one.property) === index;
  return found.filter(isFirst);
}

/** Whether the path of a collection says all that a record of the other needs beside its id, and clients can know its ids. */
function isReached({ path, parents, actions }: Resource, from: string): boolean {
  const isNear = parents.length === 0 || pathForm(from).startsWith(pathForm(above(path)));
  return isNear && (actions.list ?? actions.create) !== undefined;
}

/** Members of a body that must name records of other collections. */
export interface NamedInBody {
  readonly kin: readonly (Kin & { readonly property: string })[];
  /** Lists of ids. */
  readonly lists: readonly Reference[];
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
    // A name, such as the `username` of an organisation, may be its own.
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

/** Records that show what they belong to as an object, and say it in no other way: the `play` of a performance. */
function showingIn(child: Resource, kin: readonly Kin[], resources: readonly Resource[]): Child[] {
  const shown = referencesOf(child.shape, resources).filter(
    ({ property, to, shape }) =>
      shape && to !== child && memberShape(child.shape, property)?.mainType !== 'array',
  );
  return shown.flatMap(({ property, to, shape: _, isSole: __, ...basis }) => {
    const isOnly = shown.filter((one) => one.to === to).length === 1 && !kin.some((one) => one.parent === to);
    return isOnly && to.id && to.id.inner === undefined
      ? [{ child, kin: { ...kinBy(property, to, basis), inner: to.id.property } }]
      : [];
  });
}

/** The arrays of records of another collection, of which each belongs to one record here. */
function embeddedIn(resource: Resource, children: readonly Child[], showing: readonly Child[]): Embedded[] {
  const { shape, actions } = resource;
  const sent = [actions.create, actions.replace, actions.update].flatMap(
    (one) => (one && sentShape(resource, one)) ?? [],
  );
  return [...shape.properties].flatMap(([property, member]): Embedded[] => {
    const key = member.items && schemaKey(member.items);
    const isSent = sent.some((body) => memberShape(body, property));
    const [only, ...more] = (isSent ? children : [...children, ...showing]).filter(
      ({ child }) => key !== undefined && schemaKey(child.shape) === key,
    );
    const isNamed = only && singularName(property) === recordName(only.child.path);
    // Whatever it is called, where no other list has such records and no request has it: the `connections` that name a trip.
    const alike = [...shape.properties.values()].filter((one) => one.items && schemaKey(one.items) === key);
    const isAlone = alike.length === 1 && !isSent;
    const isMeant = only && (isNamed || (only.kin.property !== undefined && isAlone));
    if (!isMeant || more.length > 0 || isNamedWithin(only.child)) return [];
    return [{ property, shape: member, ...only, ...basisOf(['schema'], member.spot) }];
  });
}

/** Whether clients name the records, and those below another parent may bear the same names. */
function isNamedWithin({ id, shape, parents }: Resource): boolean {
  return parents.length > 0 && id?.shape.mainType === 'string' && shape.required.has(id.property);
}

/** A 409 of its removal alone suggests that what belongs to it keeps it, unless that goes with it. */
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
