import {
  type Contract,
  findLeftOut,
  isEqual,
  isRecord,
  keyOf,
  type ListMeaning,
  listMeanings,
  meaningOf,
  type Operation,
  pathText,
  rawChild,
  type Spot,
  stringifyJson,
  toPointer,
} from '#spec';
import { type Contracts, isUnchanged, type Pair } from '../pair.ts';
import { isSame } from '../same-schema.ts';
import type { Change, Occurrence } from './change.ts';
import { plain, type SchemaComparisons } from './occurrences.ts';
import { operationChanges } from './operation-changes.ts';
import { type ChangeClass, type Direction, RULES, type RuleName } from './rules.ts';
import { type CompareSchemas, createSchemaComparison } from './schema-changes.ts';
import { securityChanges } from './security-changes.ts';
import { serverChanges } from './server-changes.ts';

export interface ChangeOptions {
  /** The minimum number of days between deprecation and removal; 0: any number. */
  readonly deprecationDays: number;
}

/** Every change between two documents, each once, with all affected operations; breaking ones first. */
export function changesOf(
  contracts: Contracts,
  pairs: readonly Pair[],
  { deprecationDays }: ChangeOptions,
): Change[] {
  const comparisons = comparisonsFor(deprecationDays);
  const occurrences = [
    ...pairs.flatMap((pair) => pairChanges(pair, contracts, comparisons)),
    ...outgoingChanges(contracts, pairs, comparisons),
    ...addedOperations(contracts, pairs),
    ...serverChanges(contracts, pairs),
    ...documentChanges(contracts),
  ];
  const groups = Map.groupBy(occurrences, identityOf);
  const changes = [...groups.values()].map((group) => merged(group as [Occurrence]));
  return changes.toSorted((left, right) => ORDER.indexOf(left.class) - ORDER.indexOf(right.class));
}

const ORDER: readonly ChangeClass[] = ['breaking', 'warning', 'safe', 'note'];

function comparisonsFor(deprecationDays: number): SchemaComparisons {
  const made = new Map<Direction, CompareSchemas>();
  return {
    deprecationDays,
    of(direction) {
      const comparison = made.get(direction) ?? createSchemaComparison(direction, deprecationDays);
      made.set(direction, comparison);
      return comparison;
    },
  };
}

function pairChanges(
  pair: Pair,
  { old: before, new: next }: Contracts,
  comparisons: SchemaComparisons,
): Occurrence[] {
  const { new: twin } = pair;
  if (twin && pair.isChanged)
    return [
      ...operationChanges(pair.old, twin, comparisons, 'request', meaningsOf(before, pair.old)),
      ...meaningChanges(pair, { old: before, new: next }).map(({ fact, from, to }) =>
        bare('meaning-changed', pair.old, pair.old.spot, twin.spot, {
          from: `${fact}: ${from}`,
          to: `${fact}: ${to}`,
        }),
      ),
    ];
  // The change is outside of the operation.
  if (twin) return securityChanges(pair.old, twin).map((change) => ({ ...change, operation: pair.old }));
  const paths = rawChild(next.document.root, 'paths') ?? next.document.root;
  const { old } = pair;
  const after = rawChild(paths, old.path) ?? paths;
  const rule = pair.isOver ? 'operation-removed-as-announced' : 'operation-removed';
  const from = pair.isOver
    ? `${old.method} ${old.path}, announced for ${old.sunset}`
    : `${old.method} ${old.path}`;
  return [bare(rule, old, old.spot, after, { from })];
}

/** The meanings of a list's parameters, as the mock infers them. */
function meaningsOf(
  { resources }: Contract,
  operation: Operation,
): ReadonlyMap<string, ListMeaning> | undefined {
  for (const { actions, list, further } of resources) {
    const form = actions.list === operation ? list : further.find((one) => one.operation === operation)?.list;
    if (form) return listMeanings(form);
  }
  return undefined;
}

/** Callbacks and webhooks: the service sends the requests, and its clients respond. */
function outgoingChanges(
  { old, new: next }: Contracts,
  pairs: readonly Pair[],
  comparisons: SchemaComparisons,
): Occurrence[] {
  const free = new Set(next.outgoing);
  const twins = new Map(pairs.flatMap((pair) => (pair.new ? [[pair.old, pair.new] as const] : [])));
  // A callback of a removed operation is no change of its own.
  const outgoing = old.outgoing.filter(({ owner }) => !owner || twins.has(owner));
  const occurrences: Occurrence[] = [];
  for (const operation of outgoing) {
    const alike = [...free].filter(
      ({ kind, name, method, owner }) =>
        kind === operation.kind &&
        name === operation.name &&
        method === operation.method &&
        owner === (operation.owner && twins.get(operation.owner)),
    );
    const twin = alike.find(({ path }) => path === operation.path) ?? alike[0];
    if (!twin) {
      occurrences.push(
        bare(`${operation.kind}-removed`, operation, operation.spot, next.document.root, {
          from: operation.name,
        }),
      );
      continue;
    }
    free.delete(twin);
    if (twin.path !== operation.path)
      occurrences.push(
        bare('callback-url-changed', operation, operation.spot, twin.spot, {
          from: operation.path,
          to: twin.path,
        }),
      );
    if (!isUnchanged(operation, twin))
      occurrences.push(...operationChanges(operation, twin, comparisons, 'response'));
  }
  const owners = new Set(twins.values());
  for (const operation of free)
    if (!operation.owner || owners.has(operation.owner))
      occurrences.push(
        bare(`${operation.kind}-added`, operation, old.document.root, operation.spot, { to: operation.name }),
      );
  return occurrences;
}

