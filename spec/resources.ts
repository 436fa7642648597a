import type { Spot } from './document/spot.ts';
import { isRecord } from './json/json-type.ts';
import { mediaTypeFor } from './media-type.ts';
import type { Method, Operation } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { parentMember } from './parent-member.ts';
import { type DocumentedResponse, explicitStatuses, responseFor } from './response.ts';
import type { Shape } from './schema/shape.ts';

/** What an operation does with the records of a resource. */
export type Action = 'list' | 'create' | 'read' | 'replace' | 'update' | 'remove';

/** A collection that operations share, inferred from paths, methods, schemas and links alone. */
export interface Resource {
  /** The collection's path template: `/owners/{ownerId}/dogs`. */
  readonly path: string;
  readonly actions: Readonly<Partial<Record<Action, Operation>>>;
  /** The schema of one record in a response. */
  readonly shape: Shape;
  readonly id: Identity | undefined;
  readonly list: ListForm | undefined;
  /** The path parameters of the collection itself: records belong to what these identify. */
  readonly parents: readonly Parent[];
}

/** The member that identifies a record. */
export interface Identity {
  readonly property: string;
  /** The path parameter with its value. */
  readonly parameter: string | undefined;
  readonly shape: Shape;
  /** The evidence. */
  readonly sign: IdSign;
  /** Where the document has it. */
  readonly because: Spot;
}

/** The evidence for an identity, from the strongest to the weakest. */
export type IdSign = 'link' | 'name of the parameter' | 'name id' | 'only read-only member';

interface Parent {
  readonly parameter: string;
  /** The record's member that names the parent, if it has one. */
  readonly property: string | undefined;
  /** The member of that object which is the parent's id; undefined: the member itself is. */
  readonly inner?: string | undefined;
}

/** How a list is requested and returned. */
export interface ListForm {
  /** The member of the response with the records; undefined if the response is an array. */
  readonly member: string | undefined;
  readonly filters: readonly Filter[];
  /** Query parameters for pagination. */
  readonly pageSize: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly page: Parameter | undefined;
}

/** A query parameter with the name of a record's member. */
export interface Filter {
  readonly parameter: Parameter;
  readonly property: string;
  /** Whether its name may as well mean pages (`start`, `size`): then the document does not tell which. */
  readonly ambiguous: boolean;
}

const PAGE_SIZE = /^(?:limit|(?:per_?page|page_?size|page_?limit|size|count|take|top|first|max_?results))$/i;
const OFFSET = /^(?:offset|skip|start|start_?index)$/i;
const PAGE = /^(?:page|page_?(?:number|no|index))$/i;

export function inferResources(operations: readonly Operation[]): Resource[] {
  const groups = Map.groupBy(operations, collectionPath);
  return [...groups].flatMap(([path, members]) => inferResource(path, members) ?? []);
}

/** A path that ends in a parameter is an item of the collection before it, unless it returns an array. */
function collectionPath(operation: Operation): string {
  const { path, method } = operation;
  if (method === 'GET' && answerShape(operation)?.mainType === 'array') return path;
  return path.replace(/\/\{[^/{}]+\}$/, '');
}

function inferResource(path: string, operations: readonly Operation[]): Resource | undefined {
  const actions: Partial<Record<Action, Operation>> = {};
  for (const operation of operations) {
    const action = actionOf(operation, operation.path !== path);
    if (action) actions[action] = operation;
  }
  const { list, read } = actions;
  const form = list && listForm(list);
  const shape = recordShape(actions, form);
  if (!shape || !(list || read)) return undefined;
  const id = identify(shape, actions);
  return {
    path,
    actions,
    shape,
    id,
    list: form && { ...form, ...rolesOf(list, shape) },
    parents: [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter = '']) =>
      parentOf(parameter, path, operations, shape, id),
    ),
  };
}

function parentOf(
  parameter: string,
  path: string,
  operations: readonly Operation[],
  shape: Shape,
  id: Identity | undefined,
): Parent {
  const described = operations
    .flatMap(({ parameters }) => parameters)
    .find((one) => one.in === 'path' && one.name === parameter);
  const member = parentMember(shape, path, parameter, described, id?.property);
  return { parameter, property: member?.property, ...(member?.inner && { inner: member.inner }) };
}

const ITEM_ACTIONS: Partial<Record<Method, Action>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
};

function actionOf(operation: Operation, isItem: boolean): Action | undefined {
  if (isItem) return ITEM_ACTIONS[operation.method];
  if (operation.method === 'POST' && operation.body) return 'create';
  return operation.method === 'GET' && listForm(operation) ? 'list' : undefined;
}

/** The response of success: the lowest documented 2xx, else `2XX` or `default`. */
export function successOf({ responses }: Operation): DocumentedResponse | undefined {
  const status = explicitStatuses(responses).find((code) => code >= 200 && code < 300);
  if (status !== undefined) return responseFor(responses, status);
  return responses.find(({ key }) => key === '2XX' || key === 'default');
}

/** The schema of the JSON body of the response of success. */
export function answerShape(operation: Operation | undefined): Shape | undefined {
  const { content = [] } = (operation && successOf(operation)) ?? {};
  return (mediaTypeFor(content, 'application/json') ?? content.find(({ isJson }) => isJson))?.shape;
}

/** A list is an array, or an object with just one array of objects. */
function listForm(operation: Operation): Pick<ListForm, 'member'> | undefined {
  const shape = answerShape(operation);
  if (!shape) return undefined;
  if (shape.mainType === 'array') return { member: undefined };
  const arrays = [...shape.properties].filter(
    ([, { items }]) => items?.mainType === 'object' || (items?.alternatives.length ?? 0) > 0,
  );
  const [member] = arrays[0] ?? [];
  return arrays.length === 1 && member !== undefined ? { member } : undefined;
}

