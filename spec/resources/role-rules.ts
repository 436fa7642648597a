import { addProblem } from '../document/spot.ts';
import type { Sign } from '../meaning/basis.ts';
import { foldedName, idStem, idWord, namesIdOf, sameName, setOf, wordsOf } from '../meaning/names.ts';
import { type Method, type Operation, pathParameters, SAFE_METHODS } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import {
  type Draft,
  isGet,
  isMadeNowhere,
  isOfMany,
  isOneRecord,
  isWhole,
  namesRecordOf,
  type Verbs,
} from './collections.ts';
import { effectOf } from './effects.ts';
import { idInBody, linksTo } from './identity.ts';
import { itemsOf, listForm, listPlace } from './list-form.ts';
import { isManyOf, makesManySigns, manyItem } from './many.ts';
import { parentMember } from './parent-member.ts';
import { collectionPath, itemOf, lastSegment, recordName, singularPath, withoutSuffix } from './paths.ts';
import {
  answerShape,
  bodyShape,
  memberShape,
  sameRecord,
  schemaKey,
  sharesMembers,
  unwrapped,
} from './record-schema.ts';
import { shownNames } from './references.ts';
import { declaredRole, type FurtherRole, type ListPlace, ON_ONE, type Parent } from './resource.ts';
import { isLike, isMadeAlike, isMirror, isRead, isTwin, isWholeAt, nearest } from './same-collection.ts';

/** The collections that there are. */
export interface Context {
  readonly drafts: readonly Draft[];
  /** By the path, and by {@link singularPath}. */
  readonly byPath: Map<string, Draft>;
  /** The collections whose records other paths list. */
  readonly viewedAt: Map<string, Draft>;
  /** The paths of others at which records of a collection are made. */
  readonly madeAt: Set<string>;
  readonly verbs: Verbs;
  /** The paths that a GET reads or lists. */
  readonly shown: ReadonlySet<string>;
  /** The paths at which something else than that is done. */
  readonly written: ReadonlySet<string>;
}

/** What an operation does, with the records of which collection. */
export interface Match {
  readonly draft: Draft;
  readonly role: FurtherRole;
  readonly signs: readonly Sign[];
}

export type Rule = (operation: Operation, context: Context) => Match | undefined;

/** What the document says of an operation; what it leaves open follows from the path. */
const said: Rule = (operation, context) => {
  const { path } = operation;
  const { resource, action, spot } = declaredRole(operation);
  if (!spot) return undefined;
  const place = listPlace(operation);
  if ((action === 'list' || action === 'view') && !place)
    return addProblem(spot, `a ${action} is declared, but the response of success holds no array of objects`);
  const above = nearestAbove(path, context);
  const draft = resource ? context.byPath.get(withoutSuffix(resource)) : above?.draft;
  if (!draft)
    return addProblem(
      spot,
      resource
        ? `${resource} has no operation that lists or reads its records`
        : `no collection has a path above ${path}; name one, as in x-paddock: { view: /pets }`,
    );
  const open = below(operation, context)?.role ?? (place ? 'view' : 'action');
  const role = action === 'list' ? 'view' : action === 'singleton' ? undefined : (action ?? open);
  const isInBody = bodyShape(operation)?.properties.has(draft.id?.property ?? '');
  if (role && ON_ONE.has(role) && pathParameters(path).length === 0 && !isInBody)
    return addProblem(
      spot,
      `"${role}" works on one record, but neither ${path} nor its body has the id of one`,
    );
  return role && { draft, role, signs: ['said'] };
};

const LOOKS = setOf('search filter find query');

