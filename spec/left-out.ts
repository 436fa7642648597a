import { findReferences } from './document/find-references.ts';
import type { Problem, SourceFile } from './document/source-file.ts';
import {
  child,
  type Document,
  dereference,
  describeValue,
  isReference,
  isVersion,
  rawChild,
  rawChildren,
  type Spot,
} from './document/spot.ts';
import { toPointer } from './json/json-value.ts';
import { NOTHING_SAID } from './meaning/x-paddock.ts';
import { METHODS, type Method, type Operation, pathForm, pathParameters } from './operation.ts';
import { assumeParameter } from './parameter.ts';
import { branchesOf, discriminatorOf } from './schema/discriminator.ts';
import { NO_SERVERS, readServers, type Served } from './server.ts';

/** A part that cannot be read, because it needs a reference without a target, directly or through others. */
export interface LeftOut {
  /** The operationId, or method and path. If a Path Item Object cannot be read, the whole path is omitted. */
  readonly name: string;
  /**
   * The operation with nothing but its documented statuses. The operations of a whole path are unknown, so there is one
   * for each method, without statuses.
   */
  readonly operations: readonly Operation[];
  /** The first such reference, and how to fix it. */
  readonly problem: Problem;
}

/** Why nothing is known about an omitted part, with the position of the reference and the remedy. */
export function leftOutReason({ problem: { uri, line, column, message } }: LeftOut): string {
  return `it cannot be read: ${uri}:${line}:${column}: ${message}`;
}

/** Gives operations without servers the servers of the document. */
export function leftOutAt(leftOut: readonly LeftOut[], served: Served): LeftOut[] {
  return leftOut.map((one) => ({
    ...one,
    operations: one.operations.map((operation) =>
      operation.servers === NO_SERVERS.servers ? { ...operation, ...served } : operation,
    ),
  }));
}

