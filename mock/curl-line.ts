import { encodeParameter, type Operation, type Parameter, type Resource, sample } from '#spec';
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
  const usable = gets.filter(({ operation, action }) => action !== 'read' || idOf(operation, collections));
  const [best] = usable.sort((a, b) => effort(a) - effort(b));
  return best && commandFor(best.operation, collections, baseUrl, key);
}

function effort({ operation, action }: Endpoint): number {
  const needed = operation.parameters.filter(({ required }) => required).length;
  return needed + (operation.deprecated ? 10 : 0) + (action === 'sample' ? 20 : 0);
}

function commandFor(operation: Operation, collections: Collections, baseUrl: string, key: string): string {
  const textsFor = (parameter: Parameter) =>
    encodeParameter(
      parameter,
      idOf(operation, collections)?.(parameter.name) ?? sample(parameter.shape, { key: 'curl' }),
    );
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter ? encodeURIComponent(textsFor(parameter).join(',')) : '';
  });
  const needed = operation.parameters.filter(({ required, in: place }) => required && place !== 'path');
  const query = needed.flatMap((parameter) =>
    parameter.in === 'query'
      ? textsFor(parameter).map((value) => `${parameter.name}=${encodeURIComponent(value)}`)
      : [],
  );
  const headers = needed.flatMap((parameter) =>
    parameter.in === 'header' ? [`-H "${parameter.name}: ${textsFor(parameter)}"`] : [],
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

/** The id of the first seeded record, for the path parameter that carries it. */
function idOf(operation: Operation, collections: Collections): ((parameter: string) => unknown) | undefined {
  for (const [{ actions, id, parents }, collection] of collections) {
    if (actions.read !== operation || parents.length > 0) continue;
    return (parameter) => (parameter === id?.parameter ? collection.idOf(1) : undefined);
  }
  return undefined;
}
