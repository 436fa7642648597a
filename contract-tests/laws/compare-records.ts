import {
  hasType,
  isEqual,
  isNumber,
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
  stringifyJson,
  textFormOf,
  toPointer,
  writeMeaning,
} from '#spec';
import type { Data } from '../send/wire.ts';
import type { Breach, LawName } from './law.ts';
import { recordInBody } from './mark.ts';
import { createsAtPath } from './operation-role.ts';
import {
  isKeptByService,
  isPlace,
  isSetByService,
  mayBeAdjusted,
  mayBeShownOtherwise,
} from './sent-members.ts';

/**
 * The documented members that were sent and are not as they were sent; members that the service adds are its own
 * affair. Members without a place in the response's schema, of a type that it does not have there, those that the service
 * keeps itself, and write-only ones promise nothing; what a nested record belongs to is said by its path.
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
  const bodies = writesOf(resource).flatMap((one) => recordInBody(resource, one).shape ?? []);
  const isOpen = (name: string, member: Shape) =>
    mayBeShownOtherwise(name, member, shape) ||
    isSetByService(name, member, { ...resource, shape }) ||
    // What a body says of a member goes for the record, too.
    bodies.some((body) => {
      const own = memberShape(body, name);
      return own !== undefined && own.spot.value !== member.spot.value && mayBeAdjusted(name, own, body);
    });
  const ownName = recordName(Object.values(resource.actions)[0]?.path ?? '');
  const isOpenWithin = (name: string, member: Shape, holder: Shape) =>
    isOpen(name, member) || isOwnId(name, holder) || namesIdOf(name, ownName);
  const grows = law !== 'created-equals-sent';
  const adjusts = writesOf(resource).some((one) => writeMeaning(one).adjusts);
  const how = { trims: !storesAsSent(resource), adjusts, isOpen: isOpenWithin, grows };
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = ofPath.has(name) ? undefined : memberShape(shape, name);
    if (!member || !mayBe(member, value) || isOpen(name, member)) return [];
    if (shows(got[name], value, member, how, name) || isOfPath(got[name], got, resource)) return [];
    if (value === null && (isNeverNull(name, shape) || isFilledIn(law, name, member, shape, got[name])))
      return [];
    return {
      law: typeof value === 'bigint' ? 'exact-integers' : law,
      kind: 'unequal',
      received: `${name} ${shorten(got[name])}`,
      documented: `${name} ${shorten(value)}, as it was sent`,
      at: placeOf(member.spot ?? spot),
      part: toPointer([name]),
    };
  });
}

/** Another name of the id, or of the last part of it, where the path of a PUT says what a record is called. */
function isOfPath(shown: unknown, got: Data, { id, actions }: Pick<Resource, 'actions' | 'id'>): boolean {
  const own = id && got[id.property];
  if (typeof own !== 'string' || typeof shown !== 'string' || !createsAtPath(actions.replace)) return false;
  return shown === own || own.endsWith(`/${shown}`);
}

/** Of a nested record that need not have one, and is no mere reference: the service may give it another one. */
function isOwnId(name: string, holder: Shape): boolean {
  const forms = [holder, ...holder.alternatives].filter(({ properties }) => properties.has(name));
  return (
    name === 'id' && forms.some(({ required, properties }) => !required.has(name) && properties.size > 2)
  );
}

/** What is null may be what was not sent: the service shows the default, or gives a new record a number, as a place in an order. */
function isFilledIn(law: LawName, name: string, member: Shape, record: Shape, shown: unknown): boolean {
  const stated = member.find('default')?.value ?? null;
  if (stated !== null && equalJson(shown, stated)) return true;
  return OF_CREATES.has(law) && isNumber(shown) && (stated === null || isPlace(name, member, record));
}

const OF_CREATES: ReadonlySet<LawName> = new Set<LawName>([
  'created-equals-sent',
  'created-can-be-read',
  'created-is-listed',
]);

/** Whether the document says of a write that what is sent is stored. */
function storesAsSent(resource: Pick<Resource, 'actions'>): boolean {
  return writesOf(resource).some((one) => writeMeaning(one).stores);
}

const writesOf = ({ actions: { create, replace, update } }: Pick<Resource, 'actions'>) =>
  [create, replace, update].filter((one) => one !== undefined);

/** In a merge patch (RFC 7396) null takes a member away; elsewhere it is a value. */
export function withoutNulls(changes: Data): Data {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
}

/** The documented members that changed, but for those named. What the service keeps or computes itself may change. */
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

