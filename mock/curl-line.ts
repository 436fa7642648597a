import { encodeParameter, type Operation, type Parameter, queryPairs, type Resource, sample } from '#spec';
import type { RecordCollection } from './answer/collection.ts';
import type { Endpoint } from './answer/endpoint.ts';

type Collections = ReadonlyMap<Resource, RecordCollection>;

/** A command to copy that is answered with success: the list that needs least, else a record, else any GET. */
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
  const needed = operation.parameters.filter(({ required }) => required).length;
  return needed + (operation.deprecated ? 10 : 0) + (action === 'sample' ? 20 : 0);
}

function commandFor(operation: Operation, collections: Collections, baseUrl: string, key: string): string {
  const seeded = seededParameters(operation, collections);
  const valueFor = ({ name, shape }: Parameter) => seeded[name] ?? sample(shape, { key: 'curl' });
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter ? encodeURIComponent(encodeParameter(parameter, valueFor(parameter)).join()) : '';
  });
  const needed = operation.parameters.filter(({ required }) => required);
  const query = needed.flatMap((parameter) =>
    parameter.in === 'query'
      ? queryPairs(parameter, valueFor(parameter)).map((pair) => pair.map(encodeURIComponent).join('='))
      : [],
  );
  const headers = needed.flatMap((parameter) =>
    parameter.in === 'header'
      ? [`-H "${parameter.name}: ${encodeParameter(parameter, valueFor(parameter))}"`]
      : [],
  );
  for (const { kind, in: place, name } of operation.security[0] ?? []) {
    if (kind === 'bearer') headers.push(`-H "Authorization: Bearer ${key}"`);
    else if (kind === 'basic') headers.push(`-u "${key}:"`);
    else if (place === 'header') headers.push(`-H "${name}: ${key}"`);
    else if (place === 'cookie') headers.push(`-b "${name}=${key}"`);
    else query.push(`${name}=${key}`);
  }
  const search = query.length > 0 ? `?${query.join('&')}` : '';
  return ['curl', ...headers, `"${baseUrl}${path}${search}"`].join(' ');
}

/** The path parameters that lead to the first seeded record. */
function seededParameters(operation: Operation, collections: Collections): Readonly<Record<string, unknown>> {
  for (const [{ actions, id }, collection] of collections) {
    if (!Object.values(actions).includes(operation)) continue;
    const own = id?.parameter === undefined ? {} : { [id.parameter]: collection.idOf(1) };
    return { ...collection.seedScope(1), ...own };
  }
  return {};
}