/** Finds an omitted operation by method and path; the names of path parameters do not matter. */
export function findLeftOut({
  leftOut,
}: {
  readonly leftOut: readonly LeftOut[];
}): (operation: Pick<Operation, 'method' | 'path'>) => LeftOut | undefined {
  const keyOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method} ${pathForm(path)}`;
  const byKey = new Map(
    leftOut.flatMap((one) => one.operations.map((operation) => [keyOf(operation), one] as const)),
  );
  return (operation) => byKey.get(keyOf(operation));
}

/** The parts omitted from a document, with reasons. */
export interface Omissions {
  readonly leftOut: readonly LeftOut[];
  /** Whether the operation, or the webhook with this name, is omitted. */
  readonly has: (key: string) => boolean;
  /** One for each distinct reference without a target. */
  readonly problems: readonly Problem[];
  /**
   * The same, each with the names of the parts omitted because of it. Those that cause no omission are last, one for
   * each position.
   */
  readonly warnings: readonly Problem[];
}

const NOTHING: Omissions = { leftOut: [], has: () => false, problems: [], warnings: [] };

/** @param document as loaded, without repairs */
export function findOmissions(document: Document): Omissions {
  // Few documents have such a reference, so the graph of references is only built for them.
  for (const { lost } of referencesOf(document, true)) if (lost) return omissionsOf(document);
  return NOTHING;
}

/** A reference: the value at the path needs the target. */
interface Edge {
  readonly file: SourceFile;
  readonly path: readonly string[];
  /** The least number of leading steps of the path that a part of the document must share to need the target. */
  readonly from: number;
}

interface Lost extends Edge {
  readonly ref: unknown;
  readonly reason: string;
}

/** The references in a document and all files that it refers to; if `isBrief`, only the first with each text in a file. */
function* referencesOf({ root }: Document, isBrief = false) {
  // Iterating over a set includes items added meanwhile.
  const files = new Set([root.file]);
  for (const file of files) {
    const seen = new Set<string>();
    const isWanted = (ref: unknown, path: readonly string[]) =>
      !isBrief || seen.size < seen.add(`${root.document.baseOf({ file, path })} ${ref}`).size;
    for (const { ref, keyword, path, from } of findReferences(file.value, isWanted)) {
      const reference = { ...root, file, path, value: { $ref: ref } };
      const reason = whyLost(reference);
      const edge: Edge = { file, path, from };
      if (reason !== undefined) {
        // A `$dynamicRef` without a target is ignored.
        if (keyword === '$ref') yield { edge, lost: { ...edge, ref, reason } satisfies Lost };
        continue;
      }
      const target = root.document.follow(reference) as Spot;
      files.add(target.file);
      yield { edge, target };
    }
  }
}

/** Why a reference has no value; undefined if it has one, or if only a further reference on the way has none. */
function whyLost(reference: Spot): string | undefined {
  if (!isReference(reference.value)) {
    const { $ref } = reference.value as { readonly $ref: unknown };
    return `must be a string, not ${describeValue($ref)}`;
  }
  const seen = new Set<unknown>();
  let here = reference.document.follow(reference);
  if (typeof here === 'string') return here;
  while (typeof here !== 'string' && isReference(here.value)) {
    if (seen.has(here.value)) return 'leads back to itself';
    seen.add(here.value);
    here = here.document.follow(here);
  }
  return undefined;
}

function omissionsOf(document: Document): Omissions {
  const { lost, byTarget, keyOf } = graphOf(document);
  const groups = groupsOf(lost);
  const causes = groups.map((alike) => ({
    alike: alike as [Lost, ...Lost[]],
    needing: needing(alike, byTarget, keyOf),
  }));
  const causesOf = (spots: readonly (Spot | undefined)[]) => {
    const keys = spots.flatMap((spot) => (spot ? [keyOf(spot)] : []));
    return causes.filter((cause) => keys.some((key) => cause.needing.has(key)));
  };
  const owners = ownersOf(document).flatMap((owner) => {
    const ownerCauses = causesOf(owner.needs);
    return ownerCauses.length > 0 ? [{ ...owner, causes: ownerCauses }] : [];
  });
  const problemOf = ({ file, path, ref, reason }: Lost, say: (text: string) => string) =>
    file.problemAt([...path, '$ref'], say(`the $ref ${typeof ref === 'string' ? `"${ref}" ` : ''}${reason}`));
  const firstOf = ({ alike }: (typeof causes)[number], say = (text: string) => text) => {
    const others = new Set(alike.map(({ ref }) => ref)).size - 1;
    return problemOf(alike[0], (why) =>
      say(others === 0 ? why : `${why}; or one of ${others} other $refs does`),
    );
  };
  const leftOut = owners.flatMap(({ name, operations, causes: [cause] }) =>
    operations && cause ? [{ name, operations, problem: firstOf(cause) }] : [],
  );
  const told = causes.flatMap((cause) => {
    const names = owners.filter((owner) => owner.causes.includes(cause)).map(({ name }) => name);
    if (names.length === 0) return [];
    const verb = names.length === 1 ? 'is' : 'are';
    const problem = firstOf(cause, (why) => `${names.join(', ')} ${verb} left out: ${why}`);
    return [{ ...problem, leavesOut: true as const }];
  });
  const ignored = causes.flatMap((cause) => {
    if (owners.some((owner) => owner.causes.includes(cause))) return [];
    return cause.alike.map((one) =>
      problemOf(one, (why) => `${why}; it is ignored, since no request or response depends on it`),
    );
  });
  const keys = new Set(owners.map(({ key }) => key));
  return {
    leftOut,
    has: (key) => keys.has(key),
    problems: causes.map((cause) => firstOf(cause)),
    warnings: [...told, ...ignored],
  };
}

/**
 * Up to this number of references, the dependent parts are found for each; those of all others are found together, so
 * that the time is not quadratic.
 */
const MOST_GROUPS = 50;

/** References with the same text in one file have the same target. */
function groupsOf(lost: readonly Lost[]): Lost[][] {
  const byFile = Map.groupBy(lost, ({ file }) => file);
  const groups = [...byFile.values()].flatMap((some) => [...Map.groupBy(some, ({ ref }) => ref).values()]);
  if (groups.length <= MOST_GROUPS) return groups;
  return [...groups.slice(0, MOST_GROUPS), groups.slice(MOST_GROUPS).flat()];
}

type KeyOf = (place: { readonly file: SourceFile; readonly path: readonly string[] }) => string;

/** The references of a document, by target. */
function graphOf(document: Document) {
  const numbers = new Map([...document.files.values()].map((file, index) => [file, index]));
  const keyOf: KeyOf = ({ file, path }) => `${numbers.get(file)}${toPointer(path)}`;
  const lost: Lost[] = [];
  const byTarget = new Map<string, Edge[]>();
  const add = (edge: Edge, target: Spot) => {
    const key = keyOf(target);
    const alike = byTarget.get(key);
    if (alike) alike.push(edge);
    else byTarget.set(key, [edge]);
  };
  for (const { edge, lost: one, target } of referencesOf(document)) {
    if (one) lost.push(one);
    else add(edge, target);
  }
  // A discriminator needs the components that extend its schema.
  const components = child(document.root, 'components');
  for (const [, schema] of rawChildren(components && child(components, 'schemas')))
    for (const branch of branchesOf(discriminatorOf(schema)))
      add({ file: schema.file, path: schema.path, from: 0 }, branch);
  return { lost, byTarget, keyOf };
}

/** The keys of all places that need one of these references. */
function needing(
  lost: readonly Lost[],
  byTarget: ReadonlyMap<string, readonly Edge[]>,
  keyOf: KeyOf,
): ReadonlySet<string> {
  const keys = new Set<string>();
  const waiting: Edge[] = [...lost];
  for (let edge = waiting.pop(); edge; edge = waiting.pop()) {
    let key = keyOf(edge);
    for (let steps = edge.path.length; steps >= edge.from && !keys.has(key); steps--) {
      keys.add(key);
      for (const user of byTarget.get(key) ?? []) waiting.push(user);
      key = key.slice(0, key.lastIndexOf('/'));
    }
  }
  return keys;
}

/** An operation, path or webhook that may be omitted, and the parts of the document that it needs. */
interface Owner {
  readonly key: string;
  readonly name: string;
  readonly needs: readonly (Spot | undefined)[];
  /** Undefined: it is a webhook. */
  readonly operations: readonly Operation[] | undefined;
}

function ownersOf({ root }: Document): Owner[] {
  const webhooks = ['webhooks', 'x-webhooks'].flatMap((key) =>
    rawChildren(child(root, key)).map(
      ([name, spot]): Owner => ({
        key: name,
        name: `the webhook ${name}`,
        needs: [spot],
        operations: undefined,
      }),
    ),
  );
  return [
    ...rawChildren(child(root, 'paths')).flatMap(([path, item]) => pathOwners(root, path, item)),
    ...webhooks,
  ];
}

function pathOwners(root: Spot, path: string, written: Spot): Owner[] {
  if (path.startsWith('x-')) return [];
  const item = dereference(written);
  const methods = METHODS.filter((method) => method !== 'QUERY' || isVersion(root, '3.2'));
  if (!item) {
    const operations = methods.map((method) => withoutParts(method, path, undefined, written));
    return [{ key: path, name: `the path ${path}`, needs: [written], operations }];
  }
  return methods.flatMap((method): Owner[] => {
    const spot = rawChild(item, method.toLowerCase());
    if (!spot) return [];
    const operation = withoutParts(method, path, item, spot);
    const name = operation.id === `${method} ${path}` ? operation.id : `${operation.id} (${method} ${path})`;
    const needs = [spot, rawChild(item, 'parameters'), ...schemesOf(root, spot)];
    return [{ key: `${method} ${path}`, name, needs, operations: [operation] }];
  });
}

/** The security schemes that an operation refers to. */
function schemesOf(root: Spot, operation: Spot): (Spot | undefined)[] {
  const security = rawChild(operation, 'security') ?? rawChild(root, 'security');
  const components = child(root, 'components');
  const schemes = child(root, 'securityDefinitions') ?? (components && child(components, 'securitySchemes'));
  return rawChildren(security).flatMap(([, requirement]) =>
    rawChildren(requirement).map(([name]) => schemes && rawChild(schemes, name)),
  );
}

/** An operation without the parts that it refers to. */
function withoutParts(method: Method, written: string, item: Spot | undefined, spot: Spot): Operation {
  const path = written.replace(/^(?!\/)/, '/');
  const textOf = (key: string) => {
    const value = rawChild(spot, key)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const statuses = item ? rawChildren(rawChild(spot, 'responses')) : [];
  return {
    id: (item && textOf('operationId')) ?? `${method} ${path}`,
    method,
    path,
    summary: textOf('summary'),
    tags: [],
    parameters: pathParameters(path).map((name) => assumeParameter(name, spot)),
    body: undefined,
    responses: statuses
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, response]) => ({ key, content: [], headers: [], links: [], spot: response })),
    security: [],
    deprecated: false,
    sunset: undefined,
    successor: undefined,
    stability: textOf('x-stability') ?? textOf('x-stability-level'),
    said: NOTHING_SAID,
    ...readServers(spot, item ? readServers(item, NO_SERVERS) : NO_SERVERS),
    spot,
  };
}
