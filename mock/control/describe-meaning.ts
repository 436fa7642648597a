import {
  type Contract,
  isOrdered,
  keyOf,
  meaningOf,
  type Operation,
  pathParameters,
  type Resource,
  type Shape,
  type Singleton,
  unknownParameters,
} from '#spec';
import { DOES, type Fact, factsAt, QUERY_WORDS } from '#whole-document';
import { namedMembers } from '../records/forms.ts';

/** What documents mean, and why. */
export interface MeaningView {
  /** The overlay to change, as named at the start; null: there is none. */
  readonly file: string | null;
  readonly parts: readonly MeaningPart[];
  /** For a requested operation: the possible values of its facts, by the first name of their paths. */
  readonly choices?: Readonly<Record<string, readonly unknown[]>>;
}

/** An operation, or the records of a collection. */
export interface MeaningPart {
  readonly kind: 'operation' | 'collection';
  /** `GET /pets`, or the path of the collection. */
  readonly name: string;
  /** The name of one of several documents; empty: there is only one. */
  readonly document: string;
  readonly facts: readonly FactView[];
  /** The paths of unknown facts, such as the effect of a parameter. */
  readonly unknown: readonly (readonly string[])[];
}

/** A fact with its basis; `path` is its place below `x-paddock`. */
export type FactView = Pick<Fact, 'path' | 'value'> & Fact['basis'];

/** A served document, and its name among several. */
export interface NamedContract {
  readonly name: string;
  readonly contract: Contract;
}

export function allParts(document: NamedContract): MeaningPart[] {
  const { operations } = document.contract;
  return [
    ...operations.map((operation) => operationPart(document, operation)),
    ...Object.keys(meaningOf(document.contract).meaning.collections).map((path) =>
      collectionPart(document, path),
    ),
  ];
}

export function operationPart(
  { name: document, contract }: NamedContract,
  operation: Operation,
): MeaningPart {
  const explained = meaningOf(contract);
  const name = keyOf(operation);
  const meaning = explained.meaning.operations[name] ?? { does: 'none' };
  const inQuery = new Set(
    operation.parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])),
  );
  const unknown = [
    ...pathParameters(operation.path).flatMap((pathParameter) =>
      meaning.path?.[pathParameter] ? [] : [['path', pathParameter]],
    ),
    ...unknownParameters(operation, meaning).flatMap((unknownParameter) =>
      inQuery.has(unknownParameter) ? [['query', unknownParameter]] : [],
    ),
  ];
  return {
    kind: 'operation',
    name,
    document,
    facts: viewOf(factsAt(explained, ['operations', name])),
    unknown,
  };
}

export function collectionPart({ name: document, contract }: NamedContract, name: string): MeaningPart {
  const facts = viewOf(factsAt(meaningOf(contract), ['collections', name]));
  return { kind: 'collection', name, document, facts, unknown: [] };
}

const viewOf = (facts: readonly Fact[]): FactView[] =>
  facts.map(({ path, value, basis }) => ({ path, value, ...basis }));

/** The possible values of the facts of a collection's operations and records. */
export function choicesOf(
  { resources, singletons }: Contract,
  of: string | undefined,
): MeaningView['choices'] {
  const all: readonly (Resource | Singleton)[] = [...resources, ...singletons];
  const collections = all.map(({ path }) => path);
  const record = all.find(({ path }) => path === of)?.shape;
  const members = record ? membersOf(record) : [];
  const names = members.map(([name]) => name);
  const bounds = members.flatMap(([name, shape]) =>
    isOrdered(shape) ? ['>=', '>', '<=', '<'].map((sign) => `${sign} ${name}`) : [],
  );
  return {
    does: DOES,
    of: collections,
    path: ['$id', '$parent', '$scope', ...names],
    query: [...names, ...bounds, ...QUERY_WORDS],
    first: [0, 1],
    id: names,
    members: names,
    names: collections,
  };
}

/** `name`, and `author.username` for an object. */
function membersOf(record: Shape): [string, Shape][] {
  return [...namedMembers(record)].flatMap(([name, member]) => [
    [name, member] as [string, Shape],
    ...[...member.properties].map(([inner, shape]): [string, Shape] => [`${name}.${inner}`, shape]),
  ]);
}
