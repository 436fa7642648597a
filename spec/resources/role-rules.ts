import type { Sign } from '../meaning/basis.ts';
import { idWord, namesIdOf, sameName, setOf, wordsOf } from '../meaning/names.ts';
import { VERBS_OF_PATHS } from '../meaning/verb.ts';
import { type Method, type Operation, pathParameters } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { type Draft, isGet, isOfMany, isOneRecord, type Verbs } from './collections.ts';
import { linksTo } from './identity.ts';
import { itemsOf, listForm, listPlace } from './list-form.ts';
import { makesManySigns, manyItem } from './many.ts';
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
import type { FurtherRole, ListPlace, Parent } from './resource.ts';
import { isLike, isMadeAlike, isMirror, isRead, isTwin, isWholeAt, nearest } from './same-collection.ts';

/** All collections. */
export interface Context {
  readonly drafts: readonly Draft[];
  /** The collections by path, and by {@link singularPath}. */
  readonly byPath: Map<string, Draft>;
  /** The collections by the other paths that list their records. */
  readonly viewedAt: Map<string, Draft>;
  /** The other paths at which records of a collection are created. */
  readonly madeAt: Set<string>;
  readonly verbs: Verbs;
  /** The paths that a GET reads or lists. */
  readonly readPaths: ReadonlySet<string>;
  /** The paths with operations other than GET. */
  readonly written: ReadonlySet<string>;
}

/** The role of an operation, and its collection. */
export interface Match {
  readonly draft: Draft;
  readonly role: FurtherRole;
  readonly signs: readonly Sign[];
}

export type Rule = (operation: Operation, context: Context) => Match | undefined;

const LOOKS = setOf('search filter find query');

/** A list of a collection's records, also by a POST that searches. */
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
  // A POST at another path may change the records that it returns.
  const isSure = isGet(operation) || above === plain;
  return draft && { draft, role: 'view', signs: isSure ? ['schema', 'path'] : ['schema'] };
};

/** A list or a read at another path with the same noun. */
const beside: Rule = (operation, { drafts }) => {
  const path = withoutSuffix(operation.path);
  const items = itemsOf(operation);
  const shape = items ?? (itemOf(path) && unwrapped(answerShape(operation), recordName(path)));
  if (!isGet(operation) || !shape) return undefined;
  const draft = nearest(path, drafts.filter(isTwin(collectionPath(path), shape)));
  return draft && { draft, role: items ? 'view' : 'read', signs: ['name'] };
};

const showsRecord = (record: Shape, { keys, shape }: Draft) =>
  keys.has(schemaKey(record)) || sharesMembers(record, shape);

/**
 * A read of one record by another member or its place: `/clients/search?email=`, `/clients/telegram/{tg_id}`,
 * `/clients/latest`.
 */