/** Each query parameter has one role: it filters by a member of its name, else its name may say that it pages. */
function rolesOf(list: Operation, shape: Shape): Omit<ListForm, 'member'> {
  const inQuery = list.parameters.filter(({ in: place }) => place === 'query');
  const filters = inQuery.flatMap((parameter) => filterBy(parameter, shape) ?? []);
  const others = inQuery.filter((parameter) => !filters.some((filter) => filter.parameter === parameter));
  const paging = (pattern: RegExp) =>
    others.find(({ name, shape: { mainType } }) => pattern.test(name) && mainType === 'integer');
  return { filters, pageSize: paging(PAGE_SIZE), offset: paging(OFFSET), page: paging(PAGE) };
}

/** A member of another type is not what a parameter with a name for pages filters by. */
function filterBy(parameter: Parameter, shape: Shape): Filter | undefined {
  const { name } = parameter;
  const member = memberShape(shape, name);
  if (!member) return undefined;
  const ambiguous =
    parameter.shape.mainType === 'integer' && [PAGE_SIZE, OFFSET, PAGE].some((one) => one.test(name));
  const isNumber = [member, member.items].some(
    (one) => one?.mainType === 'integer' || one?.mainType === 'number',
  );
  return ambiguous && !isNumber ? undefined : { parameter, property: name, ambiguous };
}

/**
 * The schema of what is read by id, else of an item of the list, else of the response to a create. Where a member of
 * what is read has the schema of the items, that is the record, and what is around it is not.
 */
function recordShape(
  actions: Resource['actions'],
  list: Pick<ListForm, 'member'> | undefined,
): Shape | undefined {
  const listed = answerShape(actions.list);
  const array = list?.member === undefined ? listed : listed?.properties.get(list.member);
  const read = answerShape(actions.read);
  const shapes = [read, array?.items, answerShape(actions.create)].filter(
    (shape) => shape?.mainType === 'object' || (shape?.alternatives.length ?? 0) > 0,
  );
  if (read && array?.items && memberLike(read, array.items) !== undefined) return array.items;
  return shapes[0];
}

/** The member of a schema that is an object of the other schema; undefined: there is none, or the schema is one itself. */
function memberLike(shape: Shape, record: Shape): string | undefined {
  if (sharesMembers(shape, record)) return undefined;
  return [...shape.properties].find(([, member]) => sharesMembers(member, record))?.[0];
}

/** Whether members of both are written in one place of the document. */
function sharesMembers(left: Shape, right: Shape): boolean {
  const written = ({ parts }: Shape) =>
    parts
      .map(({ value }) => value)
      .filter((value) => isRecord(value) && ('properties' in value || 'oneOf' in value));
  const values = new Set(written(left));
  return written(right).some((value) => values.has(value));
}

/**
 * The member of an operation's response that is the record, such as `data` in `{ "data": { "id": 1 } }`; undefined: the
 * response is the record itself.
 */
export function recordMember({ shape, id }: Resource, operation: Operation): string | undefined {
  const answer = answerShape(operation);
  if (answer?.mainType !== 'object' || sharesMembers(answer, shape)) return undefined;
  const like = memberLike(answer, shape);
  if (like !== undefined || id === undefined || memberShape(answer, id.property)) return like;
  const [only, ...more] = [...answer.properties].filter(([, member]) => member.properties.has(id.property));
  return more.length === 0 ? only?.[0] : undefined;
}

/** The schema of a member, also of one that only branches of `oneOf` or `anyOf` have. */
export function memberShape(shape: Shape, name: string): Shape | undefined {
  return (
    shape.properties.get(name) ??
    shape.alternatives.map((branch) => memberShape(branch, name)).find((found) => found !== undefined)
  );
}

function identify(shape: Shape, actions: Resource['actions']): Identity | undefined {
  const item = actions.read ?? actions.replace ?? actions.update ?? actions.remove;
  const parameter = item && /\{([^/{}]+)\}$/.exec(item.path)?.[1];
  for (const candidate of idCandidates(shape, actions, parameter)) {
    const found = memberShape(shape, candidate.property);
    if (found) return { ...candidate, parameter, shape: found };
  }
  return undefined;
}

function* idCandidates(
  shape: Shape,
  { create, read }: Resource['actions'],
  parameter: string | undefined,
): Generator<Pick<Identity, 'property' | 'sign' | 'because'>> {
  if (parameter !== undefined) {
    for (const link of (create && successOf(create)?.links) ?? []) {
      if (link.operationId !== read?.id || !isRecord(link.parameters)) continue;
      const expression = link.parameters[parameter] ?? link.parameters[`path.${parameter}`];
      const [, property] = /^\$response\.body#\/([^/]+)$/.exec(String(expression)) ?? [];
      if (property) yield { property, sign: 'link', because: link.spot };
    }
    const because = read?.parameters.find(({ name }) => name === parameter)?.spot ?? shape.spot;
    yield { property: parameter, sign: 'name of the parameter', because };
  }
  yield { property: 'id', sign: 'name id', because: memberShape(shape, 'id')?.spot ?? shape.spot };
  const [only, ...more] = [...shape.properties].filter(([, property]) => property.readOnly);
  if (only && more.length === 0)
    yield { property: only[0], sign: 'only read-only member', because: only[1].spot };
}