/** A list of the records of a collection; also one that a POST at its path asks for, as a search does. */
const listed: Rule = (operation, { drafts, byPath }) => {
  const isMany = bodyShape(operation)?.mainType === 'array' || isOfMany(operation);
  const plain = withoutSuffix(operation.path);
  const above = LOOKS.has(lastSegment(plain) ?? '') ? plain.slice(0, plain.lastIndexOf('/')) : plain;
  const isSearch = !isMany && byPath.has(above);
  const isAsked = isGet(operation) || (operation.method === 'POST' && isSearch);
  const items = isAsked ? itemsOf(operation) : undefined;
  const key = items && !isOneRecord(operation) ? schemaKey(items) : undefined;
  if (!items || key === undefined) return undefined;
  const { path } = operation;
  const same = drafts.filter(({ keys }) => keys.has(key));
  const draft =
    nearest(path, [...same.filter(isRead), ...drafts.filter(isLike(path, items))]) ??
    nearest(path, same.length > 0 ? same : drafts.filter(isMirror(path, items)));
  // A POST beside the collection may do something to what it lists.
  const isSure = isGet(operation) || above === plain;
  return draft && { draft, role: 'view', signs: isSure ? ['schema', 'path'] : ['schema'] };
};

/** What lists or reads the records of a collection of the same name at another path. */
const beside: Rule = (operation, { drafts }) => {
  const path = withoutSuffix(operation.path);
  const items = itemsOf(operation);
  const shown = items ?? (itemOf(path) && unwrapped(answerShape(operation), recordName(path)));
  if (!isGet(operation) || !shown) return undefined;
  const draft = nearest(path, drafts.filter(isTwin(collectionPath(path), shown)));
  return draft && { draft, role: items ? 'view' : 'read', signs: ['name'] };
};

const showsRecord = (shown: Shape, { keys, shape }: Draft) =>
  keys.has(schemaKey(shown)) || sharesMembers(shown, shape);

/** One record by what its path or its query says of it: `/clients/search?email=`, `/clients/telegram/{tg_id}`, `/clients/latest`. */
const foundBy: Rule = (operation, { drafts }) => {
  const path = withoutSuffix(operation.path);
  const shown = isGet(operation) ? unwrapped(answerShape(operation)) : undefined;
  const isBelow = (one: Draft) => path.startsWith(`${one.path}/`) && one.actions.list !== undefined;
  const draft =
    shown &&
    nearest(
      path,
      drafts.filter((one) => isBelow(one) && showsRecord(shown, one)),
    );
  if (!draft) return undefined;
  const rest = path.slice(draft.path.length);
  const read = (...signs: readonly Sign[]): Match => ({ draft, role: 'read', signs });
  const isItem = rest.startsWith(`/{${draft.id?.parameter}}/`);
  if (isItem && DETAILS.has(lastSegment(rest) ?? '')) return read('name');
  const names = pathParameters(rest);
  const isNamed = names.every((name) => namesOther(`{${name}}`, draft));
  const { filters, usual } = listForm(operation, WHOLE, draft.shape);
  if (isNamed && names.length + filters.length > 0) return read('schema', 'path');
  return isNamed && usual?.signs?.includes('name') ? read('name') : undefined;
};

/** The record itself behind another word, at its own path or a mirror's: `/vendors/{id}/performance`. */
const shownWhole: Rule = (operation, { drafts, written }) => {
  const path = withoutSuffix(operation.path);
  const shown = isGet(operation) && !written.has(path) ? unwrapped(answerShape(operation)) : undefined;
  const draft = shown && nearest(path, drafts.filter(isWholeAt(path, shown)));
  const isOther = draft && namesOther(`{${pathParameters(path).at(-1)}}`, draft);
  return draft && !isOther ? { draft, role: 'read', signs: ['name'] } : undefined;
};

/**
 * A POST with a body that has members of a collection makes one of its records where the success shows it: unless the path
 * names a record of the same kind. That it is called like the collection, and 201, speak for it as well.
 */
