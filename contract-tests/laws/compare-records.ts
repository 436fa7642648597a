import {
  basisOf,
  chosenIn,
  isEqual,
  isNoId,
  isNumber,
  isOtherName,
  isRecord,
  isSet,
  memberMeaning,
  memberShape,
  namesIdOf,
  placeOf,
  type Resource,
  recordName,
  type Shape,
  type Spot,
  saysEnded,
  saysShown,
  shortenText,
  stringifyJson,
  toPointer,
  withoutNull,
  writeMeaning,
} from '#spec';
import type { Data } from '../send/wire.ts';
import type { Breach, LawName } from './law.ts';
import { recordInBody } from './mark.ts';
import { createsAtPath } from './operation-role.ts';
import { agree, isNeverNull, mayBe, shows } from './same-value.ts';
import {
  isKeptByService,
  isPlace,
  isSetByService,
  mayBeAdjusted,
  mayBeShownOtherwise,
} from './sent-members.ts';

/**
 * The documented members that were sent and do not show the sent value; members that the service adds are ignored. Nothing
 * is promised of members that the response's schema lacks or gives another type, that the service sets itself, or that are
 * write-only. The parents of a nested record are given by its path.
 */
export function notAsSent(
  law: LawName,
  resource: Resource,
  shape: Shape,
  sent: Data,
  got: unknown,
  spot: Spot,
): Breach[] {
  if (!isRecord(got)) return [];
  const ofPath = new Set(resource.parents.map(({ property }) => property));
  const bodies = writesOf(resource).flatMap((write) => recordInBody(resource, write).shape ?? []);
  const isOpen = (name: string, member: Shape) =>
    mayBeShownOtherwise(name, member, shape) ||
    isSetByService(name, member, { ...resource, shape }) ||
    // A member's description in a request body applies to the record, too.
    bodies.some((body) => {
      const form = memberShape(body, name);
      return form !== undefined && form.spot.value !== member.spot.value && mayBeAdjusted(name, form, body);
    });
  const ownName = recordName(Object.values(resource.actions)[0]?.path ?? '');
  const isOpenWithin = (name: string, member: Shape, holder: Shape) =>
    isOpen(name, member) || isOwnId(name, holder) || namesIdOf(name, ownName);
  const isDemanded = (name: string) => bodies.some(({ required }) => required.has(name));
  const grows = law !== 'created-equals-sent';
  const adjusts = writesOf(resource).some((write) => writeMeaning(write).adjusts);
  const how = { trims: !storesAsSent(resource), adjusts, isOpen: isOpenWithin, grows };
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = ofPath.has(name) ? undefined : memberShape(shape, name);
    if (!member || !mayBe(member, value) || isOpen(name, member)) return [];
    if (name === resource.id?.property && OF_CREATES.has(law) && isNoId(value)) return [];
    if (shows(got[name], value, member, how, name) || isOtherId(got[name], got, member, resource)) return [];
    if (value === null && (isNeverNull(name, shape) || isFilledIn(law, name, member, shape, got[name])))
      return [];
    return {
      law: typeof value === 'bigint' ? 'exact-integers' : law,
      kind: 'unequal',
      received: `${name} ${shorten(got[name])}`,
      documented: `${name} ${shorten(value)}, as it was sent`,
      at: placeOf(member.spot ?? spot),
      part: toPointer([name]),
      // A service may store a blank text as absent.
      rests: [
        (value === '' && !isDemanded(name)) || saysShown(member, value, got[name])
          ? basisOf(['schema'], member.spot)
          : chosenIn(member),
      ],
    };
  });
}

/** An alias of the id, according to the description, or of its last segment, where the path of a PUT names the record. */
function isOtherId(
  value: unknown,
  got: Data,
  member: Shape,
  { id, actions }: Pick<Resource, 'actions' | 'id'>,
): boolean {
  const recordId = id && got[id.property];
  if (typeof recordId !== 'string' || typeof value !== 'string') return false;
  if (value === recordId && isOtherName(member)) return true;
  return createsAtPath(actions.replace) && (value === recordId || recordId.endsWith(`/${value}`));
}

/** The optional id of a nested record, not of a mere reference: the service may assign another one. */
function isOwnId(name: string, holder: Shape): boolean {
  const forms = [holder, ...holder.alternatives].filter(({ properties }) => properties.has(name));
  return (
    name === 'id' && forms.some(({ required, properties }) => !required.has(name) && properties.size > 2)
  );
}

/**
 * Null may mean the same as leaving the member out: the service fills in the default or, in a new record, a position,
 * inherited settings, or a group of members that is not a record.
 */
function isFilledIn(law: LawName, name: string, member: Shape, record: Shape, value: unknown): boolean {
  const stated = member.find('default')?.value ?? null;
  if (stated !== null && isEqual(value, stated)) return true;
  if (!OF_CREATES.has(law)) return false;
  if (isNumber(value)) return stated === null || isPlace(name, member, record);
  const { properties } = withoutNull(member);
  const isGroup = isRecord(value) && Object.keys(value).some((one) => properties.has(one));
  return stated === null && isGroup && !properties.has('id') && !record.required.has(name);
}

const OF_CREATES: ReadonlySet<LawName> = new Set<LawName>([
  'created-equals-sent',
  'created-can-be-read',
  'created-is-listed',
]);

/** Whether the document states that a write stores what is sent. */
function storesAsSent(resource: Pick<Resource, 'actions'>): boolean {
  return writesOf(resource).some((write) => writeMeaning(write).stores);
}