const foundBy: Rule = (operation, { drafts }) => {
  const path = withoutSuffix(operation.path);
  const record = isGet(operation) ? unwrapped(answerShape(operation)) : undefined;
  const isBelow = (one: Draft) => path.startsWith(`${one.path}/`) && one.actions.list !== undefined;
  const draft =
    record &&
    nearest(
      path,
      drafts.filter((one) => isBelow(one) && showsRecord(record, one)),
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

/** A read of the whole record at a path below it: `/vendors/{id}/performance`. */
const shownWhole: Rule = (operation, { drafts, written }) => {
  const path = withoutSuffix(operation.path);
  const record = isGet(operation) && !written.has(path) ? unwrapped(answerShape(operation)) : undefined;
  const draft = record && nearest(path, drafts.filter(isWholeAt(path, record)));
  const isOther = draft && namesOther(`{${pathParameters(path).at(-1)}}`, draft);
  return draft && !isOther ? { draft, role: 'read', signs: ['name'] } : undefined;
};

/**
 * A POST whose body has members of a collection creates a record if its success returns one, unless the path
 * identifies a record of the same collection. The collection's noun in the path and a 201 are further signs.
 */
const created: Rule = (operation, context) => {
  const { drafts, viewedAt } = context;
  const path = withoutSuffix(operation.path);
  const sent = bodyShape(operation);
  if (operation.method !== 'POST' || !sent || sent.mainType === 'array' || removedBy(path)) return undefined;
  const name = recordName(path);
  const answer = unwrapped(answerShape(operation), name);
  const isExact = (one: Draft) => answer !== undefined && one.keys.has(schemaKey(answer));
  const isAdded = nearestAbove(path, context)?.draft.shape.properties.has(lastSegment(path) ?? '');
  const isAlike = (one: Draft) =>
    answer && (isLike(path, answer)(one) || (recordName(one.path) === name && sameRecord(answer, one.shape)));
  const same = drafts.filter((one) => isExact(one) || (!isAdded && isAlike(one)));
  const candidates = same.some(isRead) ? same.filter(isRead) : same;
  // A schema that several collections share is no sign for any of them, unless the path has its noun.
  const isOne = new Set(candidates.map((candidate) => recordName(candidate.path))).size === 1;
  const alike = drafts.filter((one) => {
    const isNamesake = recordName(one.path) === name;
    const isMeant =
      isNamesake ||
      [...sent.properties.keys()].some((memberName) => memberShape(one.shape, memberName)) ||
      shownNames(sent.properties, one.shape).size > 0;
    const isShown = isMeant && (isOne || isNamesake) && candidates.includes(one);
    return isShown || linksTo(Object.values(one.actions), one.id?.parameter, operation).length > 0;
  });
  const isBelow = (one: Draft) => itemOf(path) === undefined && isMadeAlike(sent, one);
  const draft = nearest(
    path,
    alike.filter(
      (one) => path === one.path || viewedAt.get(path) === one || !namesRecord(path, one) || isBelow(one),
    ),
  );
  if (!draft) return undefined;
  // A plural as in the collection: `/charges/{charge}/dispute` is the only dispute of a charge, which a POST may change.
  const isCalledSo = sameName(lastSegment(path) ?? '', lastSegment(draft.path) ?? '');
  const shows: Sign = isExact(draft) ? 'schema' : 'name';
  const signs: readonly Sign[] = isCalledSo && isRead(draft) ? [shows, 'path'] : [shows];
  const isMade = isRead(draft) && explicitStatuses(operation.responses).includes(201);
  return { draft, role: 'create', signs: isMade ? [...signs, 'said'] : signs };
};

/** Whether a path has the id of a record of the collection, or ends in any parameter. */
function namesRecord(path: string, draft: Draft): boolean {
  const nouns = path.split('/{').slice(0, -1).map(recordName);
  return itemOf(path) !== undefined || nouns.includes(recordName(draft.path));
}

/** A role that only a verb in the path suggests. */
const named: Rule = (operation, { verbs, byPath }) => {
  const { collection, action, parameter } = verbs.get(operation) ?? {};
  const draft = byPath.get(collection ?? '');
  const removesMany = action === 'remove' && removedBy(operation.path) === 'many';
  if (!draft || !action || removesMany) return undefined;
  const isMeant =
    {
      list: listPlace(operation),
      create: answerShape(operation)?.mainType !== 'array',
    }[action as string] ??
    parameter ??
    bodyShape(operation)?.properties.get(draft.id?.property ?? '')?.readOnly === false;
  return isMeant ? { draft, role: action === 'list' ? 'view' : action, signs: ['name'] } : undefined;
};

export const CHANGES: Partial<Record<Method, FurtherRole>> = {
  PUT: 'update',
  PATCH: 'update',
  POST: 'update',
  DELETE: 'remove',
};

/**
 * A change of a record by its id alone, where the records are listed and created below a parent: `/comments/{id}` and
 * `/posts/{id}/comments`.
 */
const shallow: Rule = (operation, { drafts, byPath }) => {
  const { above = '', parameter = '' } = itemOf(operation.path) ?? {};
  // A POST to a parameter with another noun may be any action.
  const isChange = operation.method !== 'POST' || namesIdOf(parameter, recordName(above));
  const role = isChange ? CHANGES[operation.method] : undefined;
  const isOwn = above.includes('{') || byPath.has(above) || byPath.has(singularPath(above));
  if (!role || parameter === '' || isOwn) return undefined;
  const alike = drafts.filter((one) => one.path.includes('{') && recordName(one.path) === recordName(above));
  const [draft, ...more] = alike;
  const isId = draft?.id && (idWord(parameter) !== undefined || parameter === draft.id.property);
  return draft && isId && more.length === 0 ? { draft, role, signs: ['name'] } : undefined;
};

const several: Rule = (operation, { drafts }) => {
  if (operation.method !== 'POST' || !manyItem(operation)) return undefined;
  const candidates = drafts.map((draft) => ({ draft, signs: makesManySigns(operation, draft) }));
  const made = candidates.find(({ signs }) => signs.length > 1);
  return made && { ...made, role: 'createMany' };
};

/** The rules that assign operations to collections where `x-paddock` says nothing, the most certain first. */
export const RULES: readonly Rule[] = [listed, beside, foundBy, shownWhole, several, created, named, shallow];

/**
 * Whether a verb in a path removes one record (`delete`) or several (`delete-all`, `remove-selected`); undefined: neither.
 */
export function removedBy(path: string): 'one' | 'many' | undefined {
  const [verb = '', ...words] = wordsOf(lastSegment(path) ?? '');
  if (VERBS_OF_PATHS.get(verb) !== 'removed') return undefined;
  return words.some((word) => OF_ALL.has(word)) ? 'many' : words.length === 0 ? 'one' : undefined;
}

const OF_ALL = setOf('all many list bulk multiple several selected');

/** Whether a path parameter has the name of a member other than the id. */
export const namesOther = (segment: string, { shape, id }: Draft): boolean =>
  segment !== `{${id?.property}}` && memberShape(shape, segment.slice(1, -1)) !== undefined;

export const setTo = (member: string) => `/${member}/{${member}}`;

/** Segments below a record that mean the whole record. */
const DETAILS = setOf('detail details info full');

/** The collection with the longest path that begins a path, and the segments after it. */
export function nearestAbove(path: string, { byPath, viewedAt }: Context) {
  const plain = withoutSuffix(path);
  for (let end = plain.length; end > 0; end = plain.lastIndexOf('/', end - 1)) {
    const viewed = viewedAt.get(plain.slice(0, end));
    // `/bookings` lists what `/me/bookings` creates, so that `/bookings/{bookingId}/cancel` belongs to the latter.
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

/** The place of a single record in a response: the response itself. */
export const WHOLE: ListPlace = { member: undefined, within: undefined };

/** The path parameters that name members of the records. */
export function parentsAt(path: string, draft: Draft, operations: readonly Operation[]): Parent[] {
  return pathParameters(path).map((parameter) => ({
    parameter,
    ...parentMember(draft, path, parameter, operations),
  }));
}
