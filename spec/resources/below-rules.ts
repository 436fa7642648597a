import { addProblem } from '../document/spot.ts';
import type { Sign } from '../meaning/basis.ts';
import { idStem, wordsOf } from '../meaning/names.ts';
import { type Operation, pathParameters, SAFE_METHODS } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { type Draft, isGet, isMadeNowhere, isWhole, namesRecordOf } from './collections.ts';
import { effectOf } from './effects.ts';
import { idInBody } from './identity.ts';
import { listPlace } from './list-form.ts';
import { isManyOf } from './many.ts';
import { recordName, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape, memberShape, schemaKey, sharesMembers, unwrapped } from './record-schema.ts';
import { declaredRole, type FurtherRole, ON_ONE } from './resource.ts';
import {
  CHANGES,
  type Context,
  namesOther,
  nearestAbove,
  parentsAt,
  type Rule,
  removedBy,
  setTo,
} from './role-rules.ts';
import { isRead } from './same-collection.ts';

/** The role that `x-paddock` says; what it omits follows from the path. */
export const said: Rule = (operation, context) => {
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

/** The role by the path: the collection is the nearest one above it. */
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

/**
 * Whether a view may be emptied: its parents are members of the records. `/issues/{id}/blockers` lists issues, and removes
 * none.
 */
function isSelection(path: string, viewed: Draft, operation: Operation): boolean {
  return parentsAt(path, viewed, [operation]).every(
    ({ parameter, property }) => property !== undefined || viewed.path.includes(`{${parameter}}`),
  );
}

/** The role by the segments after the path of a collection, with the signs besides the path. */
type RoleBelow = (
  operation: Operation,
  draft: Draft,
  segments: readonly string[],
  context: Context,
) => readonly [role: FurtherRole, ...signs: Sign[]] | undefined;

/** The role of an operation on one record, or below it. */
const belowOne: RoleBelow = (operation, draft, segments, context) => {
  const { method, path } = operation;
  const plain = withoutSuffix(path);
  const [first = '', second, ...more] = segments;
  if (SAFE_METHODS.has(method)) return undefined;
  // `POST /crops/{fieldId}` makes one of a field, `POST /enrolments/{studentId}/{courseId}` one of both.
  const isOfOthers = segments.every((segment) => segment.startsWith('{'));
  // `/pets/{id}/status/{status}`
  if (more.length > 0 && !isOfOthers)
    return plain.endsWith(setTo(second ?? '')) ? ['action', 'name'] : undefined;
  if (isOfOthers && method === 'POST' && isOfOther(first.slice(1, -1), context, draft))
    return ['create', 'name'];
  if (second !== undefined) return context.readPaths.has(plain) ? undefined : ['action'];
  const body = bodyShape(operation);
  // The parameter names another member than the id: `/pets/{name}`.
  const isOther = namesOther(first, draft);
  if (method === 'DELETE' && !isOther) return ['remove'];
  if (method === 'PUT' && body && !isOther) return [isWhole(operation, draft) ? 'replace' : 'update'];
  if (method === 'PATCH') return [body ? 'update' : 'action'];
  if (method !== 'POST') return undefined;
  const isChanged = (draft.actions.update ?? draft.actions.replace) !== undefined;
  if ((isChanged || !body) && first === `{${draft.id?.parameter}}` && isMadeNowhere(draft)) return ['create'];
  return [isChanged ? 'action' : 'update'];
};

/** The role of an operation on several records, or on one whose id does not follow the collection's path directly. */
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
  // `POST /favorites/delete-all`
  if (
    first !== undefined &&
    second === undefined &&
    method === 'POST' &&
    removedBy(operation.path) === 'many'
  )
    return ['removeMany'];
  // `PUT /users/as-admin/{userId}`, `PUT /users/email/{email}`
  const isOther = name !== undefined && namesOther(`{${name}}`, draft);
  if ((isNamed || isOther) && body && method !== 'POST' && changesRecord(operation, body, draft))
    return ['update'];
  if (first !== undefined) return isMeant ? ['action'] : undefined;
  if (method === 'DELETE') return ['removeMany'];
  if (method !== 'PUT' && method !== 'PATCH') return undefined;
  if (idInBody(draft, body) === undefined) return ['updateMany'];
  return [method === 'PUT' && isWhole(operation, draft) ? 'replace' : 'update', 'schema'];
};

/** A body with members of the record, where the response shows it or they are written where those of the record are. */
function changesRecord(operation: Operation, body: Shape, { shape, keys, path }: Draft): boolean {
  const answer = unwrapped(answerShape(operation), recordName(path));
  const isShown = answer !== undefined && keys.has(schemaKey(answer));
  const names = [...body.properties.keys()];
  const isPart = names.length > 0 && names.every((name) => memberShape(shape, name));
  return CHANGES[operation.method] === 'update' && (sharesMembers(body, shape) || (isShown && isPart));
}

/** Whether a path parameter is the id of another collection's records. */
function isOfOther(parameter: string, { byPath }: Context, { path, id }: Draft): boolean {
  const stem = parameter === id?.parameter ? undefined : idStem(parameter);
  return (
    stem !== undefined &&
    stem !== recordName(path) &&
    [...byPath.keys()].some((key) => recordName(key) === stem)
  );
}