const writesOf = ({ actions: { create, replace, update } }: Pick<Resource, 'actions'>) =>
  [create, replace, update].filter((operation) => operation !== undefined);

/** In a merge patch (RFC 7396) null removes a member; elsewhere it is a value. */
export function withoutNulls(changes: Data): Data {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
}

/** The documented members that changed, except the named ones. Members that the service sets or computes may change. */
export function changedMembers(
  law: LawName,
  resource: Resource,
  before: Data,
  after: Data,
  spot: Spot,
  but: readonly string[] = [],
): Breach[] {
  return documentedMembers(resource, before, after).flatMap(([name, member]) => {
    if (but.includes(name) || agree(before[name], after[name], member, name)) return [];
    if (mayBeShownOtherwise(name, member, resource.shape)) return [];
    if (isKeptByService(name, member, resource) || isPlace(name, member, resource.shape)) return [];
    return {
      law,
      kind: 'unequal',
      received: `${name} ${shorten(after[name])}`,
      documented: `${name} ${shorten(before[name])}, as before`,
      at: placeOf(spot),
      part: toPointer([name]),
    };
  });
}

/**
 * Members that a client had set, that a replacing body left out, and that kept their old value nevertheless (RFC 9110
 * §9.3.4).
 */
export function leftOverMembers(
  resource: Resource,
  before: Data,
  leftOut: readonly string[],
  after: Data,
): Breach[] {
  const { replace } = resource.actions;
  if (replace && writeMeaning(replace).leavesAlone) return [];
  const body = replace && recordInBody(resource, replace).shape;
  return leftOut.flatMap((name) => {
    const member = memberShape(resource.shape, name);
    const [old, now] = [before[name] ?? undefined, after[name] ?? undefined];
    if (!member || old === undefined || now === undefined || !agree(old, now, member, name)) return [];
    if (member.find('default') || memberMeaning(name, member, resource).stays) return [];
    if (isKeptByService(name, member, resource)) return [];
    // A body cannot remove a member that it cannot contain.
    const replaced = body && memberShape(body, name);
    if (body && (!replaced || replaced.readOnly)) return [];
    // A required member needs some value, and the old one is as good as any.
    if (name === resource.id?.property || resource.shape.required.has(name)) return [];
    // The member is an alias of the id.
    if (isEqual(old, before[resource.id?.property ?? ''])) return [];
    // The request's path gives the parent.
    if (resource.parents.some(({ property }) => property === name)) return [];
    return {
      law: 'replaced-is-replaced',
      kind: 'kept',
      received: `${name} ${shorten(after[name])}, as before`,
      documented: `no ${name}, which the body that replaced the record leaves out`,
      at: placeOf(member.spot),
      part: toPointer([name]),
    };
  });
}

/** Items of a former value that remain in a set beside their replacements, and that the client, not the service, added. */
export function leftOverItems(
  resource: Resource,
  before: Data,
  sent: Data,
  after: Data,
  added: Readonly<Record<string, readonly unknown[]>> = {},
): Breach[] {
  return documentedMembers(resource, before, after).flatMap(([name, member]) => {
    const [old, wanted, got] = [before[name], sent[name], after[name]];
    if (![old, wanted, got].every(Array.isArray) || !isSet(member, [name])) return [];
    const items = [...(wanted as unknown[]), ...(added[name] ?? [])];
    const left = (old as unknown[]).find((one) => isIn(got as unknown[], one) && !isIn(items, one));
    if (left === undefined) return [];
    return {
      law: 'replaced-is-replaced',
      kind: 'kept',
      received: `${shorten(left)} in ${name}, as before`,
      documented: `nothing of the record that was replaced by ${shorten(sent)}`,
      at: placeOf(member.spot),
    };
  });
}

function isIn(list: readonly unknown[], value: unknown): boolean {
  return list.some((one) => isEqual(one, value));
}

/** The items in a record's sets beyond those that were sent. */
export function addedItems(resource: Resource, sent: Data, got: Data): Record<string, readonly unknown[]> {
  const sets = documentedMembers(resource, sent, got).flatMap(([name, member]): [string, unknown[]][] => {
    const [wanted, items] = [sent[name], got[name]];
    if (!Array.isArray(wanted) || !Array.isArray(items) || !isSet(member, [name])) return [];
    return [[name, items.filter((item) => !isIn(wanted, item))]];
  });
  return Object.fromEntries(sets.filter(([, items]) => items.length > 0));
}

/** The members of either record that its schema, or one of its alternatives, documents. */
export function documentedMembers(
  { shape }: Resource,
  left: Data,
  right: Data,
): [name: string, member: Shape][] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => {
    const member = memberShape(shape, name);
    return member ? [[name, member] as [string, Shape]] : [];
  });
}

/** A value as one short line of JSON. */
export function shorten(value: unknown): string {
  return shortenText(value === undefined ? 'missing' : stringifyJson(value));
}

/** A documented member newly says that the record has ended: the service keeps removed records. */
export function isShownAsEnded({ shape }: Resource, before: Data, got: Data): boolean {
  const endedIn = (form: Shape, record: Data): string[] =>
    Object.entries(record).flatMap(([name, value]) => {
      const member = memberShape(form, name);
      if (member && isRecord(value)) return endedIn(member, value);
      const isText = typeof value === 'string' && member?.values;
      return member && saysEnded(name, member, value) ? [isText ? `${name} ${value}` : name] : [];
    });
  const earlier = endedIn(shape, before);
  return endedIn(shape, got).some((one) => !earlier.includes(one));
}
