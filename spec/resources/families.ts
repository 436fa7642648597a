import type { Spot } from '../document/spot.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { idWord, singularName } from '../meaning/names.ts';
import { saidOfCollection } from '../meaning/x-paddock.ts';
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

const known = new WeakMap<readonly Resource[], ReadonlyMap<Resource, Family>>();

/** The families of all collections of a document. */
export function familiesOf(resources: readonly Resource[]): ReadonlyMap<Resource, Family> {
  const families = known.get(resources) ?? readFamilies(resources);
  known.set(resources, families);
  return families;
}

function readFamilies(resources: readonly Resource[]): ReadonlyMap<Resource, Family> {
  const shared: Shared = new Map(resources.map((one) => [one, sharedWith(one, resources)]));
  const addresses = new Map(
    resources.map((one) => [
      one,
      addressesOf(
        one,
        resources.filter((other) => shared.get(other) === one),
      ),
    ]),
  );
  const kin = new Map(
    resources.map((one) => [one, kinOf(one, addresses.get(one) ?? [], resources, shared)] as const),
  );
  const pairs = [...kin].flatMap(([child, its]) => its.map((by) => ({ child, kin: by })));
  const children = Map.groupBy(pairs, (one) => one.kin.parent);
  return new Map(
    resources.map((one) => [
      one,
      {
        ...{ sharedWith: shared.get(one), addresses: addresses.get(one) ?? [], kin: kin.get(one) ?? [] },
        embedded: embeddedIn(one, children.get(one) ?? []),
        heldBy: heldBy(one, children.get(one) ?? []),
      },
    ]),
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

/**
 * `/pets` of `/owners/{ownerId}/pets`: they have one name, one schema and one id. Where the shorter path has parents, too, a
 * record has to say what else it belongs to.
 */
function sharedWith({ path, shape, id, parents }: Resource, resources: readonly Resource[]) {
  const key = schemaKey(shape);
  if (parents.length === 0 || !id || key === undefined) return undefined;
  const isSaid = ({ property }: Parent) => property !== undefined && shape.required.has(property);
  const found = resources.filter((one) => {
    const more = parents.slice(one.parents.length);
    return (
      more.length > 0 &&
      path.startsWith(above(one.path)) &&
      (one.parents.length === 0 || more.every(isSaid)) &&
      recordName(one.path) === recordName(path) &&
      one.id?.property === id.property &&
      schemaKey(one.shape) === key
    );
  });
  return found.toSorted((one, other) => one.path.length - other.path.length)[0];
}

/** `/shops/{shopId}/` of `/shops/{shopId}/pets`. */
const above = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const CREATES: ReadonlySet<string> = new Set(['create', 'createMany']);

function addressesOf({ path: own, further }: Resource, others: readonly Resource[]): Address[] {
  const more = further.flatMap(({ role, parents, operation }): Address[] => {
    const { path, spot } = operation;
    const create = CREATES.has(role) ? operation : undefined;
    const isMeant = create ?? (role === 'view' && parents.some(({ property }) => property !== undefined));
    const isOther = parents.length > 0 && pathForm(path) !== pathForm(own);
    return isMeant && isOther ? [{ resource: undefined, path, parents, create, because: spot }] : [];
  });
  return [...others.map(asAddress), ...more];
}

function asAddress(resource: Resource): Address {
  const { path, parents, actions, shape } = resource;
  const because = (actions.create ?? actions.list ?? actions.read)?.spot ?? shape.spot;
  return { resource, path, parents, create: actions.create, because };
}

function kinOf(one: Resource, addresses: readonly Address[], resources: readonly Resource[], shared: Shared) {
  // Its records are those of the other, and so is their kin.
  if (shared.get(one)) return [];
  const byPath = kinByPath(one, addresses, resources, shared);
  const said = (one.related ?? []).flatMap(({ name, parent }) => {
    const member = memberShape(one.shape, name);
    return member ? [kinBy(name, parent, basisOf(['said'], member.spot))] : [];
  });
  const isSaid = ({ property }: Kin) => said.some((own) => own.property === property);
  const read = [...byPath, ...kinByMember(one, addresses, resources, shared)];
  return [...read.filter((kin) => !isSaid(kin)), ...said];
}

/** What the paths of a collection say of its records, and `x-paddock` of these. */
function kinByPath(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: Shared,
): Kin[] {
  const own = asAddress(resource);
  const creates = [own, ...addresses].flatMap(({ create }) => create ?? []);
  creates.push(...resource.further.flatMap(({ role, operation }) => (CREATES.has(role) ? operation : [])));
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
      const isMadeBelow = address === own || (creates.length > 0 && creates.every(isBelow));
      const basis = basisOf(parameter in said ? ['said'] : ['path', 'schema'], address.because);
      return [
        {
          ...{
            parent: shared.get(parent) ?? parent,
            address,
            parameter,
            property,
            inner: inner ?? undefined,
          },
          ...{ isOwned: owned ?? isMadeBelow, ...basis },
        },
      ];
    });
  });
  const isFirst = (one: Kin, index: number) =>
    found.findIndex(({ parent, property }) => parent === one.parent && property === one.property) === index;
  return found.filter(isFirst);
}

