import {
  encodeParameter,
  type Operation,
  ownEntry,
  type Parameter,
  percentEncode,
  queryPairs,
  type Resource,
  sample,
} from '#spec';
import type { Endpoint } from './engine/endpoint.ts';
import type { RecordCollection } from './records/collection.ts';

type Collections = ReadonlyMap<Resource, RecordCollection>;

export interface FirstRequest {
  readonly operation: Operation;
  /** Path and query, encoded, without the base path. */
  readonly target: string;
  /** The values of its required parameters by place and name. */
  readonly parameters: Readonly<Record<'path' | 'query' | 'header', Readonly<Record<string, unknown>>>>;
  /** Those of headers as they are sent. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that succeeds: for the list with the fewest required parameters, else a record, else any GET. */
export function firstRequest(
  endpoints: readonly Endpoint[],
  collections: Collections,
): FirstRequest | undefined {
  const gets = endpoints.filter(({ operation }) => operation.method === 'GET');
  const [best] = gets.sort((a, b) => effort(a) - effort(b));
  return best && requestFor(best.operation, collections);
}

function effort({ operation, action }: Endpoint): number {
  const required = operation.parameters.filter((parameter) => parameter.required).length;
  return required + (operation.deprecated ? 10 : 0) + (action === 'sample' ? 20 : 0);
}

function requestFor(operation: Operation, collections: Collections): FirstRequest {
  const seeded = seededParameters(operation, collections);
  const valueFor = ({ name, shape }: Parameter) => ownEntry(seeded, name) ?? sample(shape, { key: 'curl' });
  const { target, query, headers } = requestWith(operation, valueFor);
  const valuesIn = (place: Parameter['in']) =>
    Object.fromEntries(requiredIn(operation, place).map((one) => [one.name, valueFor(one)]));
  return {
    operation,
    target: query === '' ? target : `${target}?${query}`,
    parameters: { path: valuesIn('path'), query: valuesIn('query'), header: valuesIn('header') },
    headers,
  };
}

const requiredIn = ({ parameters }: Operation, place: Parameter['in']) =>
  parameters.filter((parameter) => parameter.required && parameter.in === place);

/** Path, query and headers of a request with the required parameters of an operation, encoded. */
export function requestWith(operation: Operation, valueFor: (parameter: Parameter) => unknown) {
  const textOf = (parameter: Parameter) => encodeParameter(parameter, valueFor(parameter)).join();
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const path = Object.fromEntries(inPath.map((one) => [one.name, textOf(one)]));
  const query = requiredIn(operation, 'query')
    .flatMap((one) => queryPairs(one, valueFor(one)))
    .map((pair) => pair.join('='));
  return {
    path,
    target: operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? percentEncode(name)),
    query: query.join('&'),
    headers: Object.fromEntries(requiredIn(operation, 'header').map((one) => [one.name, textOf(one)])),
  };
}

/** The path parameters of the first seeded record. */
function seededParameters(operation: Operation, collections: Collections): Readonly<Record<string, unknown>> {
  for (const [{ actions, id }, collection] of collections) {
    if (!Object.values(actions).includes(operation)) continue;
    const own = id?.parameter === undefined ? {} : { [id.parameter]: collection.idOf(1) };
    return { ...collection.seedScope(1), ...own };
  }
  return {};
}

export function curlLine({ operation, target, headers }: FirstRequest, origin: string, key: string): string {
  const flags = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`);
  const query: string[] = [];
  for (const { kind, in: place, name } of operation.security[0] ?? []) {
    if (kind === 'bearer') flags.push(`-H "Authorization: Bearer ${key}"`);
    else if (kind === 'basic') flags.push(`-u "${key.includes(':') ? key : `${key}:`}"`);
    else if (place === 'header') flags.push(`-H "${name}: ${key}"`);
    else if (place === 'cookie') flags.push(`-b "${name}=${key}"`);
    else query.push(`${name}=${key}`);
  }
  const more = query.length > 0 ? `${target.includes('?') ? '&' : '?'}${query.join('&')}` : '';
  return ['curl', ...flags, `"${origin}${operation.basePaths[0]}${target}${more}"`].join(' ');
}
