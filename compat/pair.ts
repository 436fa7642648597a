import { type Contract, findLeftOut, type Operation, pathForm, withOperations } from '#spec';
import type { Sent } from './draft.ts';
import { isSame } from './same-schema.ts';

/** Both documents of a comparison. */
export interface Contracts {
  readonly old: Contract;
  readonly new: Contract;
}

/** An operation of OLD, and the one of NEW with the same method and path. */
export interface Pair {
  readonly old: Operation;
  /** Undefined: NEW does not have it. */
  readonly new: Operation | undefined;
  /** Whether the documents differ in its promises, about the request, the response or its records. */
  readonly isChanged: boolean;
  /** Whether its announced removal date has passed: clients may no longer rely on it. */
  readonly isOver: boolean;
}

/** Pairs the operations by method and path, except those that cannot be read in NEW. */
export function pairOperations(old: Contract, next: Contract, { toNew }: Address): Pair[] {
  const byForm = new Map(next.operations.map((operation) => [formOf(operation), operation]));
  const findUnread = findLeftOut(next);
  return old.operations.flatMap((operation): Pair[] => {
    const there = { method: operation.method, path: toNew(operation.path) };
    const twin = byForm.get(formOf(there));
    if (findUnread(there)) return [];
    const isChanged = twin === undefined || !isUnchanged(operation, twin);
    return [{ old: operation, new: twin, isChanged, isOver: twin === undefined && isAnnounced(operation) }];
  });
}

/** Operations of OLD that cannot be read in one of the documents: whether clients are safe is unknown. */
export function unreadOperations({ old, new: next }: Contracts, { toNew }: Address) {
  const findUnread = findLeftOut(next);
  const later = old.operations.flatMap((operation) => {
    const leftOut = findUnread({ method: operation.method, path: toNew(operation.path) });
    return leftOut ? [{ name: operation.id, operations: [operation], problem: leftOut.problem }] : [];
  });
  return [...old.leftOut, ...later];
}

function isAnnounced({ deprecated, sunset }: Operation): boolean {
  return deprecated && sunset !== undefined && Date.parse(sunset) <= Date.now();
}

/** Whether an operation is unchanged, including everything that it inherits. */
export function isUnchanged(old: Operation, next: Operation): boolean {
  return (
    isSame(old.spot, next.spot) &&
    old.parameters.length === next.parameters.length &&
    old.parameters.every((parameter, index) => isSame(parameter.spot, next.parameters[index]?.spot)) &&
    JSON.stringify(old.security.map(schemesOf)) === JSON.stringify(next.security.map(schemesOf))
  );
}

function schemesOf(requirement: Operation['security'][number]): unknown[] {
  return requirement.map(({ kind, in: place, name }) => [kind, place, name]);
}

/** Where clients of OLD send their requests if NEW is the service. */
export interface Address {
  /** The base path of OLD. */
  readonly basePath: string;
  /** Whether a part of the paths moved between servers and paths, with unchanged URLs. */
  readonly hasMoved: boolean;
  /** Converts a path of OLD to one of NEW, without base paths. */
  readonly toNew: (path: string) => string;
}

/**
 * Clients configure the base URL: paths of OLD are sent to any base path of NEW. If more operations keep their whole URL
 * than their path, a part such as `/v1` moved between servers and paths.
 */
export function addressOf(old: Contract, next: Contract): Address {
  const whole = (path: string) => {
    const url = old.basePath + path;
    return url.startsWith(`${next.basePath}/`) ? url.slice(next.basePath.length) : url;
  };
  const forms = new Set(next.operations.map((operation) => formOf(operation)));
  const kept = (toNew: (path: string) => string) =>
    old.operations.filter(({ method, path }) => forms.has(formOf({ method, path: toNew(path) }))).length;
  const asWritten = (path: string) => path;
  return old.basePath !== next.basePath && kept(whole) > kept(asWritten)
    ? { basePath: old.basePath, hasMoved: true, toNew: whole }
    : { basePath: next.basePath, hasMoved: false, toNew: asWritten };
}

/** OLD at the base URL of NEW: clients use another base URL, and each operation has its path in NEW. */
export function placedAsNew({ old, new: next }: Contracts, { hasMoved }: Address): Contracts {
  if (hasMoved) return { old, new: next };
  const byForm = new Map(next.operations.map((operation) => [formOf(operation), operation]));
  const placed = withOperations(old, (operation) => {
    return { basePaths: (byForm.get(formOf(operation)) ?? next).basePaths };
  });
  return { old: { ...placed, basePaths: next.basePaths, basePath: next.basePath }, new: next };
}

/** The method and path, without parameter names, which requests do not show. */
function formOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${pathForm(path)}`;
}

/** A request of OLD in terms of NEW. */
export function atNew({ hasMoved, toNew }: Address, sent: Sent): Sent {
  return hasMoved ? { ...sent, basePath: undefined, path: toNew(sent.path) } : sent;
}

/**
 * The operations of OLD that the suite must test: the given ones, and those that work on the same records.
 * @param all every pair: operations that NEW lacks are not tested
 */
export function affectedBy(
  pairs: readonly Pair[],
  all: readonly Pair[],
  contract: Contract,
): ReadonlySet<Operation> {
  const changed = new Set(pairs.map(({ old }) => old));
  const related = sharedRecords(contract).filter((operations) =>
    operations.some((operation) => changed.has(operation)),
  );
  const kept = new Set(all.flatMap((pair) => (pair.new ? [pair.old] : [])));
  return new Set([...changed, ...related.flat()].filter((operation) => kept.has(operation)));
}

/** The operations of each collection, and of each singleton. */
export function sharedRecords({ resources, singletons }: Contract): Operation[][] {
  return [
    ...resources.map(({ actions, further }) => [
      ...Object.values(actions),
      ...further.map(({ operation }) => operation),
    ]),
    ...singletons.map(({ actions }) => Object.values(actions)),
  ];
}