/** The members that hold ids of another collection. */
function kinByMember(
  resource: Resource,
  addresses: readonly Address[],
  resources: readonly Resource[],
  shared: Shared,
): Kin[] {
  const { shape, id, path, parents } = resource;
  const byPath = [parents, ...addresses.map((one) => one.parents)].flat();
  const isMeant = (one: Resource) => one !== resource && !shared.get(one) && isReached(one, path);
  return referencesOf(shape, resources, isMeant).flatMap(
    ({ property, to: parent, shape: shown, by, isSole, ...basis }): Kin[] => {
      const isKnown = property === id?.property || byPath.some((one) => one.property === property);
      const isList = memberShape(shape, property)?.mainType === 'array';
      const isId = by === parent.id?.property && idWord(by) === idWord(property);
      const isSaid = basis.signs?.includes('said');
      const isSure = isSaid || (isSole && isId && isMeant(parent));
      return isKnown || shown || isList || !isSure ? [] : [kinBy(property, parent, basis)];
    },
  );
}

const kinBy = (property: string, parent: Resource, basis: Basis): Kin => ({
  ...{ parent, property, address: undefined, parameter: undefined, inner: undefined, isOwned: false },
  ...basis,
});

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

/**
 * The arrays of records of another collection, of which each belongs to one record here. What requests write there must be
 * such records, too, and no mere references.
 */
function embeddedIn(resource: Resource, children: readonly Child[]): Embedded[] {
  const { shape } = resource;
  return [...shape.properties].flatMap(([property, member]): Embedded[] => {
    const key = member.items && schemaKey(member.items);
    if (member.mainType !== 'array' || key === undefined || (member.highest('minItems') ?? 0) > 0) return [];
    const [only, ...more] = children.filter(({ child }) => schemaKey(child.shape) === key);
    const alike = [...shape.properties.values()].filter((one) => one.items && schemaKey(one.items) === key);
    if (!only || more.length > 0 || isNamedWithin(only.child)) return [];
    const isMeant = alike.length === 1 || singularName(property) === recordName(only.child.path);
    const isWritten = writtenForms(resource, property).every((form) => isRecordForm(form, only.child));
    if (!isMeant || !isWritten) return [];
    return [{ property, shape: member, ...only, ...basisOf(['schema'], member.spot) }];
  });
}

/** Whether clients name the records, and those below another parent may bear the same names. */
function isNamedWithin({ id, shape, parents }: Resource): boolean {
  if (!id || id.inner !== undefined || parents.length === 0) return false;
  return id.shape.mainType === 'string' && !id.shape.readOnly && shape.required.has(id.property);
}

/** What requests may have in a member, in whatever form. */
function writtenForms(resource: Resource, property: string): Shape[] {
  const { actions, further, shape } = resource;
  if (shape.properties.get(property)?.readOnly) return [];
  return [...Object.values(actions), ...further.map(({ operation }) => operation)].flatMap((one) => {
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

/** A 409 of its removal alone suggests that what belongs to it keeps it, unless that goes with it. */
function heldBy(resource: Resource, children: readonly Child[]): Held[] {
  const { actions, shape } = resource;
  const { facts, at } = saidOfCollection(resource);
  const because = actions.remove?.responses.find(({ key }) => key === '409')?.spot;
  return children.flatMap(({ child, kin }): Held[] => {
    const isSaid = facts.keptBy?.includes(child.path);
    if (isSaid) return [{ child, kin, ...basisOf(['said'], at('keptBy') ?? shape.spot) }];
    return facts.keptBy || !because || kin.isOwned ? [] : [{ child, kin, ...basisOf(['path'], because) }];
  });
}
