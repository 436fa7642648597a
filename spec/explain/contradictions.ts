import type { Problem } from '../document/source-file.ts';
import { describeValue, type Spot } from '../document/spot.ts';
import {
  type CollectionMeaning,
  type OperationMeaning,
  QUERY_WORDS,
  type QueryMeaning,
} from '../meaning/meaning.ts';
import { type Said, saidOfRecord } from '../meaning/x-paddock.ts';
import { nearest } from '../nearest.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { answerShape, bodyShape, memberShape } from '../resources/record-schema.ts';
import type { Resource, Singleton } from '../resources/resource.ts';
import type { Shape } from '../schema/shape.ts';

/** What a fact of `x-paddock` names that the document does not have, with its place. */
export function contradictions(
  operations: readonly Operation[],
  {
    resources,
    singletons,
  }: { readonly resources: readonly Resource[]; readonly singletons: readonly Singleton[] },
): Problem[] {
  const all = [...resources, ...singletons];
  const paths = all.map(({ path }) => path);
  const recordOf = (operation: Operation): Shape | undefined =>
    all.find(
      ({ path, actions, further }) =>
        path === operation.said.facts.of ||
        Object.values(actions).includes(operation) ||
        further.some((one) => one.operation === operation),
    )?.shape;
  const records = new Map(all.map(({ shape }) => [shape.spot.value, shape]));
  return [
    ...operations.flatMap((one) => (one.said.spot ? ofOperation(one, recordOf(one), paths) : [])),
    ...[...records.values()].flatMap((shape) => ofRecord(shape, saidOfRecord(shape), paths)),
  ];
}

function ofOperation(
  operation: Operation,
  record: Shape | undefined,
  collections: readonly string[],
): Problem[] {
  const { facts, at } = operation.said;
  const [answer, body] = [answerShape(operation), bodyShape(operation)];
  const inQuery = operation.parameters.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
  const asked = [...inQuery, ...(operation.method === 'GET' ? [] : (body?.properties.keys() ?? []))];
  const { account, in: places } = facts;
  return [
    ...unknown(facts.of, collections, 'collection of the document', at('of') ?? at(facts.does ?? 'of')),
    ...Object.entries(facts.query ?? {}).flatMap(([name, meaning]) => [
      ...unknown(name.replace(/\[.*\]$/, ''), asked, 'query parameter of it', at('query', name)),
      ...membersOf(meaning).flatMap((one) => absent(one, record, 'the record', at('query', name))),
    ]),
    ...Object.entries(facts.path ?? {}).flatMap(([name, meaning]) => [
      ...unknown(name, pathParameters(operation.path), 'path parameter of it', at('path', name)),
      ...(meaning.startsWith('$') ? [] : absent(meaning, record, 'the record', at('path', name))),
    ]),
    ...['sets', 'where'].flatMap((key) =>
      Object.keys((facts[key as keyof OperationMeaning] as object | undefined) ?? {}).flatMap((name) =>
        absent(name, record, 'the record', at(key, name)),
      ),
    ),
    ...absent(places?.body, body, 'the body', at('in', 'body')),
    ...[places?.record, places?.records].flatMap((one) => absent(one, answer, 'the response', at('in'))),
    ...[...(account?.identity ?? []), account?.proof].flatMap((one) =>
      absent(one, body, 'the body', at('account')),
    ),
    ...[account?.token, account?.refresh, account?.shows].flatMap((one) =>
      absent(one, answer, 'the response', at('account')),
    ),
  ];
}

function ofRecord(
  shape: Shape,
  { facts, at }: Said<Partial<CollectionMeaning>>,
  collections: readonly string[],
): Problem[] {
  const { id, idFrom, members = {}, unique = [], keptBy = [] } = facts;
  return [
    ...absent(id, shape, 'the record', at('id')),
    ...absent(idFrom, shape, 'the record', at('idFrom')),
    ...unique.flatMap((key) => key.members.flatMap((one) => absent(one, shape, 'the record', at('unique')))),
    ...keptBy.flatMap((one) => unknown(one, collections, 'collection of the document', at('keptBy'))),
    ...Object.entries(members).flatMap(([name, { names, shows }]) => [
      ...absent(name, shape, 'the record', at('members', name)),
      ...[names, shows].flatMap((one) =>
        unknown(one, collections, 'collection of the document', at('members', name)),
      ),
    ]),
  ];
}

function membersOf(meaning: QueryMeaning): readonly string[] {
  if (typeof meaning !== 'string') return 'search' in meaning ? meaning.search : meaning.order;
  if ((QUERY_WORDS as readonly string[]).includes(meaning) || meaning.startsWith('$')) return [];
  return [meaning.replace(/^[<>]=?\s+/, '')];
}

function unknown(name: string | undefined, known: readonly string[], what: string, spot?: Spot): Problem[] {
  if (name === undefined || !spot || known.includes(name)) return [];
  const meant = nearest(name, known);
  const remedy = meant
    ? `did you mean ${describeValue(meant)}?`
    : `there ${known.length === 0 ? 'is none' : `are ${known.join(', ')}`}`;
  return [problem(spot, `${describeValue(name)} is no ${what}; ${remedy}`)];
}

/** A member that a schema does not have; one that is open may have it all the same, and nobody says so of an undescribed one. */
function absent(path: string | undefined, shape: Shape | undefined, what: string, spot?: Spot): Problem[] {
  if (path === undefined || path.startsWith('$') || !shape || !spot) return [];
  let here: Shape | undefined = shape;
  for (const name of path.split('.')) {
    const object: Shape = here.items ?? here;
    const names = [object, ...object.alternatives].flatMap(({ properties }) => [...properties.keys()]);
    if (names.length === 0) return [];
    here = memberShape(object, name);
    if (!here) {
      const meant = nearest(name, names);
      return [
        problem(
          spot,
          `${what} has no member ${describeValue(name)}; ${meant ? `did you mean "${meant}"?` : `it has ${names.join(', ')}`}`,
        ),
      ];
    }
  }
  return [];
}

function problem({ file, path }: Spot, message: string): Problem {
  return file.problemAt(path, `x-paddock: ${message}`);
}
