import type { Spot } from './document/spot.ts';
import { isRecord } from './json/json-type.ts';
import { mediaTypeFor } from './media-type.ts';
import type { Method, Operation } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { type DocumentedResponse, explicitStatuses, responseFor } from './response.ts';
import type { Shape } from './schema/shape.ts';

/** What an operation does with the records of a resource. */
export type Action = 'list' | 'create' | 'read' | 'replace' | 'update' | 'remove';

/** A collection that operations share. Inferred from paths, methods, schemas and links alone. */
export interface Resource {
  /** The collection's path template: `/owners/{ownerId}/dogs`. */
  readonly path: string;
  readonly actions: Readonly<Partial<Record<Action, Operation>>>;
  /** One record as it is answered. */
  readonly shape: Shape;
  readonly id: Identity | undefined;
  readonly list: ListForm | undefined;
  /** Path parameters of the collection itself: the records belong to what they name. */
  readonly parents: readonly Parent[];
}

/** The member that tells records apart, and the path parameter that carries it. */
export interface Identity {
  readonly property: string;
  readonly parameter: string | undefined;
  readonly shape: Shape;
  /** What says so. */
  readonly sign: IdSign;
  /** Where this follows from. */
  readonly because: Spot;
}

/** From the surest sign to the weakest. */
export type IdSign = 'link' | 'name of the parameter' | 'name id' | 'only read-only member';

interface Parent {
  readonly parameter: string;
  /** The record's member of the same name, where it has one. */
  readonly property: string | undefined;
}

export interface ListForm {
  /** The member of the answer that holds the records; undefined: the answer is the list itself. */
  readonly member: string | undefined;
  readonly filters: readonly Filter[];
  readonly pageSize: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly page: Parameter | undefined;
}

export interface Filter {
  readonly parameter: Parameter;
  readonly property: string;
}

const PAGE_SIZE = /^(?:limit|(?:per_?page|page_?size|page_?limit|size|count|take|top|first|max_?results))$/i;
const OFFSET = /^(?:offset|skip|start|start_?index)$/i;
const PAGE = /^(?:page|page_?(?:number|no|index))$/i;

export function inferResources(operations: readonly Operation[]): Resource[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const path = collectionPath(operation);
    groups.set(path, [...(groups.get(path) ?? []), operation]);
  }
  return [...groups].flatMap(([path, members]) => inferResource(path, members) ?? []);
}

/** A path that ends in a parameter is an item of the collection before it, unless it answers a bare list. */
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
  const list = actions.list && listForm(actions.list);
  const shape = recordShape(actions, list);
  if (!shape || !(actions.list || actions.read)) return undefined;
  return {
    path,
    actions,
    shape,
    id: identify(shape, actions),
    list: list && { ...list, filters: filtersOf(actions.list as Operation, shape) },
    parents: [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter = '']) => ({
      parameter,
      property: hasMember(shape, parameter) ? parameter : undefined,
    })),
  };
}

const ITEM_ACTIONS: Partial<Record<Method, Action>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
};

function actionOf(operation: Operation, onItem: boolean): Action | undefined {
  if (onItem) return ITEM_ACTIONS[operation.method];
  if (operation.method === 'POST' && operation.body) return 'create';
  return operation.method === 'GET' && listForm(operation) ? 'list' : undefined;
}

/** The response that says that all went well: the lowest documented 2xx. */
export function successOf(operation: Operation): DocumentedResponse | undefined {
  const status = explicitStatuses(operation.responses).find((code) => code >= 200 && code < 300);
  if (status !== undefined) return responseFor(operation.responses, status);
  return operation.responses.find(({ key }) => key === '2XX' || key === 'default');
}

/** The JSON body's shape of the successful answer. */
export function answerShape(operation: Operation | undefined): Shape | undefined {
  const response = operation && successOf(operation);
  const media =
    response &&
    (mediaTypeFor(response.content, 'application/json') ?? response.content.find(({ isJson }) => isJson));
  return media?.shape;
}

/** A list is an array, or an object with just one array of objects. */
function listForm(operation: Operation): Omit<ListForm, 'filters'> | undefined {
  const shape = answerShape(operation);
  if (!shape) return undefined;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const integer = (pattern: RegExp) =>
    query.find(({ name, shape: { mainType } }) => pattern.test(name) && mainType === 'integer');
  const form = { pageSize: integer(PAGE_SIZE), offset: integer(OFFSET), page: integer(PAGE) };
  if (shape.mainType === 'array') return { member: undefined, ...form };
  const arrays = [...shape.properties].filter(([, { items }]) => items?.mainType === 'object');
  const [member] = arrays[0] ?? [];
  return arrays.length === 1 && member !== undefined ? { member, ...form } : undefined;
}

/** One record: what is read by id, else an item of the list, else the answer to a create. */
function recordShape(
  actions: Resource['actions'],
  list: Omit<ListForm, 'filters'> | undefined,
): Shape | undefined {
  const listed = answerShape(actions.list);
  const items = list?.member === undefined ? listed?.items : listed?.properties.get(list.member)?.items;
  return [answerShape(actions.read), items, answerShape(actions.create)].find(
    (shape) => shape?.mainType === 'object' || (shape?.alternatives.length ?? 0) > 0,
  );
}

function filtersOf(list: Operation, shape: Shape): Filter[] {
  return list.parameters.flatMap((parameter) => {
    if (parameter.in !== 'query' || PAGE_SIZE.test(parameter.name)) return [];
    return hasMember(shape, parameter.name) ? [{ parameter, property: parameter.name }] : [];
  });
}

function hasMember(shape: Shape, name: string): boolean {
  return memberShape(shape, name) !== undefined;
}

/** A member's shape, looked for in the alternatives of a choice as well. */
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

type IdCandidate = Pick<Identity, 'property' | 'sign' | 'because'>;

function* idCandidates(
  shape: Shape,
  actions: Resource['actions'],
  parameter: string | undefined,
): Generator<IdCandidate> {
  yield* linkedMembers(actions, parameter);
  const parameterSpot = actions.read?.parameters.find(({ name }) => name === parameter)?.spot;
  if (parameter !== undefined) {
    yield { property: parameter, sign: 'name of the parameter', because: parameterSpot ?? shape.spot };
  }
  yield { property: 'id', sign: 'name id', because: memberShape(shape, 'id')?.spot ?? shape.spot };
  const readOnly = [...shape.properties].filter(([, property]) => property.readOnly);
  const [only] = readOnly;
  if (only && readOnly.length === 1) {
    yield { property: only[0], sign: 'only read-only member', because: only[1].spot };
  }
}

function* linkedMembers(actions: Resource['actions'], parameter: string | undefined): Generator<IdCandidate> {
  const response = actions.create && successOf(actions.create);
  for (const link of response?.links ?? []) {
    if (parameter === undefined || link.operationId !== actions.read?.id || !isRecord(link.parameters))
      continue;
    const expression = link.parameters[parameter] ?? link.parameters[`path.${parameter}`];
    const [, property] = /^\$response\.body#\/([^/]+)$/.exec(String(expression)) ?? [];
    if (property) yield { property, sign: 'link', because: link.spot };
  }
}
