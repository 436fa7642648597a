import { type Repair, rawChild } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import {
  findNamed,
  foldedName,
  idStem,
  isFileName,
  isSummaryName,
  namesIdOf,
  sameName,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import type { MediaType } from '../media-type.ts';
import type { Method, Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { accountOperation } from './accounts.ts';
import { hasItemsAlone } from './collections.ts';
import { itemsOf, listPlace, USUAL_MEMBER } from './list-form.ts';
import { pathVerbs } from './path-verb.ts';
import { collectionPath, itemOf, lastSegment, recordName, withoutSuffix } from './paths.ts';
import { ANY_BODY, PRESUMED } from './presumed-bodies.ts';
import {
  answerShape,
  bodyShape,
  isObjectShape,
  sameRecord,
  shapeAt,
  sharesMembers,
  successOf,
  unwrapped,
} from './record-schema.ts';
import { declaredRole } from './resource.ts';
import { isSearchName } from './searches.ts';

const CHANGES: ReadonlySet<Method> = new Set<Method>(['PUT', 'PATCH', 'POST']);

/**
 * What a mock may respond with where a document describes no body of a response, as frameworks do that read no types of
 * results: of a collection none of whose operations has a response with content, the record is what a create takes, and an
 * id. Where no body of a request is described either, the record is whatever is sent, and an id. Where only the response to
 * reading one is not described, it is what a list of them holds.
 */
export function presumedResponses(operations: readonly Operation[]): Repair[] {
  const verbs = pathVerbs(operations);
  const groups = Map.groupBy(
    operations,
    (operation) => verbs.get(operation)?.collection ?? collectionPath(operation.path),
  );
  return [
    ...[...groups].flatMap(([path, members]) => ofCollection(path, members, verbs, groups, operations)),
    ...operations.flatMap((operation) => ofSettings(operation, operations)),
    ...ofAccounts(operations),
  ];
}

/**
 * Responses of lists that `x-paddock` says are lists: arrays of the record that they document, else of that of other
 * operations.
 */
export function saidLists(operations: readonly Operation[]): Repair[] {
  const said = operations.filter((operation) => {
    const { action } = declaredRole(operation);
    return (action === 'list' || action === 'view') && !listPlace(operation);
  });
  if (said.length === 0) return [];
  const verbs = pathVerbs(operations);
  const collectionOf = (operation: Operation) => {
    const { resource } = declaredRole(operation);
    return resource || (verbs.get(operation)?.collection ?? collectionPath(operation.path));
  };
  return said.flatMap((operation) => {
    const path = collectionOf(operation);
    const others = operations.filter((other) => other !== operation && collectionOf(other) === path);
    const [record] = [operation, ...others].flatMap(
      (other) => shownIn([other], recordName(path), undefined) ?? [],
    );
    return record ? respondWith(operation, { type: 'array', items: record.spot.value }) : [];
  });
}

/** The response of a read whose path is also written, and neither lists nor creates: what was written. */
function ofSettings(read: Operation, operations: readonly Operation[]): Repair[] {
  if (read.method !== 'GET' || itemOf(read.path) || hasContent(read) || accountOperation(read)) return [];
  const beside = operations.filter((operation) => operation.path === read.path);
  const isItems = operations.some(
    (operation) =>
      collectionPath(operation.path) === withoutSuffix(read.path) &&
      (itemOf(operation.path) || operation.method === 'POST'),
  );
  const write = beside.find(
    (operation) => (operation.method === 'PUT' || operation.method === 'PATCH') && membersSent(operation),
  );
  const sent = write && membersSent(write);
  if (!sent || isItems) return [];
  const untold = beside.filter((operation) => operation.method !== 'DELETE' && !hasContent(operation));
  return untold.flatMap((operation) => respondWith(operation, { allOf: [sent.spot.value] }));
}

/** Responses of account operations that document none: the account, with a token for a login (RFC 6750). */
function ofAccounts(operations: readonly Operation[]): Repair[] {
  const all = operations.map((operation) => ({ operation, role: accountOperation(operation)?.role }));
  const registers = all.find(({ role }) => role === 'register')?.operation;
  const { sent = [] } = (registers && accountOperation(registers)) ?? {};
  const member = shapeAt(registers && bodyShape(registers), sent);
  const item = operations.find(
    ({ path }) => itemOf(path) && collectionPath(path) === withoutSuffix(registers?.path ?? ''),
  );
  const user = recordSchema(member, 'id', item);
  const described = all.find(({ operation, role }) => role === 'login' && hasContent(operation));
  const answer = described && answerShape(described.operation);
  const token = { type: 'string' };
  const tokens = answer
    ? { allOf: [answer.spot.value] }
    : { type: 'object', required: ['token'], properties: { token, user } };
  const account: Readonly<Record<string, object>> = {
    register: user,
    current: user,
    login: tokens,
    refresh: tokens,
    grant: GRANT,
  };
  return all.flatMap(({ operation, role = '' }) => {
    const schema = hasContent(operation) || operation.method === 'DELETE' ? undefined : account[role];
    return schema ? respondWith(operation, schema) : [];
  });
}

/** The response of a token endpoint (RFC 6749 §5.1). */
const GRANT = {
  type: 'object',
  required: ['access_token', 'token_type'],
  properties: {
    access_token: { type: 'string' },
    token_type: { type: 'string' },
    expires_in: { type: 'integer' },
    refresh_token: { type: 'string' },
  },
};

/** Undescribed responses of a collection, where other responses or the bodies of requests describe its records. */
function ofCollection(
  path: string,
  members: readonly Operation[],
  verbs: ReturnType<typeof pathVerbs>,
  groups: ReadonlyMap<string, readonly Operation[]>,
  operations: readonly Operation[],
): Repair[] {
  const name = recordName(path);
  const lists = members.filter(
    (member) => member.method === 'GET' && (isAt(member, path) || verbs.get(member)?.action === 'list'),
  );
  const made = members.filter(isPosted);
  // A collection whose records are created at another path, as by an administrator.
  const [other = '', makers = []] =
    (made.length === 0 && lists.length > 0 ? [...groups] : []).find(
      ([one, its]) => one !== path && recordName(one) === name && its.some(isMade),
    ) ?? [];
  const ofItems = members.filter(
    (member) => verbs.get(member)?.parameter ?? itemOf(member.path)?.above === path,
  );
  // Records that are created below another record may be changed and removed by their id alone.
  const [, aloft = []] =
    (ofItems.length === 0 && path.includes('{') ? [...groups] : []).find(
      (group) => recordName(group[0]) === name && hasItemsAlone(group),
    ) ?? [];
  const items = [...ofItems, ...aloft];
  const [first] = [...items, ...makers.filter((maker) => itemOf(maker.path)?.above === other)];
  const parameter = first && (verbs.get(first)?.parameter ?? itemOf(first.path)?.parameter);
  if (!first || parameter === undefined) return [];
  const changes = items.filter(({ method }) => CHANGES.has(method));
  const create = made.find(membersSent);
  const source = create ?? makers.find(isMade) ?? changes.find(membersSent);
  const sent = source && membersSent(source);
  const isBare =
    members.every((member) => !membersSent(member)) && lists.length > 0 && items.length + made.length > 1;
  const described = shownIn([...items, ...made, ...lists], name, sent);
  // A GET that returns something else than what is sent excludes the presumption; the message of a POST does not.
  const isOther = members.some(
    (member) => member.method === 'GET' && hasContent(member) && !emptyList(answerShape(member)),
  );
  if (!described && (isOther || (!sent && !isBare))) return [];
  // The body of a PUT may have the id, which that of a POST lacks.
  const names = members.flatMap((member) => [...(membersSent(member)?.properties.keys() ?? [])]);
  const record = described
    ? (described.spot.value as object)
    : recordSchema(sent, idNameOf(names, path, parameter), first, source);
  // Records that are created at another path, as by a customer.
  const elsewhere = described ? operations.filter((operation) => isMadeAt(operation, path, described)) : [];
  const untold = described
    ? []
    : made.filter((operation) => !membersSent(operation) && isAt(operation, path));
  const read = items.filter(({ method }) => (described ? method === 'GET' : method !== 'DELETE'));
  const single = new Set([...(create ? [create] : []), ...untold, ...read, ...elsewhere]);
  const many = lists.filter((list) => !hasContent(list) || isOneOfMany(list, path, members));
  return [
    ...[...many, ...viewsOf(path, parameter, described ?? sent, operations)].flatMap((operation) =>
      respondWith(operation, { type: 'array', items: record }),
    ),
    ...lists.flatMap((list) => {
      const around = answerShape(list);
      const member = emptyList(around);
      if (!around || member === undefined || !hasContent(list)) return [];
      const properties = { [member]: { type: 'array', items: record } };
      return respondWith(list, { allOf: [around.spot.value], type: 'object', properties });
    }),
    ...[...single]
      .filter((operation) => !hasContent(operation))
      .flatMap((operation) => respondWith(operation, record, isBare || untold.includes(operation))),
  ];
}

function isMadeAt(operation: Operation, path: string, { properties }: Shape): boolean {
  const isOther = recordName(operation.path) === recordName(path) && withoutSuffix(operation.path) !== path;
  if (operation.method !== 'POST' || !isOther || !isMade(operation)) return false;
  const names = [...(membersSent(operation)?.properties.keys() ?? [])];
  return names.some((name) => findNamed(properties.keys(), name) !== undefined);
}

const isPosted = ({ method, path }: Operation) => method === 'POST' && !path.endsWith('}');

/** The record that responses describe; a text or a message about success is none. */
function shownIn(operations: readonly Operation[], name: string, sent: Shape | undefined): Shape | undefined {
  const isRecordShape = (shape: Shape | undefined): shape is Shape => {
    if (!isObjectShape(shape)) return false;
    const names = [...shape.properties.keys()];
    return names.length > 0 && (!sent || names.some((one) => findNamed(sent.properties.keys(), one)));
  };
  // Lazily, since the first operation usually describes it.
  for (const operation of operations) {
    const shapes = [itemsOf(operation), unwrapped(answerShape(operation), name)];
    // For an item the last candidate counts: a record may have a list of its parts.
    const record = (itemOf(operation.path) ? shapes.reverse() : shapes).find(isRecordShape);
    if (record) return record;
  }
  return undefined;
}

/** Whether a GET that documents one record is a list: there is a POST beside it, and it has items. */
function isOneOfMany(list: Operation, path: string, members: readonly Operation[]): boolean {
  const shownBy = (operation: Operation) => unwrapped(answerShape(operation), recordName(path));
  const record = shownBy(list);
  if (!isObjectShape(record) || record.properties.size === 0 || listPlace(list) || emptyList(record))
    return false;
  if (!namesMany(list) || accountOperation(list)) return false;
  const isMade = members.some((member) => {
    const made = isPosted(member) && member.path === list.path ? shownBy(member) : undefined;
    return made !== undefined && (sharesMembers(made, record) || sameRecord(made, record));
  });
  return isMade && members.some((member) => itemOf(member.path)?.above === path);
}

/**
 * Whether a path names several records, by a plural or its summary: there is one `/cart`, to which a POST adds something.
 */
function namesMany({ path, id, summary = '' }: Operation): boolean {
  const last = lastSegment(path) ?? '';
  const words = [...wordsOf(id), ...wordsOf(summary)];
  return singularName(last) !== foldedName(last) || words.some((word) => word === 'all' || word === 'list');
}

/** The only array in an object whose items are not described: `{ data: [] }`. */
function emptyList(answer: Shape | undefined): string | undefined {
  const lists = [...(answer?.properties ?? [])].filter(([, { mainType }]) => mainType === 'array');
  const [[name, list] = [], ...more] = lists;
  const isMeant = name !== undefined && more.length === 0 && USUAL_MEMBER.test(name);
  return isMeant && (!list?.items || isAny(list.items)) ? name : undefined;
}

/** Lists of some of the records below a collection: `/tests/customer/{customerId}`, `/tests/search?keyword=`, `/tests/open?kind=`. */
function viewsOf(
  path: string,
  id: string,
  record: Shape | undefined,
  operations: readonly Operation[],
): Operation[] {
  const names = [...(record?.properties.keys() ?? [])];
  return operations.filter((operation) => {
    if (operation.method !== 'GET' || !operation.path.startsWith(`${path}/`) || hasContent(operation))
      return false;
    const [first = '', last, ...more] = withoutSuffix(operation.path)
      .slice(path.length + 1)
      .split('/');
    if (more.length > 0 || first.startsWith('{')) return false;
    const isSelecting = (name: string) =>
      isSearchName(name) ||
      (!isSummaryName(first) && !isFileName(first) && findNamed(names, name) !== undefined);
    if (last === undefined)
      return operation.parameters.some(({ name, in: place }) => place === 'query' && isSelecting(name));
    const parameter = last.slice(1, -1);
    const isNamed = (name: string) => sameName(name, parameter) || namesIdOf(name, singularName(first));
    return !sameName(parameter, id) && last.startsWith('{') && names.some(isNamed);
  });
}

const isAt = (operation: Operation, path: string) => withoutSuffix(operation.path) === path;

function hasContent({ responses }: Operation): boolean {
  return responses.some(({ key, content }) => key.startsWith('2') && content.some(isDescribed));
}

const isMade = (operation: Operation) =>
  operation.method === 'POST' &&
  !operation.path.endsWith('}') &&
  !hasContent(operation) &&
  membersSent(operation) !== undefined;

/**
 * Whether a body is described. Frameworks without types of results document JSON without a schema, any value, or any
 * object.
 */
function isDescribed({ type, isJson, shape, examples }: MediaType): boolean {
  return (
    !(isJson || (type === '*/*' && shape)) || examples.size > 0 || (shape !== undefined && !isAny(shape))
  );
}

/** Whether a schema says nothing of its values but that they are JSON. */
export function isAny(shape: Shape, isShown = false): boolean {
  const { mainType = 'object', items, properties, alternatives, values, additional, examples } = shape;
  if (values || alternatives.length > 0 || (!isShown && examples.length > 0)) return false;
  if (mainType === 'array') return !items || isAny(items);
  return mainType === 'object' && properties.size === 0 && !additional?.mainType;
}

function membersSent(operation: Operation): Shape | undefined {
  const shape = unwrapped(bodyShape(operation), recordName(collectionPath(operation.path)));
  return shape && shape.properties.size > 0 ? shape : undefined;
}

/** The name of the id: `menuId` for `/menus/{id}` if the body has it; else that of the parameter, or `id` for `{menuId}`. */
function idNameOf(members: readonly string[], path: string, parameter: string): string {
  const ids = members.filter((name) => namesIdOf(name, recordName(path)));
  const idName = [parameter, ...ids].find((name) => members.includes(name));
  return idName ?? (/id$/i.test(parameter) ? 'id' : parameter);
}

function recordSchema(
  sent: Shape | undefined,
  name: string,
  item: Operation | undefined,
  source?: Operation,
): object {
  // `POST /posts/{postId}/comments` makes comments with a `postId`.
  const above = (source?.parameters ?? []).filter(
    (one) =>
      one.in === 'path' &&
      idStem(one.name) !== undefined &&
      !item?.parameters.some((parameter) => parameter.name === one.name),
  );
  const isOwn = sent?.properties.has(name);
  const idShape = isOwn ? undefined : item?.parameters.find(({ in: place }) => place === 'path')?.shape;
  const isNumber = idShape?.mainType === 'number' || idShape?.mainType === 'integer';
  const secrets = [...(sent?.properties.keys() ?? [])].filter(isSecretName);
  return {
    ...(sent ? { allOf: [sent.spot.value] } : { additionalProperties: true }),
    type: 'object',
    required: [name],
    properties: {
      ...Object.fromEntries(
        above.map((parameter) => [
          parameter.name,
          { type: parameter.shape.mainType ?? 'string', readOnly: true },
        ]),
      ),
      ...(!isOwn && { [name]: { type: isNumber ? 'integer' : 'string', readOnly: true } }),
      ...Object.fromEntries(secrets.map((secret) => [secret, { writeOnly: true }])),
    },
  };
}

function respondWith(operation: Operation, schema: object, takesAny = false): Repair[] {
  const success = successOf(operation);
  const responses = rawChild(operation.spot, 'responses');
  // An operation that documents only errors, or a `default` without content, has a success too.
  const isOpen = !success || (success.key === 'default' && success.content.length === 0);
  const key = isOpen ? '200' : success.key;
  const spot = responses && (isOpen ? responses : rawChild(responses, key));
  // Other successes have no body, or one with a different meaning (RFC 9110 §15.3).
  if (!spot || !/^2(?:0[0-2]|XX)$/.test(key)) return [];
  const described =
    isOpen || (isRecord(spot.value) && '$ref' in spot.value) ? { description: '' } : spot.value;
  const type = success?.content.find(({ isJson }) => isJson)?.type ?? 'application/json';
  const content = { [type]: { schema, [PRESUMED]: true } };
  const response = { ...(described as object), content };
  const whole = { ...(responses.value as object), [key]: response };
  if (!takesAny || operation.body || !CHANGES.has(operation.method))
    return [{ spot, value: isOpen ? whole : response }];
  const value = { ...(operation.spot.value as object), requestBody: ANY_BODY, responses: whole };
  return [{ spot: operation.spot, value }];
}