/** Members that a replacing body left out, and that kept their old value all the same (RFC 9110 §9.3.4). */
export function leftOverMembers(resource: Resource, before: Data, sent: Data, after: Data): Breach[] {
  const { replace } = resource.actions;
  if (replace && writeMeaning(replace).leavesAlone) return [];
  const body = replace && recordInBody(resource, replace).shape;
  return documentedMembers(resource, before, after).flatMap(([name, member]) => {
    const [old, now] = [before[name] ?? undefined, after[name] ?? undefined];
    const kept = old !== undefined && now !== undefined && agree(old, now, member, name);
    if (name in sent || !kept || member.find('default') || memberMeaning(name, member, resource).stays)
      return [];
    if (isKeptByService(name, member, resource)) return [];
    // What a body cannot say of the record it does not take away.
    const replaced = body && memberShape(body, name);
    if (body && (!replaced || replaced.readOnly)) return [];
    // The service has to show something there, and what it has is as good as anything.
    if (name === resource.id?.property || resource.shape.required.has(name)) return [];
    // Another name of the id.
    if (equalJson(old, before[resource.id?.property ?? ''])) return [];
    // The path of the request says what the record belongs to.
    if (resource.parents.some(({ property }) => property === name)) return [];
    return {
      law: 'replaced-is-replaced',
      kind: 'kept',
      received: `${name} ${shorten(after[name])}, as before`,
      documented: `nothing of the record that was replaced by ${shorten(sent)}`,
      at: placeOf(member.spot),
      part: toPointer([name]),
    };
  });
}

/** Items of a former value that stand in a set beside those that replaced them, and that no client but the service added. */
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
    const own = [...(wanted as unknown[]), ...(added[name] ?? [])];
    const left = (old as unknown[]).find((one) => isIn(got as unknown[], one) && !isIn(own, one));
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
  return list.some((one) => equalJson(one, value));
}

/** The items that a record shows in its sets beside those that were sent. */
export function addedItems(resource: Resource, sent: Data, got: Data): Record<string, readonly unknown[]> {
  const sets = documentedMembers(resource, sent, got).flatMap(([name, member]): [string, unknown[]][] => {
    const [wanted, shown] = [sent[name], got[name]];
    if (!Array.isArray(wanted) || !Array.isArray(shown) || !isSet(member, [name])) return [];
    return [[name, shown.filter((one) => !isIn(wanted, one))]];
  });
  return Object.fromEntries(sets.filter(([, items]) => items.length > 0));
}

/** The members of either record that the document knows, in whatever form of the record. */
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

const LONGEST = 240;

/** A value as one line of JSON that people can take in. */
export function shorten(value: unknown): string {
  return shortenText(value === undefined ? 'missing' : stringifyJson(value));
}

export function shortenText(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}

/** A documented member says that the record is over, and none did before: the service keeps what was removed. */
export function isShownAsEnded({ shape }: Resource, before: Data, got: Data): boolean {
  const endedIn = (form: Shape, shown: Data): string[] =>
    Object.entries(shown).flatMap(([name, value]) => {
      const member = memberShape(form, name);
      if (member && isRecord(value)) return endedIn(member, value);
      const isText = typeof value === 'string' && member?.values;
      return member && saysEnded(name, member, value) ? [isText ? `${name} ${value}` : name] : [];
    });
  const earlier = endedIn(shape, before);
  return endedIn(shape, got).some((one) => !earlier.includes(one));
}

/** RFC 3339 §5.6; small letters and a space in the place of T are allowed there. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** Equal as JSON, or the same instant in another notation: `09:00:00Z`, `09:00:00.000Z`, `10:00:00+01:00`. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (equalJson(left, right)) return true;
  const instant = instantOf(left);
  return instant !== undefined && instant === instantOf(right);
}

function instantOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, date, time, fraction = '', zone] = DATE_TIME.exec(value) ?? [];
  const seconds = Date.parse(`${date}T${time}${zone?.toUpperCase()}`);
  return Number.isNaN(seconds) ? undefined : `${seconds}.${fraction.replace(/0+$/, '')}`;
}

/** As {@link sameValue}; null may be shown as absence, and absence as null. */
function sameMember(left: unknown, right: unknown): boolean {
  return sameValue(left ?? null, right ?? null);
}

/** As Go writes a duration, and ISO 8601-1 §5.5.2: hours, minutes, seconds. */
const DURATION = /^(?:PT)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/i;
/** Between two responses of a run, in seconds. */
const WHILE = 60;

/** A time that is left, or has passed, differs with every look. */
function isRunning(left: unknown, right: unknown): boolean {
  const [one, other] = [secondsOf(left), secondsOf(right)];
  return one !== undefined && other !== undefined && Math.abs(one - other) < WHILE;
}

