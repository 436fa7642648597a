import { oncePer } from '../json/once-per.ts';
import { firstRole, isRole } from '../meaning/account-roles.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import type { Json, MemberMeaning } from '../meaning/meaning.ts';
import { memberNamed, memberNames } from '../meaning/member-named.ts';
import { EVENTS, momentOf } from '../meaning/moment-name.ts';
import { findNamed, foldedName, idStem, idWord, setOf, singular, wordsOf } from '../meaning/names.ts';
import { isNullable } from '../meaning/paging.ts';
import { isParticiple, stemOf, takenBack, verbOf } from '../meaning/verb.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import { bodyMedia } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretHeader, isSecretName } from '../secret-name.ts';
import { statedMember } from '../stated.ts';
import { memberShape, sentShape, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What a member means, and what speaks for it. */
export interface MemberFact extends MemberMeaning {
  readonly signs: readonly Sign[];
}

type Holds = NonNullable<MemberMeaning['holds']>;
/** The collection with the member in its records, or in objects in them. */
export type Holder = Pick<Resource, 'shape'> & Partial<Pick<Resource, 'id' | 'actions'>>;

const NO_ACTIONS = {};
const meaningsOf = oncePer((_: Shape) => oncePer((_: object, resource: Holder) => readMembers(resource)));

/** What the members of a collection's records mean: of those that mean something, by their names. */
export const memberMeanings = (resource: Holder): ReadonlyMap<string, MemberFact> =>
  meaningsOf(resource.shape)(resource.actions ?? NO_ACTIONS, resource);

function readMembers(resource: Holder): ReadonlyMap<string, MemberFact> {
  const { shape, id } = resource;
  const facts = [...new Set(memberNames(shape))].flatMap((name): [string, MemberFact][] => {
    const member = memberShape(shape, name);
    if (!member || name === id?.property) return [];
    const fact = memberMeaning(name, member, resource);
    const isOther = fact.set === undefined && isUnsent(name, resource);
    const isOwn = withoutNull(member).mainType === 'boolean' && belongsToAccounts(name, shape);
    const signs: Sign[] = [isOther ? ['schema' as const] : [], isOwn ? ['name' as const] : []].flat();
    const whole: MemberFact = {
      ...fact,
      ...(isOther && { set: 'service' }),
      ...(isOwn && { per: 'account' }),
      signs: [...new Set([...fact.signs, ...signs])],
    };
    return whole.signs.length > 0 ? [[name, whole]] : [];
  });
  return new Map(facts);
}

/** What one member means, also in an object within a record, whatever requests can say. */
export function memberMeaning(name: string, member: Shape, { actions, shape }: Partial<Holder>): MemberFact {
  const { isAdjusted, isHiddenInLists, isKeptByService, isLeftAlone, isWrittenAlone } = statedMember(member);
  const holds = holdsOf(name, member);
  // What a create must have is the client's.
  const body = bodyMedia(actions?.create?.body)?.shape;
  const isOurs = !body?.required.has(name) && (isNoted(name, holds) || followsFrom(name, body));
  const first = firstOf(name, member, holds);
  const isInWords = isKeptByService || isWrittenAlone || isAdjusted || isHiddenInLists || isLeftAlone;
  const said =
    shape && memberShape(shape, name) === member ? saidOfRecord(shape).facts.members?.[name] : undefined;
  const signs: readonly (readonly [Sign, boolean])[] = [
    ['said', said !== undefined || member.readOnly || member.writeOnly],
    ['name', holds !== undefined || isOurs || first !== undefined],
    ['schema', holds !== undefined && hasForm(member)],
    ['words', isInWords],
  ];
  const isSet = member.readOnly || isKeptByService || isOurs;
  const isHidden = member.writeOnly || isWrittenAlone;
  return {
    ...(isSet && { set: holds === 'created' ? 'once' : 'service' }),
    ...(holds !== undefined && { holds }),
    ...(isHidden
      ? { hidden: 'always' }
      : isHiddenInLists || holds === 'secret'
        ? { hidden: 'in lists' }
        : {}),
    ...(isAdjusted && { adjusted: true }),
    ...(isLeftAlone && { stays: true }),
    ...(first !== undefined && { first }),
    ...said,
    signs: signs.flatMap(([sign, speaks]) => (speaks ? sign : [])),
  };
}

/** Its schema says more than its type. */
const hasForm = (member: Shape) => {
  const form = withoutNull(member);
  return (form.items ?? form).values !== undefined || form.find('format') !== undefined || member.readOnly;
};

/** No request can say it, so that it follows from other things: a status from a switch, an age from the clock. */
function isUnsent(name: string, resource: Holder): boolean {
  const { create, replace, update } = resource.actions ?? {};
  const collection = { id: undefined, actions: {}, path: '', ...resource };
  const bodies = [create, replace, update].flatMap(
    (operation) => (operation && sentShape(collection, operation)) ?? [],
  );
  return bodies.length > 0 && bodies.every((body) => !memberShape(body, name) && !body.additional);
}

const AUTHORS = setOf(
  'author user owner creator createdby postedby addedby uploadedby submittedby reportedby',
);
const SENDERS = setOf('sender fromuser');
const OTHER_PEOPLE = setOf('assignee reviewer approver receiver recipient follower');
const STATES = setOf('status state stage phase estado etat stato situacao');
const PLACES = setOf('position rank order priority index');
const COUNTS = setOf('count counts total views likes votes downloads retries followers');
const SETS = setOf(
  'permission role scope tag label group member owner user reader writer topic category keyword',
);
/** What stands for the content, and a count of changes. */
const OF_CONTENT = setOf('etag checksum digest fingerprint revision');
const VERSIONS = setOf('version generation revision serial');
const MOMENTS: ReadonlySet<unknown> = new Set(['created', 'changed', 'moment']);

function holdsOf(name: string, member: Shape): Holds | undefined {
  const form = withoutNull(member);
  const { mainType, values } = form;
  const words = wordsOf(name);
  const last = singular(words.at(-1) ?? '');
  const [isNumber, isText] = [mainType === 'integer' || mainType === 'number', mainType === 'string'];
  if (member.find('format')?.value === 'password' || (isText && isSecretName(name))) return 'secret';
  if (isRole(name, member)) return 'role';
  if (values) return STATES.has(last) ? 'state' : undefined;
  if (mainType === 'array') return isSet(member, [name]) ? 'set' : undefined;
  if (isMakerName(name)) return 'maker';
  const isVersion = (isNumber && VERSIONS.has(last)) || (isText && OF_CONTENT.has(last));
  if (words.length === 1 && isVersion) return 'version';
  if (isNumber && PLACES.has(last)) return 'place';
  const counts = /^num(?:ber of)? /.test(words.join(' ')) || COUNTS.has(words.at(-1) ?? '');
  const moment = isNumber || isText ? momentOf(words, form, isNullable(member)) : undefined;
  return moment ?? (mainType === 'integer' && counts ? 'count' : undefined);
}

/** Whether a member has the state of a record, by its name. */
export const isStateName = (name: string): boolean => STATES.has(singular(wordsOf(name).at(-1) ?? ''));

const namedIn =
  (...sets: readonly ReadonlySet<string>[]) =>
  (name: string): boolean =>
    sets.some((set) => set.has(foldedName(name)) || set.has(idStem(name) ?? ''));

/** Whether a member says to whom a record belongs: what a user has sent is not what `/users/{id}/messages` lists. */
export const isAuthorName = namedIn(AUTHORS);
/** Whether a member says who has made a record: `author`, `author_id`, `createdBy`. */
export const isMakerName = namedIn(AUTHORS, SENDERS);
/** Whether a member refers to a person by what the person does: `author`, `assignee_id`. */
export const isPersonName = namedIn(AUTHORS, SENDERS, OTHER_PEOPLE);

/** A list of texts that is a set: each is there once, or is one of a choice, or a name says so. */
export function isSet(shape: Shape | undefined, names: readonly string[]): boolean {
  if (shape?.has('uniqueItems')) return true;
  const isNamed = () => names.some((name) => SETS.has(singular(wordsOf(name).at(-1) ?? '')));
  return shape?.items?.mainType === 'string' && (shape.items.values !== undefined || isNamed());
}

/** What a service notes by itself, whatever is sent: `updated_by`, too. */
function isNoted(name: string, holds: Holds | undefined): boolean {
  const words = wordsOf(name);
  const isBy = words.at(-1) === 'by' && EVENTS.has(words.at(-2) ?? '');
  return isBy || holds === 'version' || MOMENTS.has(holds);
}

/** What a service may make of another member that is sent, with the same words before: the place of an address, a slug of a title. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  slug: ['name', 'title'],
  geo: ['address'],
  coordinate: ['address'],
  lat: ['address'],
  latitude: ['address'],
  lng: ['address'],
  longitude: ['address'],
};

function followsFrom(name: string, body: Shape | undefined): boolean {
  const words = wordsOf(name);
  const noun = singular(words.at(-1) ?? '');
  const sources = Object.hasOwn(DERIVED, noun) ? (DERIVED[noun] ?? []) : [];
  const named = sources.map((source) => [...words.slice(0, -1), source].join('_'));
  return named.some((one) => findNamed(body?.properties.keys() ?? [], one) !== undefined);
}

/** What accounts do each for itself, and follow others by. */
export const FOLLOWING = new Set(['follow', 'subscribe'].map(stemOf));

/** A flag with a count of those who have set it, and what says whom somebody follows. */
function belongsToAccounts(name: string, record: Shape): boolean {
  return FOLLOWING.has(verbOf(name)) || counterOf(verbOf(name), record) !== undefined;
}

const OF_NUMBERS = setOf('num number of total count');

/** The member that counts how often something is done: `favoritesCount`, `star_count`, `likes`, `num_votes`. */
export function counterOf(verb: string, { properties }: Shape): string | undefined {
  return [...properties].find(([name, member]) => {
    const words = wordsOf(name).filter((word) => !OF_NUMBERS.has(word));
    // How many somebody follows is not how many follow.
    const isCount = withoutNull(member).mainType === 'integer' && !name.endsWith('ing');
    return isCount && words.map(stemOf).join('') === verb;
  })?.[0];
}

/** Flags that a record may have from the start. */
const FROM_THE_START = setOf('enabled activated allowed permitted required included');

const PARTICLES = setOf('in out up off on');

/** What is true of a new record: nothing has happened to it, it counts nothing, and is in the first of its states. */
function firstOf(name: string, member: Shape, holds: Holds | undefined): Json | undefined {
  const { mainType, values = [] } = withoutNull(member);
  // `checked_in`
  const last = wordsOf(name).findLast((word) => !PARTICLES.has(word)) ?? '';
  if (holds === 'state') return firstState(values) as Json | undefined;
  if (holds === 'role') return firstRole(member, [], name) as Json | undefined;
  if (holds === 'count') return 0;
  const isFlag = mainType === 'boolean' && !FROM_THE_START.has(last);
  return isFlag && (isParticiple(last) || last.endsWith('ing')) ? false : undefined;
}

/** States that things begin in, wherever an enumeration has them. */
const BEGINNINGS = setOf(
  'draft open opened pending new created todo backlog queued planned received submitted requested placed available waiting unread unpaid',
);
/** States of what is over, by their verbs. */
const ENDED = new Set(
  [
    ...setOf(
      'archived cancelled closed deleted discarded ended expired removed retired revoked terminated trashed voided',
    ),
  ].map(stemOf),
);
/** The verbs of what may be used. */
export const IN_USE = setOf('activ enabl abl');

/** The state that things begin in. */
export function firstState(values: readonly unknown[]): unknown {
  const states = values.filter((value) => value !== null);
  return states.find((value) => BEGINNINGS.has(foldedName(String(value)))) ?? states[0];
}

/** Whether a state says that what is in it is over, or out of use: `cancelled`, `deactivated`, `disabled`. */
export function isEnded(state: string): boolean {
  const verb = verbOf(state);
  return ENDED.has(verb) || IN_USE.has(takenBack(verb) ?? '');
}

/**
 * Whether a member says that its record is over: a state by its value, a flag or a moment by its name, as `archived: true`,
 * `deletedAt` with a value, and `active: false`. When it is to end says nothing of it.
 */
export function saysEnded(name: string, member: Shape, value: unknown): boolean {
  const words = wordsOf(name);
  const isState = member.values !== undefined || STATES.has(singular(words.at(-1) ?? ''));
  if (isState && typeof value === 'string') return isEnded(value);
  if (value === false) return IN_USE.has(verbOf(name));
  const isMoment = !TO_COME.has(verbOf(name)) && momentOf(words, withoutNull(member)) !== undefined;
  return isEnded(name) && (value === true || (isMoment && value != null));
}

const TO_COME = new Set(['end', 'expire'].map(stemOf));

/** A member of records that shows a required header of requests. */
interface KeptHeader extends Basis {
  readonly parameter: Parameter;
  readonly property: string;
}

/** Headers that are called as a member which no client may send in a body: `Shop-Region` and `region`. */
export function headersKept({ parameters }: Operation, record: Shape): KeptHeader[] {
  return parameters.flatMap((parameter): KeptHeader[] => {
    if (parameter.in !== 'header' || !parameter.required || isSecretHeader(parameter.name)) return [];
    const last = wordsOf(parameter.name).at(-1) ?? '';
    const property = memberNamed(record, parameter.name) ?? memberNamed(record, last);
    const member = property === undefined ? undefined : memberShape(record, property);
    if (
      property === undefined ||
      !member?.readOnly ||
      idWord(last) !== undefined ||
      member.mainType !== 'string'
    )
      return [];
    return [{ parameter, property, ...basisOf(['name'], parameter.spot) }];
  });
}
