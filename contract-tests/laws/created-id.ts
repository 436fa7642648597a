import {
  isRecord,
  type Operation,
  parseJson,
  percentDecode,
  type Resource,
  recordPath,
  sameName,
  successOf,
  valueAt,
} from '#spec';
import { isAbsent } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import { isSuccess, jsonOf } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';

/**
 * The id of what a successful create has made: in the path of a PUT, else wherever the response has it: in the record, in the one object around
 * which the response is an envelope, in a member with the name of the path parameter, where a link says that it is, and
 * in a `Location` of the same origin. Undefined: the response does not show it.
 */
export function createdIdOf(resource: Resource, exchange: Exchange): unknown {
  const { id } = resource;
  const { operation, response } = exchange;
  if (!id || !isSuccess(response)) return undefined;
  const json = jsonOf(response);
  const places = [
    () => (operation === resource.actions.replace ? exchange.input.path?.[id.parameter ?? ''] : undefined),
    () => valueAt(json, [...recordPath(resource, operation), id.property]),
    () => envelopedId(json, id.property),
    () => namedId(json, id.parameter),
    () => linkedId(resource, operation, exchange),
    () => locatedId(resource, exchange),
  ];
  for (const place of places) {
    const value = place();
    if (isId(value)) return value;
  }
  return undefined;
}

/** Whether a value can be the id of a record. */
export const isId = (value: unknown) =>
  ['string', 'number', 'bigint'].includes(typeof value) && !isAbsent(value);

/** Of an object in which one object alone has the id. */
function envelopedId(json: unknown, property: string): unknown {
  if (!isRecord(json)) return undefined;
  const [only, ...more] = Object.values(json).filter((inner) => isRecord(inner) && isId(inner[property]));
  return isRecord(only) && more.length === 0 ? only[property] : undefined;
}

/** `{ "silenceID": "..." }`, where the path of an item is `/silence/{silenceID}`. */
function namedId(json: unknown, parameter: string | undefined): unknown {
  if (!isRecord(json) || parameter === undefined) return undefined;
  const [only, ...more] = Object.keys(json).filter((name) => sameName(name, parameter));
  return only !== undefined && more.length === 0 ? json[only] : undefined;
}

/** The value that a link gives the path parameter of an item (Link Object, OpenAPI 3.1 §4.8.20). */
function linkedId({ id, actions }: Resource, operation: Operation, { response }: Exchange): unknown {
  const items = new Set(Object.values(actions).map((item) => item.id));
  const parameter = id?.parameter ?? '';
  for (const { operationId, parameters } of successOf(operation)?.links ?? []) {
    if (!items.has(operationId) || !isRecord(parameters)) continue;
    const expression = String(parameters[parameter] ?? parameters[`path.${parameter}`]);
    const [, pointer] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
    const [, header] = /^\$response\.header\.([\w-]+)$/.exec(expression) ?? [];
    const value =
      pointer === undefined
        ? header && headerOf(response, header.toLowerCase())
        : valueAt(jsonOf(response), pointer.split('/'));
    if (isId(value)) return value;
  }
  return undefined;
}

/** The id in a `Location` that has the path of an item, as the document writes it, and the origin of the request. */
function locatedId({ id, actions }: Resource, { request, response }: Exchange): unknown {
  const location = headerOf(response, 'location');
  const { read, remove, replace, update } = actions;
  const item = read ?? remove ?? replace ?? update;
  const url = location === undefined ? undefined : URL.parse(location, request.url.href);
  if (!url || !item || id?.parameter === undefined || url.origin !== new URL(request.url.href).origin)
    return undefined;
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
