import { foldedName, idStem, idWord, isFeedName, singularName, wordsOf } from '../meaning/names.ts';
import { pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { type Draft, isDeclared } from './collections.ts';
import { itemOf, lastSegment, recordName, withoutSuffix } from './paths.ts';
import { bodyShape, sameRecord, schemaKey, schemaName, sharesMembers } from './record-schema.ts';

/** The drafts that are collections of their own; the others show records of one of these at another path. */
export function withoutOthers(drafts: readonly Draft[]): readonly Draft[] {
  const collections = drafts.filter((draft) => !drafts.some((other) => isReadByKey(draft, other)));
  const made = collections.filter((draft) => !isMadeElsewhere(draft, collections));
  const read = made.filter((draft) => !isReadElsewhere(draft, made));
  return read.filter((draft) => !isListedElsewhere(draft, read));
}

/** Whether a draft only shows what another path creates: `/books` and `/admin/books`. */
function isMadeElsewhere({ path, actions, shape }: Draft, drafts: readonly Draft[]): boolean {
  const isShowing = Object.entries(actions).every(
    ([action, operation]) => SHOWS.has(action) && !isDeclared(operation),
  );
  return isShowing && drafts.some((draft) => draft.actions.create && isTwin(path, shape)(draft));
}

const SHOWS: ReadonlySet<string> = new Set(['list', 'read']);

/**
 * Whether a collection at another path, without parents either, has the same noun and the same records; `/public-books`
 * needs the same schema.
 */
export const isTwin = (path: string, shape: Shape) => (draft: Draft) =>
  draft.path !== path &&
  !`${path}${draft.path}`.includes('{') &&
  (recordName(path) === recordName(draft.path)
    ? sameRecord(shape, draft.shape)
    : isKind(path, draft.path) && sharesMembers(shape, draft.shape));

/**
 * Whether a draft reads another collection's records by a member that is not their id: `/tasks/by-index/{index}`. Below
 * that, it may do more.
 */
function isReadByKey({ path, actions, id, keys, shape }: Draft, other: Draft): boolean {
  const isOther =
    isRead(other) && idWord(other.id?.property ?? '') !== undefined && other.id?.property !== id?.property;
  const isBelow = path.startsWith(`${other.path}/`);
  const isReadAlone =
    Object.keys(actions).join() === 'read' ||
    (isBelow && isRead({ actions }) && !actions.list && !actions.create);
  const isSame = (isBelow && sharesMembers(shape, other.shape)) || !keys.isDisjointFrom(other.keys);
  return isOther && isReadAlone && isSame;
}

/** Whether another collection reads the records of a list: the schema is the same, or the noun and most members are. */
function isReadElsewhere(draft: Draft, drafts: readonly Draft[]): boolean {
  const { path, actions, keys, shape } = draft;
  if (actions.read || Object.values(actions).some(isDeclared)) return false;
  // Records that are created here, and changed or removed by id, are a collection of their own, unless `/comments/{id}` reads those of posts.
  const isOwn = actions.create && (actions.update ?? actions.replace ?? actions.remove);
  const mayShow = (one: Draft) =>
    !isOwn ||
    (recordName(one.path) === recordName(path) &&
      pathParameters(one.path).length < pathParameters(path).length);
  return (
    drafts.some((one) => isRead(one) && !keys.isDisjointFrom(one.keys) && mayShow(one)) ||
    drafts.some((one) => isLike(path, shape)(one) && mayShow(one)) ||
    (Object.keys(actions).join() === 'list' && drafts.some(isMirror(path, shape)))
  );
}

/** Whether a path shows what a draft without a list creates: `/customer/tables` and `/admin/tables`. */
export const isMirror = (path: string, shape: Shape) => (draft: Draft) =>
  draft.actions.create !== undefined &&
  draft.actions.list === undefined &&
  recordName(path) === recordName(draft.path) &&
  sharesMembers(shape, draft.shape);

/**
 * Of several lists of the same records without a read, the one with more operations or the shortest path is the
 * collection.
 */
function isListedElsewhere(draft: Draft, drafts: readonly Draft[]): boolean {
  const operations = Object.values(draft.actions);
  const rank = (one: Draft) => Object.keys(one.actions).length * 1000 - one.path.length;
  const isSame = (one: Draft) =>
    !draft.keys.isDisjointFrom(one.keys) || (!isRead(one) && isTwin(draft.path, draft.shape)(one));
  const isBetter = (one: Draft) => isSame(one) && rank(one) > rank(draft);
  return !isRead(draft) && operations.length === 1 && !operations.some(isDeclared) && drafts.some(isBetter);
}

export const isRead = ({ actions }: Pick<Draft, 'actions'>) => actions.read !== undefined;

/**
 * Whether a collection reads records with a path's noun and schema: `/my-jobs` lists some of `/jobs`, and so does a list of
 * jobs with further members at `/jobs/overview`.
 */
export const isLike = (path: string, shape: Shape) => (draft: Draft) =>
  (isRead(draft) && isKind(path, draft.path) && sameRecord(shape, draft.shape)) ||
  isWholeBeside(path, shape, draft);

/** Whether a path directly below the collection shows all members of the records, or all but the id. */
function isWholeBeside(path: string, shownShape: Shape, { path: of, shape, id, actions }: Draft): boolean {
  const plain = withoutSuffix(path);
  const [segment = '', ...more] = plain.startsWith(`${of}/`) ? plain.slice(of.length + 1).split('/') : [];
  const [theirs, names] = [new Set(shape.properties.keys()), new Set(shownShape.properties.keys())];
  const isMore = actions.read !== undefined && theirs.size > 3 && theirs.isSubsetOf(names);
  const isLess = names.size > 1 && !names.has(id?.property ?? '') && theirs.size === names.size + 1;
  // `/feed` lists records with exactly the collection's members.
  if (
    actions.read &&
    isFeedName(lastSegment(plain) ?? '') &&
    theirs.size > 3 &&
    theirs.symmetricDifference(names).size === 0
  )
    return true;
  const isBeside = segment !== '' && !segment.startsWith('{') && more.length === 0;
  // `UserSimple` at `/users/simple`; `/users/roles` lists other things.
  const isBrief =
    names.has(id?.property ?? '') &&
    names.size > 1 &&
    names.isSubsetOf(theirs) &&
    schemaName(shownShape).includes(recordName(of)) &&
    singularName(segment) === foldedName(segment);
  return (
    isBeside &&
    (isMore ||
      (actions.read && isBrief) ||
      (isLess && actions.create !== undefined && names.isSubsetOf(theirs)))
  );
}

function isKind(path: string, of: string): boolean {
  const [words, kind] = [path, of].map((one) => wordsOf(lastSegment(one) ?? ''));
  return singularName((words ?? []).slice(-(kind?.length ?? 0)).join('-')) === recordName(of);
}

/** The draft that shares the longest part of the path; of several, the shortest one. */
export function nearest(path: string, drafts: readonly Draft[]): Draft | undefined {
  const segments = path.split('/');
  const score = (draft: Draft) => {
    const draftSegments = draft.path.split('/');
    const differing = segments.findIndex((segment, index) => segment !== draftSegments[index]);
    return (differing < 0 ? segments.length : differing) * 1000 - draft.path.length;
  };
  return drafts.reduce<Draft | undefined>(
    (best, draft) => (!best || score(draft) > score(best) ? draft : best),
    undefined,
  );
}

/**
 * Whether a schema at a segment below an item is that of the record itself. If the segment is a reference of the record,
 * such as `manager`, it is that of another record.
 */
export function isWholeAt(path: string, record: Shape): (draft: Draft) => boolean {
  const segment = lastSegment(path) ?? '';
  const item = itemOf(path.slice(0, -segment.length - 1));
  const names = (member: string) => (idStem(member) ?? singularName(member)) === singularName(segment);
  return ({ path: at, keys, shape, id }) =>
    item !== undefined &&
    !segment.startsWith('{') &&
    id !== undefined &&
    recordName(at) === recordName(item.above) &&
    keys.has(schemaKey(record)) &&
    ![...shape.properties.keys()].some(names);
}

/** Whether a body is that of the collection's create: `/comments/{id}/replies` takes what `/comments` takes. */
export function isMadeAlike(sent: Shape, { actions: { create } }: Draft): boolean {
  const createBody = create && bodyShape(create);
  return createBody !== undefined && schemaKey(createBody) === schemaKey(sent);
}
