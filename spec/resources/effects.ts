import { oncePer } from '../json/once-per.ts';
import type { Sign } from '../meaning/basis.ts';
import type { Json } from '../meaning/meaning.ts';
import { isSentAs, memberNames } from '../meaning/member-named.ts';
import {
  foldedName,
  isFeedName,
  isOwnName,
  isPersonalName,
  sameName,
  setOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { isNullable } from '../meaning/paging.ts';
import {
  isParticiple,
  isVerb,
  participleOf,
  stemOf,
  takenBack,
  VERBS_OF_PATHS,
  verbOf,
} from '../meaning/verb.ts';
import { saysOwn, sentencesIn, textOf } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { accountOperation } from './accounts.ts';
import { counterOf, FOLLOWING, firstState, IN_USE, isStateName, memberMeanings } from './members.ts';
import { lastSegment, recordName, withoutSuffix } from './paths.ts';
import {
  answerShape,
  hasSameSchema,
  memberShape,
  sentShape,
  unwrapped,
  withoutNull,
} from './record-schema.ts';
import type { Described, Resource } from './resource.ts';

/**
 * The verb at the end of a path names the flag, the state, the moment or the counter that it changes, and a list at such
 * an end shows the records that have it.
 */

/** How an operation changes a record. */
export interface Effect {
  /** The new values of members: a value, `$now`, `$account`, `+1`, `-1`, or `$body` for the value in the body. */
  readonly sets: Readonly<Record<string, Json>>;
  /** The change counts for the calling account alone. */
  readonly accountFlag?: {
    /** The flag that shows the change, else the verb. */
    readonly key: string;
    /** False: the change is reverted. */
    readonly isOn: boolean;
  };
  /** What is done already is taken back. */
  readonly toggles?: boolean;
  readonly signs: readonly Sign[];
}

type Records = Pick<Resource, 'path' | 'shape' | 'id' | 'actions'> & Partial<Pick<Resource, 'further'>>;

/**
 * How an operation changes a record: as `x-paddock` says, else as a verb at the end of its path, or the name of
 * a member there, suggests. Undefined: it does not.
 */
export function effectOf(operation: Operation, resource: Records): Effect | undefined {
  const { method, said } = operation;
  if (said.facts.sets) return { sets: said.facts.sets, signs: ['said'] };
  return method === 'GET' ? undefined : inferredEffect(operation, resource);
}

function inferredEffect(operation: Operation, resource: Records): Effect | undefined {
  const { method, path, parameters } = operation;
  const segment = lastSegment(path) ?? '';
  const verb = verbOf(segment);
  const isOn = method !== 'DELETE';
  const opposite = takenBack(verb);
  const undone = () => (opposite === undefined ? undefined : setsOf(opposite, !isOn, resource));
  const effect =
    verb === '' ? undefined : (setsOf(verb, isOn, resource) ?? undone() ?? switched(segment, resource));
  // `POST /invoices/{id}/payments` creates one of several payments: the invoice's state depends on all of them.
  const isPart = singularName(segment) !== foldedName(segment) && !showsRecord(operation, resource);
  if (effect)
    return isPart
      ? undefined
      : {
          ...effect,
          toggles: isOn && isToggle(operation, effect, resource),
          sets: { ...noted(operation, resource), ...effect.sets },
        };
  const state = stateAfter(segment, isOn, resource);
  if (state) return state;
  const body = sentShape(resource, operation);
  const sent = [...(body ? memberNames(body) : []), ...parameters.map(({ name }) => name)];
  const target = changedBy(segment);
  const exact = [...resource.shape.properties.keys()].find((name) => sameName(name, target));
  const isValue = operation.body !== undefined && body?.mainType !== 'object';
  const isSent = sent.some((name) => isSentAs(name, target)) || isValue;
  if (exact !== undefined && isSent) return { sets: { [exact]: '$body' }, signs: ['name'] };
  // `POST /books/{id}/favorite` without a flag in the book, where `/me/favorites` lists the favorites.
  const isListed = resource.further?.some(
    ({ role, operation: { path: at } }) =>
      role === 'view' && isOwnPath(at) && verbOf(lastSegment(at) ?? '') === verb,
  );
  if (isListed) return { sets: {}, accountFlag: { key: segment, isOn }, signs: ['name'] };
  return operation.body ? setByBody(operation, resource) : setByQuery(operation, resource);
}

/** Whether a repeated action reverts a flag: by the word `toggle`, or if no operation takes back what an account has set. */
function isToggle(
  { path, method }: Operation,
  { accountFlag, sets }: Effect,
  { further = [] }: Records,
): boolean {
  if (!Object.values(sets).includes(true)) return false;
  const segment = lastSegment(path) ?? '';
  const isBack = (other: Operation) =>
    (other.path === path && other.method !== method) ||
    takenBack(verbOf(lastSegment(other.path) ?? '')) === verbOf(segment);
  const isOwn = accountFlag ? sets[accountFlag.key] === true : isPersonalName(segment);
  return wordsOf(segment).includes('toggle') || (isOwn && !further.some((one) => isBack(one.operation)));
}

/** The only flag of a record, which `/todos/{id}/toggle` can mean. */
function switched(segment: string, { shape }: Records): Effect | undefined {
  const [flag, ...more] = [...shape.properties].filter(([, one]) => withoutNull(one).mainType === 'boolean');
  return segment === 'toggle' && flag && more.length === 0
    ? { sets: { [flag[0]]: true }, signs: ['name'] }
    : undefined;
}

/** A write below a record whose body has only members of the record: `PUT /shops/{id}/settings`. */
function setByBody(operation: Operation, resource: Records): Effect | undefined {
  const { shape, id } = resource;
  const sent = sentShape(resource, operation)?.properties ?? [];
  const names = [...sent].flatMap(([name, member]) => (member.readOnly ? [] : name));
  const isOwn = (name: string) => name !== id?.property && shape.properties.get(name)?.readOnly === false;
  const [verb = ''] = wordsOf(lastSegment(operation.path) ?? '');
  const isCalled = VERBS_OF_PATHS.get(verb) === 'changed';
  const isChange =
    ['PUT', 'PATCH'].includes(operation.method) || isCalled || showsRecord(operation, resource);
  if (!isChange || names.length === 0 || !names.every(isOwn)) return undefined;
  return { sets: Object.fromEntries(names.map((name) => [name, '$body'])), signs: ['name'] };
}

function showsRecord(operation: Operation, { path, shape }: Records): boolean {
  const answer = unwrapped(answerShape(operation), recordName(path));
  return answer !== undefined && hasSameSchema(answer, shape);
}

/** Texts of the body for members that no other operation sets: the `reason` of a `cancel`. */
function noted(operation: Operation, resource: Records): Effect['sets'] {
  const { create } = resource.actions;
  const taken = create && sentShape(resource, create)?.properties;
  const isFree = ({ mainType, values }: Shape) => mainType === 'string' && !values;
  const names = [...(sentShape(resource, operation)?.properties ?? [])].flatMap(([name, sent]) => {
    const member = memberShape(resource.shape, name);
    return member && isFree(withoutNull(sent)) && isFree(withoutNull(member)) && !taken?.has(name)
      ? [name]
      : [];
  });
  return Object.fromEntries(names.map((name) => [name, '$body']));
}

/** Frameworks take plain values of a function without a body from the query: `POST /orders/{id}/assign?assigned_to=7`. */
function setByQuery({ parameters }: Operation, { shape, id }: Records): Effect | undefined {
  const names = [...shape.properties.keys()].filter(
    (name) =>
      name !== id?.property &&
      parameters.some((parameter) => parameter.in === 'query' && isSentAs(parameter.name, name)),
  );
  if (names.length === 0) return undefined;
  return { sets: Object.fromEntries(names.map((name) => [name, '$body'])), signs: ['name'] };
}

/** The member that a segment changes: `status` for `update-status`. */
function changedBy(segment: string): string {
  const [verb = '', ...rest] = wordsOf(segment);
  const isVerb = VERBS_OF_PATHS.has(verb) || verb === 'set';
  return rest.length > 0 && isVerb ? rest.join('-') : segment;
}

/** Verbs that lead to a state named after them. */
const TO_STATES: ReadonlySet<string> = new Set(
  [
    ...setOf(
      'accept activate approve archive authorize ban block cancel close complete confirm decline deliver disable dispatch ' +
        'end expire finish fulfill lock pause pay publish refund reimburse reject resolve return revoke ship start stop ' +
        'submit suspend verify void',
    ),
  ].map(stemOf),
);

/** The state after a verb where states are free texts: the participle of the verb, capitalised as the example is. */
function stateAfter(segment: string, isOn: boolean, { shape }: Records): Effect | undefined {
  const verb = verbOf(segment);
  const back = takenBack(verb) ?? '';
  const isBack = TO_STATES.has(back);
  const [name, member] =
    [...shape.properties].find(([other, one]) => {
      const { mainType, values } = withoutNull(one);
      return isStateName(other) && mainType === 'string' && !values;
    }) ?? [];
  if (name === undefined || !member || !(isBack || TO_STATES.has(verb))) return undefined;
  const example = [member.find('default')?.value, ...member.examples].find((one) => typeof one === 'string');
  const word = wordsOf(segment).at(-1) ?? '';
  const done = isParticiple(word) ? word : participleOf(word);
  const begins = verbOf(example ?? '') === (isBack ? back : verb) ? 'active' : (example ?? 'active');
  if (isOn === isBack) return { sets: { [name]: begins }, signs: ['name'] };
  const written = example === undefined || example !== example.toUpperCase() ? done : done.toUpperCase();
  return { sets: { [name]: written }, signs: ['name'] };
}

/**
 * The changes of members whose names contain a form of the verb: `favorite` sets `favorited` and counts in `favoritesCount`,
 * `cancel` sets the `status` to `cancelled`, and sets `cancelledAt`.
 * @param isOn false: revert the change
 */
function setsOf(verb: string, isOn: boolean, { shape, id }: Records): Effect | undefined {
  const sets: Record<string, Json> = {};
  const meanings = memberMeanings({ shape, id });
  let flag: string | undefined;
  for (const [name, member] of shape.properties) {
    const { mainType, values } = withoutNull(member);
    const { holds = '' } = meanings.get(name) ?? {};
    const isTakenBack = isVerb(verb, takenBack(verbOf(name)) ?? '');
    if (mainType === 'boolean' && (isTakenBack || isVerb(verbOf(name), verb))) {
      flag ??= name;
      // `enable` clears `disabled`.
      sets[name] = isOn !== isTakenBack;
    } else if (holds === 'state') {
      const own =
        values?.find((value) => isVerb(verbOf(String(value)), verb)) ??
        values?.find((value) => isInfinitive(verb, foldedName(String(value))));
      if (own !== undefined)
        sets[name] = (isOn ? own : firstState((values ?? []).filter((value) => value !== own))) as Json;
    } else if (isWhen(holds, member) && verbOf(name) === verb) sets[name] = isOn ? '$now' : null;
  }
  const counter = counterOf(verb, shape);
  if (counter !== undefined) sets[counter] = isOn ? '+1' : '-1';
  if (Object.keys(sets).length === 0) return undefined;
  const isOwn = flag === undefined ? counter !== undefined : meanings.get(flag)?.per === 'account';
  return { sets, ...(isOwn && { accountFlag: { key: flag ?? verb, isOn } }), signs: ['name'] };
}

/** The moment of the change: one by its name, or a nullable one such as the `check_in_time` of a `check-in`. */
const isWhen = (holds: string, member: Shape) =>
  ['created', 'changed', 'moment'].includes(holds) ||
  (holds === '' &&
    isNullable(member) &&
    ['date', 'date-time'].includes(String(withoutNull(member).find('format')?.value)));

/** Participles of other languages that share a stem with the infinitive: `cancelar` and `cancelada`. */
const isInfinitive = (verb: string, state: string) =>
  verb.length >= 6 && /[aei]r$/.test(verb) && state.startsWith(verb.slice(0, -2));

/** The flags of a collection that each account has for itself, or the verbs that stand for them. */
export const accountFlags = oncePer((resource: Resource): readonly string[] => {
  const flags = resource.further.flatMap(({ role, operation }) =>
    role === 'action' ? (effectOf(operation, resource)?.accountFlag?.key ?? []) : [],
  );
  return [...new Set(flags)];
});

/** The collection with such flags whose records an object shows, whole or in part: the author of an article. */
export function flaggedIn(shape: Shape, resources: readonly Resource[]): Resource | undefined {
  return resources.find((resource) => {
    const hasId = resource.id !== undefined && memberShape(shape, resource.id.property) !== undefined;
    return hasId && accountFlags(resource).some((flag) => memberShape(shape, flag));
  });
}

/** The flag by which accounts follow records of a collection; undefined: there is none. */
export function followOf(resource: Resource): string | undefined {
  return accountFlags(resource).find((flag) => FOLLOWING.has(verbOf(flag)));
}

/**
 * The values that all records of a list have, by the end of its path: `/feed` lists those of followed accounts,
 * `/users/{name}/likes` what that user likes. Undefined: the list is not restricted.
 */
export function whereOf(
  operation: Pick<Operation, 'method' | 'path' | 'said' | 'spot'>,
  resource: Resource,
  { operations, resources }: Described,
  item: Shape = resource.shape,
): Readonly<Record<string, Json>> | undefined {
  const { path, said } = operation;
  if (said.facts.where) return said.facts.where;
  const segment = lastSegment(path) ?? '';
  const flag = accountFlags(resource).find((key) => verbOf(key) === verbOf(segment));
  if (flag !== undefined) {
    const [parameter] = /^\{.+\}$/.exec(path.split('/').at(-2) ?? '') ?? [];
    const isOfAll = parameter === undefined && !resource.shape.properties.has(flag) && !isOwnPath(path);
    return isOfAll ? undefined : { [flag]: parameter ?? true };
  }
  const stood = saidOf(segment, path, resource) ?? ownIn(operation, resource, operations);
  if (stood) return stood;
  if (!isFeedName(segment)) return undefined;
  const [maker] = [...item.properties].flatMap(([member, inner]) => {
    const to = inner.mainType === 'object' ? flaggedIn(inner, resources) : undefined;
    return to?.id && followOf(to) ? `${member}.${to.id.property}` : [];
  });
  return maker === undefined ? undefined : { [maker]: '$followed' };
}

/** The restriction by a segment below the collection: `/orders/pending` by a state, `/users/active` by a flag. */
function saidOf(
  segment: string,
  path: string,
  { path: of, shape, id }: Resource,
): Readonly<Record<string, Json>> | undefined {
  const [stateSegment] = path.startsWith(`${of}/`) ? path.slice(of.length + 1).split('/') : [];
  if (stateSegment !== segment) return undefined;
  const meanings = memberMeanings({ shape, id });
  const verb = verbOf(segment);
  for (const [name, member] of shape.properties) {
    const { mainType, values } = withoutNull(member);
    const state = values?.find((value) => sameName(String(value), segment));
    if (state !== undefined && meanings.get(name)?.holds === 'state') return { [name]: state as Json };
    if (mainType !== 'boolean') continue;
    const flag = verbOf(name);
    const isOn = isFlag(flag, verb) ? true : isFlag(flag, takenBack(verb) ?? '') ? false : undefined;
    if (isOn !== undefined) return { [name]: isOn };
  }
  return undefined;
}

/** `/me/favorites`, `/my-favorites` */
const isOwnPath = (path: string) => path.split('/').some((one) => one === 'me' || isOwnName(one));

/** A key in place of a member, for records without a member that names their maker. */
export const MAKER = '$maker';

/** The restriction to records that the caller created, by words or the path. */
function ownIn(
  operation: Pick<Operation, 'method' | 'path' | 'spot'>,
  resource: Resource,
  operations: readonly Operation[],
): Readonly<Record<string, Json>> | undefined {
  const isSaid = isOfAccount(operation);
  const [maker] = isSaid
    ? [...memberMeanings(resource)].flatMap(([name, { holds }]) => (holds === 'maker' ? name : []))
    : [];
  if (maker !== undefined) return { [maker]: '$account' };
  return listsOwnMade(operation, resource, operations) ? { [MAKER]: '$account' } : undefined;
}

const isOfAccount = ({ path, spot }: Pick<Operation, 'path' | 'spot'>): boolean =>
  isOwnPath(path) || sentencesIn(textOf(spot)).some(saysOwn);

/**
 * Whether a list shows what the caller created though no member names the maker: `/me/addresses`,
 * `/cart`; or of its own record: `/profile` beside a `/profile/update` of the account.
 */
function listsOwnMade(
  { method, path, spot }: Pick<Operation, 'method' | 'path' | 'spot'>,
  resource: Resource,
  operations: readonly Operation[],
): boolean {
  if (method !== 'GET' || path.includes('{')) return false;
  const isMade =
    resource.actions.create !== undefined || resource.further.some(({ role }) => role === 'create');
  const isOwn = isOfAccount({ path, spot }) || isPersonalName(lastSegment(path) ?? '');
  const isOfCurrent = (operation: Operation) =>
    accountOperation(operation)?.role === 'current' && operation.path.startsWith(`${withoutSuffix(path)}/`);
  return (isMade && isOwn) || operations.some(isOfCurrent);
}

/** `enabled` is what `/active` shows as well. */
const isFlag = (flag: string, verb: string) =>
  isVerb(flag, verb) || [flag, verb].every((one) => IN_USE.has(one));