const created: Rule = (operation, context) => {
  const { drafts, viewedAt } = context;
  const path = withoutSuffix(operation.path);
  const sent = bodyShape(operation);
  if (operation.method !== 'POST' || !sent || sent.mainType === 'array') return undefined;
  const name = recordName(path);
  const answer = unwrapped(answerShape(operation), name);
  const isExact = (one: Draft) => answer !== undefined && one.keys.has(schemaKey(answer));
  const isAdded = nearestAbove(path, context)?.draft.shape.properties.has(lastSegment(path) ?? '');
  const isAlike = (one: Draft) =>
    answer && (isLike(path, answer)(one) || (recordName(one.path) === name && sameRecord(answer, one.shape)));
  const same = drafts.filter((one) => isExact(one) || (!isAdded && isAlike(one)));
  const shown = same.some(isRead) ? same.filter(isRead) : same;
  // What several collections have in their records says of none that it is meant, unless it is called so.
  const isOne = new Set(shown.map((one) => recordName(one.path))).size === 1;
  const known = drafts.filter((one) => {
    const isNamesake = recordName(one.path) === name;
    const isMeant =
      isNamesake ||
      [...sent.properties.keys()].some((own) => memberShape(one.shape, own)) ||
      shownNames(sent.properties, one.shape).size > 0;
    const isShown = isMeant && (isOne || isNamesake) && shown.includes(one);
    return isShown || linksTo(Object.values(one.actions), one.id?.parameter, operation).length > 0;
  });
  const isBelow = (one: Draft) => itemOf(path) === undefined && isMadeAlike(sent, one);
  const draft = nearest(
    path,
    known.filter(
      (one) => path === one.path || viewedAt.get(path) === one || !namesRecord(path, one) || isBelow(one),
    ),
  );
  if (!draft) return undefined;
  // In the same number: `/charges/{charge}/dispute` is the one of a charge, which a POST may change.
  const isCalledSo = sameName(lastSegment(path) ?? '', lastSegment(draft.path) ?? '');
  const shows: Sign = isExact(draft) ? 'schema' : 'name';
  const signs: readonly Sign[] = isCalledSo && isRead(draft) ? [shows, 'path'] : [shows];
  const isMade = isRead(draft) && explicitStatuses(operation.responses).includes(201);
  return { draft, role: 'create', signs: isMade ? [...signs, 'said'] : signs };
};

/** Whether a path has the id of a record of the collection, or ends in a parameter. */
function namesRecord(path: string, draft: Draft): boolean {
  const nouns = path.split('/{').slice(0, -1).map(recordName);
  return itemOf(path) !== undefined || nouns.includes(recordName(draft.path));
}

/** What only a verb in the path suggests. */
const named: Rule = (operation, { verbs, byPath }) => {
  const { collection, action, parameter } = verbs.get(operation) ?? {};
  const draft = byPath.get(collection ?? '');
  if (!draft || !action) return undefined;
  const isMeant =
    {
      list: listPlace(operation),
      create: answerShape(operation)?.mainType !== 'array',
    }[action as string] ??
    parameter ??
    bodyShape(operation)?.properties.get(draft.id?.property ?? '');
  return isMeant ? { draft, role: action === 'list' ? 'view' : action, signs: ['name'] } : undefined;
};

const CHANGES: Partial<Record<Method, FurtherRole>> = {
  ...{ PUT: 'update', PATCH: 'update', POST: 'update', DELETE: 'remove' },
};

/** What changes one of the records of a name that others list and make below theirs: `/comments/{id}` of `/posts/{id}/comments`. */
const shallow: Rule = (operation, { drafts, byPath }) => {
  const { above = '', parameter = '' } = itemOf(operation.path) ?? {};
  // A POST to what is called otherwise may do anything to it.
  const isChange = operation.method !== 'POST' || namesIdOf(parameter, recordName(above));
  const role = isChange ? CHANGES[operation.method] : undefined;
  const isOwn = above.includes('{') || byPath.has(above) || byPath.has(singularPath(above));
  if (!role || parameter === '' || isOwn) return undefined;
  const alike = drafts.filter((one) => one.path.includes('{') && recordName(one.path) === recordName(above));
  // `/albums/comments/{id}` is one of `/albums/{id}/comments`, whatever else has comments.
  const beside = alike.filter((one) => one.path.startsWith(`${above.slice(0, above.lastIndexOf('/'))}/{`));
  const [draft, ...more] = beside.length > 0 ? beside : alike;
  const isId = draft?.id && (idWord(parameter) !== undefined || parameter === draft.id.property);
  return draft && isId && more.length === 0 ? { draft, role, signs: ['name'] } : undefined;
};

