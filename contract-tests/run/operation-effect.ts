import {
  answerShape,
  bodyMedia,
  type Contract,
  explicitStatuses,
  isNamedAct as isActByName,
  isNamedLogin,
  isSaidElsewhere,
  itemsOf,
  memberShape,
  type Operation,
  type Resource,
  recordName,
  type Shape,
  schemaKey,
} from '#spec';
import { furtherRoleOf, roleOf, successStatuses } from '../laws/operation-role.ts';

export const hasMember = (shape: Shape | undefined, name: string) =>
  shape !== undefined && memberShape(shape, name) !== undefined;

/** Whether its name says that it does something. The collection `/imports/{id}` is read as any other, and so is what is written at the same path. */
export function isNamedAct(contract: Contract, operation: Operation): boolean {
  const { resource } = roleOf(contract, operation) ?? {};
  const isRecord = resource !== undefined && Object.keys(resource.actions).length > 1;
  return isActByName(operation, {
    isOfRecord: resource !== undefined,
    isRead: isRecord || isWritten(contract, operation),
  });
}

/** A login, unless it creates records that are listed or removed. */
export function isLogin(contract: Contract, operation: Operation): boolean {
  const { list, remove } = roleOf(contract, operation)?.resource.actions ?? {};
  return !list && !remove && isNamedLogin(operation);
}

/**
 * A POST that lists records of a known collection, for which its body says what is looked for: it has none of what a record
 * must have, and nothing is made.
 */
export function isQuestion(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST' || isNamedAct(contract, operation)) return false;
  if (successStatuses(operation).some((status) => status !== OK)) return false;
  const { further } = furtherRoleOf(contract, operation) ?? {};
  if (further) return further.role === 'view' && !isSaidElsewhere(operation.said);
  const asked = bodyMedia(operation.body)?.shape;
  const items = itemsOf(operation);
  // What has an id of its own is a record with a list in it.
  if (!items || hasMember(answerShape(operation), 'id')) return false;
  if (asked?.mainType !== 'object') return false;
  const isList = ({ items }: Shape) => items !== undefined && items.mainType !== 'string';
  if ([...asked.properties.values()].some(isList)) return false;
  return contract.resources.some(({ shape, actions }) => {
    const { create, list } = actions;
    const isListed =
      [shape, list && itemsOf(list)].some((one) => isSameSchema(one, items)) || isMostOf(items, shape);
    const isRecord = [shape, bodyMedia(create?.body)?.shape].some((one) => isSameSchema(one, asked));
    return isListed && !isRecord && [...asked.required.keys()].every((name) => !memberShape(shape, name));
  });
}

const OK = 200;

/** What a PUT or PATCH of the same path sets is what a GET shows (RFC 9110 §9.3.4). */
function isWritten({ operations }: Contract, { path }: Operation): boolean {
  return operations.some((one) => one.path === path && (one.method === 'PUT' || one.method === 'PATCH'));
}

/** Whether a schema has most members of a record, and no others. */
function isMostOf({ properties }: Shape, record: Shape): boolean {
  const isMost = properties.size > 1 && properties.size * 2 > record.properties.size;
  return isMost && [...properties.keys()].every((name) => memberShape(record, name));
}

function isSameSchema(one: Shape | undefined, other: Shape): boolean {
  return one !== undefined && schemaKey(one) !== undefined && schemaKey(one) === schemaKey(other);
}

/** A collection takes records by POST; elsewhere 201 has to say that one is made (RFC 9110 §15.3.2). */
export function isCreate(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'POST') return false;
  const role = roleOf(contract, operation);
  // A verb suggests it, whatever the response shows: `/pets/add` of the collection `/pets`.
  if (role)
    return (
      role.action === 'create' &&
      (isAt(role.resource, operation) ||
        (operation.said.facts.does !== undefined && !isSaidElsewhere(operation.said)))
    );
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  if (further?.role !== 'create' && further?.role !== 'createMany') return false;
  if (operation.path === resource?.path) return true;
  if (further.sign === 'extension') return !isSaidElsewhere(operation.said);
  return further.sign === 'schema' && explicitStatuses(operation.responses).includes(201);
}

export const isListed = ({ resources }: Contract, { path }: Operation) =>
  resources.some((one) => one.path === path && one.list !== undefined);

/** Whether what a read of the same path shows is one thing, which the service has once. */
export function isState({ operations }: Contract, { path }: Operation): boolean {
  const read = operations.find((one) => one.path === path && one.method === 'GET');
  return read !== undefined && answerShape(read)?.mainType === 'object' && !itemsOf(read);
}

/** Whether a path is that of the collection, in the singular or the plural: its records may be read at `/pet/{id}`. */
const isAt = (resource: Resource, { path }: Operation) => recordName(path) === recordName(resource.path);
