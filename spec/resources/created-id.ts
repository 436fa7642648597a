import { parseJson } from '../json/exact-json.ts';
import { isRecord, ownEntry } from '../json/json-value.ts';
import { foldedName, sameName } from '../meaning/names.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Operation } from '../operation.ts';
import { percentDecode } from '../parameter-style.ts';
import { type ExpressionSource, parseRuntimeExpression } from '../runtime-expression.ts';
import type { Shape } from '../schema/shape.ts';
import { recordPath, successOf, valueAt } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A response to a create, with what asked for it. */
export interface CreateResponse {
  /** The values of the request's path. */
  readonly path: Readonly<Record<string, unknown>> | undefined;
  readonly url: string;
  readonly body: unknown;
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
}

type Created = Pick<Resource, 'id' | 'actions' | 'shape' | 'path'>;

/**
 * What may be the id of the record that a create has made, what says so most clearly first: a Link, the path of a PUT, the id
 * of the record, a member with the name of the items' path parameter, both in the record, around it, or in the only object
 * beside others that has one; a `Location` of the same origin.
 */
export function* createdIds(
  resource: Created,
  operation: Operation,
  { path, url, body, header }: CreateResponse,
): Generator<unknown> {
  const { id, actions } = resource;
  if (!id) return;
  const said = operation.said.facts.in?.id;
  if (said !== undefined && said !== '$Location') yield valueAt(body, said.split('.'));
  for (const source of linkedIds(resource, operation)) {
    if (source.from === 'header') yield header(source.name);
    if (source.from === 'body') yield valueAt(body, source.pointer);
  }
  if (operation === actions.replace) yield path?.[id.parameter ?? ''];
  const around = isRecord(body) ? Object.values(body).filter(isRecord) : [];
  const record = valueAt(body, recordPath(resource, operation));
  for (const wanted of [id.property, ...(id.parameter === undefined ? [] : [id.parameter])]) {
    yield memberNamed(record, wanted);
    if (wanted === id.parameter) yield memberNamed(body, wanted);
    const [only, ...more] = around.flatMap((one) => memberNamed(one, wanted) ?? []);
    if (more.length === 0) yield only;
  }
  yield locatedId(resource, header('location'), url);
}

/** The member of the name, however it is spelled where that is no choice. */
function memberNamed(value: unknown, wanted: string): unknown {
  if (!isRecord(value)) return undefined;
  const own = ownEntry(value, wanted);
  if (own !== undefined) return own;
  const [only, ...more] = Object.keys(value).filter((name) => sameName(name, wanted));
  return only !== undefined && more.length === 0 ? value[only] : undefined;
}

/** Where Links say that the id of what a create makes is (Link Object, OpenAPI 3.1 §4.8.20). */
function linkedIds(
  { id, actions }: Pick<Created, 'id' | 'actions'>,
  operation: Operation,
): ExpressionSource[] {
  const items = new Set(Object.values(actions).map((item) => item.id));
  return linksTo(items, id?.parameter ?? '', operation).map(({ source }) => source);
}

/** What the Links of a success give a path parameter of these operations, with the Link. */
export function linksTo(items: ReadonlySet<string>, parameter: string, operation: Operation) {
  return (successOf(operation)?.links ?? []).flatMap((link) => {
    if (!items.has(link.operationId) || !isRecord(link.parameters)) return [];
    const expression = link.parameters[parameter] ?? link.parameters[`path.${parameter}`];
    const source = parseRuntimeExpression(String(expression));
    return source && 'of' in source && source.of === 'response' ? [{ link, source }] : [];
  });
}

/**
 * The members of the record in a response that are its id under another name: those that a Link names, and that of the items'
 * path parameter.
 * @param shown the schema of that record
 */
export function idMembers(resource: Created, operation: Operation, shown: Shape): string[] {
  const { id, shape } = resource;
  if (!id) return [];
  const place = recordPath(resource, operation);
  const linked = linkedIds(resource, operation).flatMap((source) =>
    source.from === 'body' && source.pointer.slice(0, -1).join('/') === place.join('/')
      ? source.pointer.slice(-1)
      : [],
  );
  const named = [...shown.properties.keys()].filter((name) => sameName(name, id.parameter ?? ''));
  return [...new Set([...linked, ...(named.length === 1 ? named : [])])].filter(
    (name) => name !== id.property && shown.properties.has(name) && !shape.properties.has(name),
  );
}

/** The id in a `Location` that has the path of an item, as the document writes it, and the origin of the request. */
function locatedId({ id, actions }: Created, location: string | undefined, from: string): unknown {
  const { read, remove, replace, update } = actions;
  const item = read ?? remove ?? replace ?? update;
  const url = location === undefined ? undefined : URL.parse(location, from);
  if (!url || !item || id?.parameter === undefined || url.origin !== new URL(from).origin) return undefined;
  const names = [...item.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const parts = item.path
    .replace(/\/$/, '')
    .split(/\{[^{}]+\}/)
    .map((part) => RegExp.escape(part));
  const found = new RegExp(`${parts.join('([^/]+)')}/?$`).exec(url.pathname);
  const text = found?.[names.indexOf(id.parameter) + 1];
  if (text === undefined) return undefined;
  const decoded = percentDecode(text);
  return id.shape.mainType === 'integer' && /^-?\d+$/.test(decoded ?? '') ? parseJson(text) : decoded;
}

/** The members that the service makes a new id from, the first that is there: a slug follows a title. None: from nothing. */
export function idSources({ id, shape }: Pick<Resource, 'id' | 'shape'>): readonly string[] {
  if (!id || id.inner !== undefined || id.shape.mainType !== 'string') return [];
  const { idFrom } = saidOfRecord(shape).facts;
  if (idFrom !== undefined) return [idFrom];
  return ['slug', 'permalink'].includes(foldedName(id.property)) ? ['title', 'name', 'headline'] : [];
}
