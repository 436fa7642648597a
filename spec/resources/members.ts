import { firstRole, isRole } from '../meaning/account-roles.ts';
import type { Sign } from '../meaning/basis.ts';
import type { Json, MemberMeaning } from '../meaning/meaning.ts';
import { EVENTS, momentOf } from '../meaning/moment-name.ts';
import { foldedName, idStem, setOf, singular, wordsOf } from '../meaning/names.ts';
import { firstState } from '../meaning/states.ts';
import { isParticiple, stemOf, verbOf } from '../meaning/verb.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import { bodyMedia } from '../media-type.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { statedMember } from '../stated.ts';
import { bodyPath, bodyShape, memberShape, shapeAt, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What a member means, and what speaks for it. */
export interface MemberFact extends MemberMeaning {
  readonly signs: readonly Sign[];
}

type Holds = NonNullable<MemberMeaning['holds']>;
/** The collection with the member in its records, or in objects in them. */
export type Holder = Pick<Resource, 'shape'> & Partial<Pick<Resource, 'id' | 'actions'>>;

const NOTHING: MemberFact = { signs: [] };

/** What the members of a collection's records mean: of those that mean something, by their names. */
export function memberMeanings(resource: Holder): ReadonlyMap<string, MemberFact> {
  const found = known.get(resource.shape)?.get(resource.actions);
  if (found) return found;
  const forms = [resource.shape, ...resource.shape.alternatives];
  const names = new Set(forms.flatMap(({ properties }) => [...properties.keys()]));
  const facts = [...names].flatMap((name): [string, MemberFact][] => {
    const member = memberShape(resource.shape, name);
    if (!member || name === resource.id?.property) return [];
    const fact = withOwn(name, member, resource);
    return fact.signs.length > 0 ? [[name, fact]] : [];
  });
  const meanings = new Map(facts);
  const ofShape = known.get(resource.shape) ?? new Map();
  known.set(resource.shape, ofShape.set(resource.actions, meanings));
  return meanings;
}

const known = new WeakMap<Shape, Map<Holder['actions'], ReadonlyMap<string, MemberFact>>>();

/** What the bodies of writes, and the other members, say beside the member itself. */
function withOwn(name: string, member: Shape, resource: Holder): MemberFact {
  const fact = memberMeaning(name, member, resource);
  const isOther = fact.set === undefined && isUnsent(name, resource);
  const isOwn = withoutNull(member).mainType === 'boolean' && belongsToAccounts(name, resource.shape);
  if (!isOther && !isOwn) return fact;
  return {
    ...fact,
    ...(isOther && { set: 'service' }),
    ...(isOwn && { per: 'account' }),
    signs: [...new Set([...fact.signs, ...((isOther ? ['schema'] : ['name']) as Sign[])])],
  };
}

/** What one member means, also in an object within a record, whatever requests can say. */
export function memberMeaning(name: string, member: Shape, { actions, shape }: Partial<Holder>): MemberFact {
  const create = actions?.create ?? member;
  const ofMember = single.get(member) ?? new Map<unknown, Map<string, MemberFact>>();
  const ofCreate = ofMember.get(create) ?? new Map<string, MemberFact>();
  const found = ofCreate.get(name) ?? read(name, member, bodyMedia(actions?.create?.body)?.shape);
  single.set(member, ofMember.set(create, ofCreate.set(name, found)));
  const isOwn = shape !== undefined && memberShape(shape, name) === member;
  const said = isOwn ? saidOfRecord(shape).facts.members?.[name] : undefined;
  return said ? { ...found, ...said, signs: ['said', ...found.signs] } : found;
}

const single = new WeakMap<Shape, Map<unknown, Map<string, MemberFact>>>();

function read(name: string, member: Shape, body: Shape | undefined): MemberFact {
  const { isAdjusted, isHiddenInLists, isKeptByService, isLeftAlone, isWrittenAlone } = statedMember(member);
  const holds = holdsOf(name, member);
  // What a create must have is the client's.
  const isOurs = !body?.required.has(name) && (isNoted(name, holds) || followsFrom(name, body));
  const set = member.readOnly || isKeptByService || isOurs;
  const hidden = member.writeOnly || isWrittenAlone;
  const first = firstOf(name, member, holds);
  const signs: Sign[] = [
    ...(member.readOnly || member.writeOnly ? (['said'] as const) : []),
    ...(holds !== undefined || isOurs || first !== undefined ? (['name'] as const) : []),
    ...(holds !== undefined && hasForm(member) ? (['schema'] as const) : []),
    ...(isKeptByService || isWrittenAlone || isAdjusted || isHiddenInLists || isLeftAlone
      ? (['words'] as const)
      : []),
  ];
  if (signs.length === 0) return NOTHING;
  return {
    ...(set && { set: holds === 'created' ? 'once' : 'service' }),
    ...(holds !== undefined && { holds }),
    ...(hidden ? { hidden: 'always' } : isHiddenInLists || holds === 'secret' ? { hidden: 'in lists' } : {}),
    ...(isAdjusted && { adjusted: true }),
    ...(isLeftAlone && { stays: true }),
    ...(first !== undefined && { first }),
    signs,
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
  const bodies = [create, replace, update].flatMap((one) => {
    const body = one && shapeAt(bodyShape(one), bodyPath(collection, one));
    return body ?? [];
  });
  return bodies.length > 0 && bodies.every((body) => !memberShape(body, name) && !body.additional);
}

const MAKERS = setOf('author user owner creator createdby sender publisher poster reporter');
const STATES = setOf('status state stage phase');
const PLACES = setOf('position rank order priority index ordinal sequence');
const COUNTS = setOf(
  'count counts total views likes votes downloads retries attempts followers shares replies',
);
const SETS = setOf(
  'permission role scope principal grant acl privilege tag label group member owner user reader writer topic category keyword',
);
/** What stands for the content, and a count of changes; before it may be what it is of. */
const OF_CONTENT = setOf('etag checksum digest fingerprint rev revision');
const VERSIONS = new Set([...OF_CONTENT, ...setOf('version generation serial sequence')]);
const VERSIONED = setOf('resource object lock record row entity current latest');

function holdsOf(name: string, member: Shape): Holds | undefined {
  const form = withoutNull(member);
  const { mainType, values } = form;
  const words = wordsOf(name);
  const last = singular(words.at(-1) ?? '');
  const [isNumber, isText] = [mainType === 'integer' || mainType === 'number', mainType === 'string'];
  const isPassword = member.all('format').some(({ value }) => value === 'password');
  if (isPassword || (isText && isSecretName(name))) return 'secret';
  if (isRole(name, member)) return 'role';
  if (values) return STATES.has(last) ? 'state' : undefined;
  if (mainType === 'array') return isSet(member, [name]) ? 'set' : undefined;
  if (isMakerName(name)) return 'maker';
  const isOfRecord = words.length === 1 || (words.length === 2 && VERSIONED.has(words[0] as string));
  if (isOfRecord && ((isNumber && VERSIONS.has(last)) || (isText && OF_CONTENT.has(last)))) return 'version';
  if (isNumber && PLACES.has(last)) return 'place';
  const moment = isNumber || isText ? momentOf(words, form) : undefined;
  const isOfMany = words[0] === 'num' || (words[0] === 'number' && words[1] === 'of');
  const counts = isOfMany || COUNTS.has(words.at(-1) ?? '');
  return moment ?? (mainType === 'integer' && counts ? 'count' : undefined);
}

/** Whether a member says who has made a record: `author`, `author_id`, `createdBy`. */
export function isMakerName(name: string): boolean {
  return MAKERS.has(foldedName(name)) || MAKERS.has(idStem(name) ?? '');
}

/** A list of texts that is a set: each is there once, or is one of a choice, or a name says so. */
export function isSet(shape: Shape | undefined, names: readonly string[]): boolean {
  if (shape?.has('uniqueItems')) return true;
  const { items } = shape ?? {};
  const isNamed = () => names.some((name) => SETS.has(singular(wordsOf(name).at(-1) ?? '')));
  return items?.mainType === 'string' && (items.values !== undefined || isNamed());
}

/** What a service notes by itself, whatever is sent: `updated_by`, too. */
function isNoted(name: string, holds: Holds | undefined): boolean {
  if (holds === 'created' || holds === 'changed' || holds === 'moment' || holds === 'version') return true;
  const words = wordsOf(name);
  return words.at(-1) === 'by' && EVENTS.has(words.at(-2) ?? '');
}

/** What a service may make of another member that is sent: the place of an address, a path of a title. */
const DERIVED: readonly (readonly [own: ReadonlySet<string>, from: ReadonlySet<string>])[] = [
  [setOf('geo geocode geohash geolocation geopoint coordinate lat latitude lng longitude'), setOf('address')],
  [setOf('slug permalink'), setOf('name title')],
];

/** Whether a member has the name of something that follows from another one of the same prefix. */
function followsFrom(name: string, body: Shape | undefined): boolean {
  const [own, prefix] = lastOf(name);
  const from = DERIVED.find(([names]) => names.has(own))?.[1];
  return [...(body?.properties.keys() ?? [])].some((other) => {
    const [source, before] = lastOf(other);
    return from?.has(source) === true && before === prefix;
  });
}

function lastOf(name: string): [last: string, before: string] {
  const words = wordsOf(name);
  return [singular(words.at(-1) ?? ''), words.slice(0, -1).join(' ')];
}

/** What accounts do each for itself, and follow others by. */
export const FOLLOWING = new Set(['follow', 'subscribe'].map(stemOf));

/** A flag with a count of those who have set it, and what says whom somebody follows. */
function belongsToAccounts(name: string, record: Shape): boolean {
  return FOLLOWING.has(verbOf(name)) || counterOf(verbOf(name), record) !== undefined;
}

/** The member that counts how often something is done: `favoritesCount`, `star_count`, `likes`, `num_votes`. */
export function counterOf(verb: string, { properties }: Shape): string | undefined {
  return [...properties].find(([name, member]) => {
    const { mainType, values } = withoutNull(member);
    const words = wordsOf(name);
    const own = words.filter((word) => !OF_NUMBERS.has(word));
    const last = own.at(-1) ?? '';
    const counts = own.length < words.length || singular(last) !== last;
    // How many somebody follows is not how many follow.
    const isOwn = last.endsWith('ing');
    return mainType === 'integer' && !values && counts && !isOwn && own.map(stemOf).join('') === verb;
  })?.[0];
}

const OF_NUMBERS = setOf('num number of total count');

/** Flags that a record may have from the start. */
const FROM_THE_START = setOf('enabled activated allowed permitted required needed included');

/** What is true of a new record: nothing has happened to it, it counts nothing, and is in the first of its states. */
function firstOf(name: string, member: Shape, holds: Holds | undefined): Json | undefined {
  const { mainType, values } = withoutNull(member);
  const last = wordsOf(name).at(-1) ?? '';
  if (holds === 'state') return firstState(values ?? []) as Json | undefined;
  if (holds === 'role') return firstRole(member, [], name) as Json | undefined;
  if (holds === 'count') return 0;
  const isFlag = mainType === 'boolean' && !FROM_THE_START.has(last);
  return isFlag && (isParticiple(last) || last.endsWith('ing')) ? false : undefined;
}
