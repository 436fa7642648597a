import type { Problem } from '../document/source-file.ts';
import { describeValue, type Spot } from '../document/spot.ts';
import { type CollectionMeaning, QUERY_WORDS, type QueryMeaning } from '../meaning/meaning.ts';
import { type Said, saidOfRecord } from '../meaning/x-paddock.ts';
import { nearest } from '../nearest.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { answerShape, bodyShape, memberShape, successOf } from '../resources/record-schema.ts';
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
  const found = [
    ...operations.flatMap((one) => {
      const beside = operations.filter(({ path }) => path === one.path);
      const meant = meantBy(one, operations);
      const { of } = one.said.facts;
      const collections = meant === undefined ? paths : [...paths.filter((path) => path !== of), meant];
      return one.said.spot ? ofOperation(one, { record: recordOf(one), collections, beside }) : [];
    }),
    ...[...records.values()].flatMap((shape) => ofRecord(shape, saidOfRecord(shape), paths)),
  ];
  // What is said at a path is said of each of its operations.
  return [
    ...new Map(found.map((one) => [`${one.uri}:${one.line}:${one.column} ${one.message}`, one])).values(),
  ];
}

interface Known {
  readonly record: Shape | undefined;
  readonly collections: readonly string[];
  /** The operations of the same path. */
  readonly beside: readonly Operation[];
}

/** The path that was meant by a collection which has no path in the document, and which nobody else names. */
function meantBy({ said }: Operation, operations: readonly Operation[]): string | undefined {
  const { of } = said.facts;
  if (of === undefined) return undefined;
  const named = operations.filter(
    ({ path, said: { facts } }) => facts.of === of || path === of || path.startsWith(`${of}/`),
  );
  return named.length > 1 || named[0]?.path.startsWith(of)
    ? undefined
    : nearest(
        of,
        operations.map(({ path }) => path),
      );
}

function askedBy(operation: Operation): string[] {
  const inQuery = operation.parameters.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
  const body = operation.method === 'GET' ? undefined : bodyShape(operation);
  return [...inQuery, ...(body?.properties.keys() ?? [])];
}

function isWithin({ spot }: Operation, said: Spot | undefined): boolean {
  return said?.file === spot.file && spot.path.every((step, index) => said.path[index] === step);
}

function ofOperation(operation: Operation, { record, collections, beside }: Known): Problem[] {
  const { facts, at } = operation.said;
  const [answer, body] = [answerShape(operation), bodyShape(operation)];
  // What is said at the path is meant for those of its operations that have the parameter.
  const asked = (spot: Spot | undefined) =>
    (isWithin(operation, spot) ? [operation] : beside).flatMap(askedBy);
  const { account, in: places } = facts;
  const headers = (successOf(operation)?.headers ?? []).map(({ name }) => name);
  const sent = operation.parameters.flatMap(({ in: place, name }) => (place === 'header' ? [name] : []));
  const inPath = pathParameters(operation.path);
  return [
    ...unknown(facts.of, collections, 'collection of the document', at('of') ?? at(facts.does ?? 'of')),
    ...Object.entries(facts.query ?? {}).flatMap(([name, meaning]) => [
      ...unknown(
        name.replace(/\[.*\]$/, ''),
        asked(at('query', name)),
        'query parameter of it',
        at('query', name),
      ),
      ...membersOf(meaning).flatMap((one) => absent(one, record, 'the record', at('query', name))),
    ]),
    ...Object.entries(facts.path ?? {}).flatMap(([name, meaning]) => [
      ...unknown(name, inPath, 'path parameter of it', at('path', name)),
      ...(meaning.startsWith('$') ? [] : absent(meaning, record, 'the record', at('path', name))),
    ]),
    ...(['sets', 'where'] as const).flatMap((key) =>
      Object.entries(facts[key] ?? {}).flatMap(([name, value]) => [
        ...absent(name, record, 'the record', at(key, name)),
        ...unknownWord(value, WORDS[key], inPath, at(key, name)),
      ]),
    ),
    ...(facts.changes ?? []).flatMap((one) => absent(one, record, 'the record', at('changes'))),
    ...Object.keys(facts.page ?? {}).flatMap((name) =>
      headers.some((one) => one.toLowerCase() === name.toLowerCase())
        ? []
        : absent(name, answer, 'the response', at('page', name)),
    ),
    ...Object.keys(facts.says ?? {}).flatMap((name) =>
      absent(name, answer, 'the response', at('says', name)),
    ),
    ...['job', 'results'].flatMap((key) =>
      absent(facts[key as 'job' | 'results'], answer, 'the response', at(key)),
    ),
    ...unknown(facts.idempotencyKey?.toLowerCase(), sent, 'header of its requests', at('idempotencyKey')),
    ...Object.keys(facts.refuses ?? {}).flatMap((status) =>
      /^[1-5]\d\d$/.test(status)
        ? []
        : [
            problem(
              at('refuses', status) ?? operation.spot,
              `${describeValue(status)} is no status; write one such as '422'`,
            ),
          ],
    ),
    ...(facts.does === 'values' && places?.values === undefined
      ? [
          problem(
            at('values') ?? operation.spot,
            'it lists the values of a member; say which: in: { values: MEMBER }',
          ),
        ]
      : []),
    ...absent(places?.values, record, 'the record', at('in', 'values')),
    ...absent(places?.body, body, 'the body', at('in', 'body')),
    ...(['record', 'records', 'id'] as const).flatMap((key) =>
      absent(places?.[key], answer, 'the response', at('in', key)),
    ),
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

/** What values of `sets` and `where` may be, beside values. */
const WORDS = { sets: ['$now', '$account', '$body'], where: ['$account', '$followed'] } as const;

function unknownWord(
  value: unknown,
  words: readonly string[],
  inPath: readonly string[],
  spot?: Spot,
): Problem[] {
  if (typeof value !== 'string') return [];
  const [, named] = /^\{(.+)\}$/.exec(value) ?? [];
  if (named !== undefined) return unknown(named, inPath, 'path parameter of it', spot);
  return value.startsWith('$') ? unknown(value, words, 'word', spot) : [];
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
  const steps = path.split('.');
  for (const [index, name] of steps.entries()) {
    const object: Shape = here.items ?? here;
    // A name may have dots itself.
    if (memberShape(object, steps.slice(index).join('.'))) return [];
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
