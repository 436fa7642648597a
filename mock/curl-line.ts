import {
  encodeParameter,
  type Operation,
  ownEntry,
  type Parameter,
  queryPairs,
  type Resource,
  sample,
} from '#spec';
import type { Endpoint } from './engine/endpoint.ts';
import type { RecordCollection } from './records/collection.ts';

type Collections = ReadonlyMap<Resource, RecordCollection>;

/** A curl command that succeeds: for the list with the fewest required parameters, else a record, else any GET. */
export function curlLine(
  endpoints: readonly Endpoint[],
  collections: Collections,
  baseUrl: string,
  key: string,
): string | undefined {
  const gets = endpoints.filter(({ operation }) => operation.method === 'GET');
  const [best] = gets.sort((a, b) => effort(a) - effort(b));
  return best && commandFor(best.operation, collections, baseUrl, key);
}

function effort({ operation, action }: Endpoint): number {
  const required = operation.parameters.filter((parameter) => parameter.required).length;
  return required + (operation.deprecated ? 10 : 0) + (action === 'sample' ? 20 : 0);
}

function commandFor(operation: Operation, collections: Collections, baseUrl: string, key: string): string {
  const seeded = seededParameters(operation, collections);
  const { parameters, security } = operation;
  const valueFor = ({ name, shape }: Parameter) => ownEntry(seeded, name) ?? sample(shape, { key: 'curl' });
  const textFor = (parameter: Parameter) => encodeParameter(parameter, valueFor(parameter)).join();
  const requiredIn = (place: Parameter['in']) =>
    parameters.filter((parameter) => parameter.required && parameter.in === place);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter ? textFor(parameter) : '';
  });
  const query = requiredIn('query')
    .flatMap((parameter) => queryPairs(parameter, valueFor(parameter)))
    .map((pair) => pair.join('='));
  const flags = requiredIn('header').map((parameter) => `-H "${parameter.name}: ${textFor(parameter)}"`);
  for (const { kind, in: place, name } of security[0] ?? []) {
    if (kind === 'bearer') flags.push(`-H "Authorization: Bearer ${key}"`);
    else if (kind === 'basic') flags.push(`-u "${key.includes(':') ? key : `${key}:`}"`);
    else if (place === 'header') flags.push(`-H "${name}: ${key}"`);
    else if (place === 'cookie') flags.push(`-b "${name}=${key}"`);
    else query.push(`${name}=${key}`);
  }
  const search = query.length > 0 ? `?${query.join('&')}` : '';
  return ['curl', ...flags, `"${baseUrl}${path}${search}"`].join(' ');
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