const several: Rule = (operation, { drafts }) => {
  if (operation.method !== 'POST' || !manyItem(operation)) return undefined;
  const found = drafts.map((draft) => ({ draft, signs: makesManySigns(operation, draft) }));
  const made = found.find(({ signs }) => signs.length > 1);
  return made && { ...made, role: 'createMany' };
};

/** The rules by which operations are put to collections, the surest first. */
export const RULES: readonly Rule[] = [
  said,
  listed,
  beside,
  foundBy,
  shownWhole,
  several,
  created,
  named,
  shallow,
];

/** What is not read from a schema alone: the collection is the nearest above in the path. */
export const below: Rule = (operation, context) => {
  const plain = withoutSuffix(operation.path);
  const viewed = operation.method === 'DELETE' ? context.viewedAt.get(plain) : undefined;
  if (viewed && isSelection(plain, viewed, operation))
    return { draft: viewed, role: 'removeMany', signs: ['path'] };
  const above = nearestAbove(operation.path, context);
  if (!above || context.madeAt.has(plain)) return undefined;
  const { draft, segments } = above;
  const roleBelow = segments[0]?.startsWith('{') ? belowOne : belowAll;
  const [role, ...signs] = roleBelow(operation, draft, segments, context) ?? [];
  return role && { draft, role, signs: ['path', ...signs] };
};

/** Whether a path of others lists some of the records of a collection: `/issues/{id}/blockers` lists issues, and removes none. */
function isSelection(path: string, viewed: Draft, operation: Operation): boolean {
  return parentsAt(path, viewed, [operation]).every(
    ({ parameter, property }) => property !== undefined || viewed.path.includes(`{${parameter}}`),
  );
}

/** By the segments behind the path of a collection; the signs are those beside the path. */
type RoleBelow = (
  operation: Operation,
  draft: Draft,
  segments: readonly string[],
  context: Context,
) => readonly [role: FurtherRole, ...signs: Sign[]] | undefined;

/** What is done to one record, or below it. */
const belowOne: RoleBelow = (operation, draft, segments, context) => {
  const { method, path } = operation;
  const plain = withoutSuffix(path);
  const [first = '', second, ...more] = segments;
  if (SAFE_METHODS.has(method)) return undefined;
  // `POST /crops/{fieldId}` makes one of a field, `POST /enrolments/{studentId}/{courseId}` one of both.
  const isOfOthers = segments.every((one) => one.startsWith('{'));
  // `/pets/{id}/status/{status}`
  if (more.length > 0 && !isOfOthers)
    return plain.endsWith(setTo(second ?? '')) ? ['action', 'name'] : undefined;
  if (isOfOthers && method === 'POST' && isOfOther(first.slice(1, -1), context, draft))
    return ['create', 'name'];
  if (method === 'DELETE' && WHOLLY.has(foldedName(second ?? ''))) return ['remove', 'name'];
  if (second !== undefined) return context.shown.has(plain) ? undefined : ['action'];
  const body = bodyShape(operation);
  // At another path than that of the collection: `/admin/pets/{id}`.
  const isOther = namesOther(first, draft);
  if (method === 'DELETE' && !isOther) return ['remove'];
  if (method === 'PUT' && body && !isOther) return [isWhole(operation, draft) ? 'replace' : 'update'];
  if (method === 'PATCH') return [body ? 'update' : 'action'];
  if (method !== 'POST') return undefined;
  const isChanged = (draft.actions.update ?? draft.actions.replace) !== undefined;
  if ((isChanged || !body) && first === `{${draft.id?.parameter}}` && isMadeNowhere(draft)) return ['create'];
  return [isChanged ? 'action' : 'update'];
};