function addedOperations({ old, new: next }: Contracts, pairs: readonly Pair[]): Occurrence[] {
  const partners = new Set(pairs.map((pair) => pair.new));
  const before = rawChild(old.document.root, 'paths') ?? old.document.root;
  const findUnread = findLeftOut(old);
  return next.operations
    .filter((operation) => !partners.has(operation) && !findUnread(operation))
    .map((operation) =>
      bare('operation-added', operation, before, operation.spot, {
        to: `${operation.method} ${operation.path}`,
      }),
    );
}

function documentChanges({ old, new: next }: Contracts): Occurrence[] {
  const occurrences: Occurrence[] = [];
  const [mine, theirs] = [old.document.root, next.document.root];
  for (const name of new Set([...old.securitySchemes, ...next.securitySchemes])) {
    const [one, other] = [mine, theirs].map((root) => schemeAt(root, name));
    if (!isSame(one, other))
      occurrences.push(
        bare('security-scheme-changed', undefined, one ?? mine, other ?? theirs, {
          from: one ? name : '',
          to: other ? name : '',
        }),
      );
  }
  return occurrences;
}

function schemeAt(root: Spot, name: string): Spot | undefined {
  return ['components', 'securitySchemes', name].reduce<Spot | undefined>(
    (spot, step) => spot && rawChild(spot, step),
    root,
  );
}

function bare(
  rule: RuleName,
  operation: Operation | undefined,
  old: Spot,
  next: Spot,
  texts: { from?: string; to?: string },
): Occurrence {
  return { ...plain(rule, old, next, texts), operation };
}

/** Identifies a change: the same rule at the same places of both documents is one change, however it is reached. */
function identityOf({ rule, direction, old, new: next, steps, from, to }: Occurrence): string {
  const place = ({ file, path }: Spot) => `${file.uri}#${path.join('/')}`;
  return [rule, direction, place(old), place(next), steps.at(-1), from, to].join('\n');
}

function merged(group: readonly [Occurrence, ...Occurrence[]]): Change {
  const [first] = group.toSorted((left, right) => left.steps.length - right.steps.length) as [Occurrence];
  const { rule, direction, from, to, old, new: next, level } = first;
  const operations = [...new Set(group.flatMap(({ operation }) => operation ?? []))];
  return {
    rule,
    class: RULES[rule][direction],
    direction,
    subject: subjectOf(first, group, operations),
    from,
    to,
    operations,
    old,
    new: next,
    reason: RULES[rule].reason,
    sites: group.map(({ operation, within, steps, status }) => ({
      operation,
      within,
      steps,
      ...(status !== undefined && { status }),
    })),
    level,
  };
}

const MOST_NAMED = 3;

/** The subject of a change: `pages` in the request of addBook and replaceBook. */
function subjectOf(
  first: Occurrence,
  group: readonly Occurrence[],
  operations: readonly Operation[],
): string {
  const names = operations.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = operations.length - names.length;
  const all = more > 0 ? [...names, `${more} more`] : names;
  const named = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '');
  const places = [...new Set(group.map(({ within }) => within))];
  const within =
    places.length > 1 && places.every((place) => /^the [\dd]/.test(place)) ? 'responses' : first.within;
  const what = first.steps.length === 0 ? '' : `\`${pathText(first.steps)}\` in `;
  if (within === '') return named || 'the document';
  return `${what}${within} of ${named}`;
}

/** A fact that both documents promise differently, or that only one promises. */
interface MeaningChange {
  /** The key of the fact: `query status`, `unique` */
  readonly fact: string;
  readonly from: string;
  readonly to: string;
}

/** Changed meanings of an operation and its records. Meanings of removed parameters belong to other changes. */
function meaningChanges({ old, new: next }: Pair, contracts: Contracts): MeaningChange[] {
  if (!next) return [];
  const [mine, theirs] = [factsOf(old, contracts.old), factsOf(next, contracts.new)];
  const isOfGone = (fact: string) =>
    fact.startsWith('query ') &&
    ![old, next].every((operation) => operation.parameters.some(({ name }) => fact === `query ${name}`));
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((fact) => {
    const [from, to] = [mine.get(fact), theirs.get(fact)];
    return isOfGone(fact) || isEqual(from, to) ? [] : [{ fact, from: asText(from), to: asText(to) }];
  });
}

const asText = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : stringifyJson(value);

/** The compared facts: schemas show the places in bodies, and how pages are described. */
const OF_OPERATIONS = ['does', 'query', 'first', 'where', 'sets', 'changes', 'upsert', 'may', 'says'];
const OF_RECORDS = ['id', 'unique', 'keptBy', 'members'];

function factsOf(operation: Operation, contract: Contract): ReadonlyMap<string, unknown> {
  const { meaning, bases } = meaningOf(contract);
  const key = keyOf(operation);
  const part = meaning.operations[key];
  const facts = new Map<string, unknown>();
  const add = (at: readonly string[], all: object | undefined, keys: readonly string[]) => {
    const isPromised = (...path: string[]) =>
      bases.get(toPointer([...at, ...path]))?.certainty === 'promised';
    for (const [name, value] of Object.entries(all ?? {}).filter((entry) => keys.includes(entry[0]))) {
      if (isPromised(name)) facts.set(name, value);
      else if (isRecord(value))
        for (const [inner, one] of Object.entries(value))
          if (isPromised(name, inner)) facts.set(`${name} ${inner}`, one);
    }
  };
  add(['operations', key], part, OF_OPERATIONS);
  if (part?.of !== undefined) add(['collections', part.of], meaning.collections[part.of], OF_RECORDS);
  return facts;
}
