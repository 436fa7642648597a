import { type Operation, ownEntry, type Parameter, type Resource, sample } from '#spec';
import type { FirstRequestView } from './control/describe-contract.ts';
import type { Endpoint } from './engine/endpoint.ts';
import { requestWith, requiredIn } from './http/required-parameters.ts';
import type { RecordCollection } from './records/collection.ts';

type Collections = ReadonlyMap<Resource, RecordCollection>;

export interface FirstRequest extends FirstRequestView {
  readonly operation: Operation;
}

/** A request that succeeds: for the list with the fewest required parameters, else for a record, else any GET. */
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
    Object.fromEntries(
      requiredIn(operation, place).map((parameter) => [parameter.name, valueFor(parameter)]),
    );
  return {
    operation,
    target: query === '' ? target : `${target}?${query}`,
    parameters: { path: valuesIn('path'), query: valuesIn('query'), header: valuesIn('header') },
    headers,
  };
}

/** The path parameters of the first seeded record. */
function seededParameters(operation: Operation, collections: Collections): Readonly<Record<string, unknown>> {
  for (const [{ actions, id }, collection] of collections) {
    if (!Object.values(actions).includes(operation)) continue;
    const idParameter = id?.parameter === undefined ? {} : { [id.parameter]: collection.idOf(1) };
    return { ...collection.seedScope(1), ...idParameter };
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