function secondsOf(value: unknown): number | undefined {
  const found = typeof value === 'string' && /\d/.test(value) ? DURATION.exec(value) : null;
  if (!found) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

interface Leniency {
  /** Both were shown, one after the other. */
  readonly running?: boolean;

  /** The document does not say that what is sent is stored as it is: a text may lose the blanks at its ends. */
  readonly trims?: boolean;
  /** The document says that texts are stored in another notation. */
  readonly adjusts?: boolean;
  /** Others may have been made in the meantime, in a list of records that have ids of their own. */
  readonly grows?: boolean;
  /** Members of nested records that need not be shown as they were sent. */
  readonly isOpen?: (name: string, member: Shape, holder: Shape) => boolean;
}

/**
 * Whether a record shows what was sent. In nested records the service may add members, and to a set items of its own, as the
 * owner to those who may read. What it does not show in the type that was sent, such as an object for an id, promises
 * nothing, nor does what has no place there; where both types may be shown, an object has the id.
 * @param names of the member and of those that it is in
 */
export function shows(
  got: unknown,
  sent: unknown,
  shape: Shape | undefined,
  how: Leniency = {},
  ...names: readonly string[]
): boolean {
  if (shape && !mayBe(shape, sent)) return true;
  if (isRecord(sent) && isRecord(got))
    return Object.entries(sent).every(([name, value]) => {
      const member = shape && memberOf(shape, name);
      if (member ? how.isOpen?.(name, member, shape) : shape && namesMembers(shape)) return true;
      if (value === null && shape && isNeverNull(name, shape)) return true;
      return shows(got[name], value, member, how, ...names, name);
    });
  if (Array.isArray(sent) && Array.isArray(got)) {
    const item = (index: number) => (one: unknown) => shows(one, sent[index], shape?.items, how, ...names);
    const mayGrow = how.grows === true && shape?.items?.properties.has('id') === true;
    if (isSet(shape, names) || mayGrow) return sent.every((_, index) => got.some(item(index)));
    return sent.length === got.length && got.every((one, index) => item(index)(one));
  }
  if (
    typeof sent !== 'object' &&
    isRecord(got) &&
    shape &&
    shape.alternatives.length > 0 &&
    mayBe(shape, got)
  )
    return got.id === undefined || sameMember(got.id, sent);
  if (how.running && isRunning(got, sent)) return true;
  if (
    (got === undefined && isEmpty(sent)) ||
    (typeof sent === 'string' && typeof got === 'string' && isMask(got))
  )
    return true;
  return (
    sameMember(got, sent) ||
    isRounded(got, sent, shape) ||
    (how.trims === true && isTrimmed(got, sent)) ||
    (how.adjusts === true && isSameText(got, sent)) ||
    isSameAddress(got, sent, names.at(-1) ?? '', shape)
  );
}

/** The signs that other notations leave out, or have between the others. */
const BETWEEN = /[\s().\-/]+|^\s*(?:\+|00)/g;

/** Texts that differ in case, blanks and such signs alone. */
export function isSameText(got: unknown, sent: unknown): boolean {
  if (typeof got !== 'string' || typeof sent !== 'string') return false;
  const [one, other] = [got, sent].map((text) => text.normalize('NFKC').replace(BETWEEN, '').toLowerCase());
  return one === other;
}

/** An e-mail address in another case (RFC 5321 §2.4), or a telephone in another notation: the same, whatever a document says. */
export function isSameAddress(got: unknown, sent: unknown, name: string, shape: Shape | undefined): boolean {
  const format = String(shape?.find('format')?.value ?? textFormOf(name)).replace('idn-', '');
  if (format === 'phone' || format === 'tel') return isSameText(got, sent);
  return format === 'email' && String(got).trim().toLowerCase() === String(sent).trim().toLowerCase();
}

/** Only of an integer a document promises more digits than a double has. */
function isRounded(got: unknown, sent: unknown, shape: Shape | undefined): boolean {
  const isExact = shape?.mainType === 'integer' || shape?.find('format')?.value === 'int64';
  return !isExact && isNumber(got) && isNumber(sent) && Number(got) === Number(sent);
}

/** Many serializers leave out what has nothing in it. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether the schema, or one of its forms, has room for values of the type and lists the value, whatever else it says. */
export function mayBe({ types, values, alternatives }: Shape, value: unknown): boolean {
  if (value === null) return true;
  if (types && ![...types].some((type) => hasType(value, type))) return false;
  if (values && !values.some((one) => equalJson(one, value))) return false;
  return alternatives.length === 0 || alternatives.some((form) => mayBe(form, value));
}

/** Whether two responses show the same value of a member. */
export function agree(left: unknown, right: unknown, member: Shape, name: string): boolean {
  if (sameMember(left, right)) return true;
  const how = { running: true };
  return shows(left, right, member, how, name) && shows(right, left, member, how, name);
}

/** A response must have the member, and cannot show null: which value it is then no document says. */
function isNeverNull(name: string, shape: Shape): boolean {
  const forms = [shape, ...shape.alternatives].filter(({ properties }) => properties.has(name));
  return (
    forms.length > 0 &&
    forms.every(({ required, properties }) => required.has(name) && !properties.get(name)?.allows(null))
  );
}

/** What it does not name then has no place there. */
function namesMembers({ properties, alternatives }: Shape): boolean {
  return properties.size > 0 || (alternatives.length > 0 && alternatives.every(namesMembers));
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return memberShape(shape, name) ?? shape.additional;
}

/** A secret is shown as if it were being typed. */
export const isMask = (text: string) => /^[*\u2022\u25cf]{3,}$/.test(text);

function isTrimmed(got: unknown, sent: unknown): boolean {
  return typeof sent === 'string' && typeof got === 'string' && got !== sent && got === sent.trim();
}

/** Equal as JSON values: the order of members does not count, integers are exact. */
export const equalJson = isEqual;