/** What is done to several records, or to one that is not named behind the path of the collection. */
const belowAll: RoleBelow = (operation, draft, segments) => {
  const { method } = operation;
  const [first, second, ...more] = segments;
  const body = bodyShape(operation);
  if (method === 'POST' && isManyOf(operation, draft)) return ['createMany', 'schema'];
  // `/files/download/{id}` names one of them.
  const name = more.length === 0 && second?.startsWith('{') ? second.slice(1, -1) : undefined;
  const isNamed = name !== undefined && namesRecordOf(name, draft);
  const isMeant = isNamed && (isGet(operation) ? isRead(draft) : effectOf(operation, draft));
  // `DELETE /users/email/{email}`
  if (method === 'DELETE' && name !== undefined && !isNamed && namesOther(`{${name}}`, draft))
    return ['removeMany'];
  // `/notifications/read-all`
  const isOfAll =
    second === undefined && method !== 'DELETE' && !body && wordsOf(first ?? '').includes('all');
  if (isOfAll && effectOf(operation, draft)) return ['updateMany'];
  if (first !== undefined) return isMeant ? ['action'] : undefined;
  if (method === 'DELETE') return ['removeMany'];
  if (method !== 'PUT' && method !== 'PATCH') return undefined;
  if (idInBody(draft, body) === undefined) return ['updateMany'];
  return [method === 'PUT' && isWhole(operation, draft) ? 'replace' : 'update', 'schema'];
};

/** Whether a path parameter is called as a member that is not the id. */
export const namesOther = (segment: string, { shape, id }: Draft): boolean =>
  segment !== `{${id?.property}}` && memberShape(shape, segment.slice(1, -1)) !== undefined;

export const setTo = (member: string) => `/${member}/{${member}}`;

/** Below a record all of it. */
const DETAILS = setOf('detail details info full');

/** What is beside a removal that leaves nothing. */
const WHOLLY = setOf('permanent permanently force forced hard purge destroy');

/** Whether a path parameter names the records of another collection. */
function isOfOther(parameter: string, { byPath }: Context, { path, id }: Draft): boolean {
  const stem = parameter === id?.parameter ? undefined : idStem(parameter);
  return (
    stem !== undefined &&
    stem !== recordName(path) &&
    [...byPath.keys()].some((one) => recordName(one) === stem)
  );
}

/** The collection with the longest path that begins a path, and the segments after it. */
function nearestAbove(path: string, { byPath, viewedAt }: Context) {
  const plain = withoutSuffix(path);
  for (let end = plain.length; end > 0; end = plain.lastIndexOf('/', end - 1)) {
    const viewed = viewedAt.get(plain.slice(0, end));
    // `/bookings` lists what `/me/bookings` makes: `/bookings/{bookingId}/cancel` is about one of these.
    const [, parameter = ''] = /^\{([^{}]+)\}\//.exec(plain.slice(end + 1)) ?? [];
    const isItem =
      !plain.slice(0, end).includes('{') &&
      (parameter === viewed?.id?.parameter || (viewed && namesIdOf(parameter, recordName(viewed.path))));
    const draft =
      byPath.get(plain.slice(0, end)) ??
      byPath.get(singularPath(plain.slice(0, end))) ??
      (isItem ? viewed : undefined);
    if (draft)
      return {
        draft,
        segments: plain
          .slice(end + 1)
          .split('/')
          .filter(Boolean),
      };
  }
  return undefined;
}

/** What shows one record alone has it where others have a list. */
export const WHOLE: ListPlace = { member: undefined, within: undefined };

/** What path parameters say of the records. */
export function parentsAt(path: string, draft: Draft, operations: readonly Operation[]): Parent[] {
  return pathParameters(path).map((parameter) => ({
    parameter,
    ...parentMember(draft, path, parameter, operations),
  }));
}
