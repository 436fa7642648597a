/**
 * The entry point of `spec` for rare tasks on a whole document: bundling its files, and comparing it with another
 * version. Separate from `index.ts`, so that starting a mock does not load it.
 */

import type { Contract } from './contract.ts';
import { findReferences, walkParts } from './document/find-references.ts';
import type { SourceFile } from './document/source-file.ts';
import { type Document, isReference, rawChild, rawChildren, type Spot } from './document/spot.ts';
import { keyOf } from './explain/meaning-of.ts';
import { isRecord, toFragment } from './json/json-value.ts';
import { findLeftOut } from './left-out.ts';
import type { Operation } from './operation.ts';

export {
  acceptGuesses,
  type Fact,
  type Facts,
  factsAt,
  inFlow,
  KEY_LISTS,
  overlayLines,
  sayInOverlay,
  unreadFacts,
  type WrittenMeaning,
  writeGuesses,
  writtenMeaning,
  X_PADDOCK_SCHEMA,
} from './explain/overlay-file.ts';
export { DOES, QUERY_WORDS } from './meaning/keys.ts';

interface ContractDifference {
  readonly added: readonly Operation[];
  readonly removed: readonly Operation[];
  readonly changed: readonly ChangedOperation[];
}

interface ChangedOperation {
  /** The operation in the later version. */
  readonly operation: Operation;
  /** The changed parts: `parameters`, `security`, `responses 200`, or another member of the operation. */
  readonly parts: readonly string[];
}

/** The operations that differ between two documents, matched by method and path. */
export function compareContracts(before: Contract, after: Contract): ContractDifference {
  const old = new Map(before.operations.map((operation) => [keyOf(operation), operation]));
  const next = new Set(after.operations.map(keyOf));
  // Operations that cannot be read cannot be compared.
  const unread = [findLeftOut(before), findLeftOut(after)];
  const isRead = (operation: Operation) => unread.every((find) => find(operation) === undefined);
  const common = after.operations.flatMap((operation) => {
    const same = old.get(keyOf(operation));
    return same ? [{ operation, changes: partChanges(partsOf(same), partsOf(operation)) }] : [];
  });
  const differs = differing(common.flatMap(({ changes }) => changes.pairs.map(([, pair]) => pair)));
  let at = 0;
  return {
    added: after.operations.filter((operation) => !old.has(keyOf(operation)) && isRead(operation)),
    removed: before.operations.filter((operation) => !next.has(keyOf(operation)) && isRead(operation)),
    changed: common.flatMap(({ operation, changes }) => {
      const changed = changes.pairs.filter(() => differs[at++]).map(([name]) => nameOf(name));
      const parts = [...new Set([...changes.names.map(nameOf), ...changed])].sort();
      return parts.length > 0 ? [{ operation, parts }] : [];
    }),
  };
}

/** The parts of an operation by name; a suffix after a tab distinguishes parts with the same name. */
type Parts = ReadonlyMap<string, Spot | string>;

function partsOf({ spot, parameters, security }: Operation): Parts {
  const members = rawChildren(spot).flatMap(([key, member]): [string, Spot][] => {
    if (key === 'parameters' || key === 'security') return [];
    if (key !== 'responses') return [[key, member]];
    return rawChildren(member).map(([status, response]) => [`responses ${status}`, response]);
  });
  const requirements = security.map((all) =>
    all.map(({ scheme, kind, in: place, name }) => [scheme, kind, place, name]),
  );
  return new Map<string, Spot | string>([
    ...members,
    ...parameters.map((parameter): [string, Spot] => [
      `parameters\t${parameter.in} ${parameter.name}`,
      parameter.spot,
    ]),
    ['security', JSON.stringify(requirements)],
  ]);
}

function nameOf(part: string): string {
  return part.replace(/\t.*/s, '');
}

/** The changed parts that exist on one side only or are computed, and the pairs to compare. */
function partChanges(before: Parts, after: Parts) {
  const names: string[] = [];
  const pairs: [name: string, pair: Pair][] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(name), after.get(name)];
    if (typeof one === 'object' && typeof other === 'object') pairs.push([name, [one, other]]);
    else if (one !== other) names.push(name);
  }
  return { names, pairs };
}

/** Corresponding parts of two documents. */
type Pair = readonly [before: Spot, after: Spot];

interface Comparison {
  differs: boolean;
  /** The comparisons that refer to this one, and differ if it does. */
  readonly users: Set<Comparison>;
}

/**
 * Whether the parts of each pair differ in meaning: in their values, or in the targets of their references. The order
 * of members does not matter. Each pair of targets is compared once, also in cycles.
 */
function differing(pairs: readonly Pair[]): boolean[] {
  const byPair = new Map<unknown, Map<unknown, Comparison>>();
  const waiting: { readonly pair: Pair; readonly comparison: Comparison }[] = [];
  const comparisons: Comparison[] = [];

  function comparisonOf(pair: Pair): Comparison {
    const [before, after] = pair;
    const others = byPair.get(before.value) ?? new Map<unknown, Comparison>();
    byPair.set(before.value, others);
    const old = others.get(after.value);
    if (old) return old;
    const comparison: Comparison = { differs: false, users: new Set() };
    others.set(after.value, comparison);
    waiting.push({ pair, comparison });
    comparisons.push(comparison);
    return comparison;
  }

  function compare(before: Spot, after: Spot, within: Comparison): boolean {
    const [one, other] = [before.value, after.value];
    if (isReference(one) || isReference(other)) {
      const targets = [targetOf(before), targetOf(after)] as const;
      if (!targets[0] || !targets[1]) return one === other;
      comparisonOf([targets[0], targets[1]]).users.add(within);
      const siblings = (spot: Spot) => (isReference(spot.value) ? without$ref(spot.value) : {});
      return compare({ ...before, value: siblings(before) }, { ...after, value: siblings(after) }, within);
    }
    if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other;
    const keys = Object.keys(one);
    if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length)
      return false;
    return keys.every((key) => {
      const next = rawChild(after, key);
      return next !== undefined && compare(rawChild(before, key) as Spot, next, within);
    });
  }

  const wanted = pairs.map(comparisonOf);
  for (let next = waiting.pop(); next; next = waiting.pop())
    next.comparison.differs = !compare(...next.pair, next.comparison);
  const changed = comparisons.filter(({ differs }) => differs);
  for (let comparison = changed.pop(); comparison; comparison = changed.pop())
    for (const user of comparison.users) {
      if (user.differs) continue;
      user.differs = true;
      changed.push(user);
    }
  return wanted.map(({ differs }) => differs);
}

/** Follows a single reference; a reference to a reference is compared as such. */
function targetOf(spot: Spot): Spot | undefined {
  return isReference(spot.value) ? spot.document.resolve(spot) : spot;
}

function without$ref({ $ref: _, ...siblings }: { readonly $ref: string }): object {
  return siblings;
}

/** The member of a bundle with the other files of the document. */
const FILES = 'x-paddock-files';

/**
 * The document as a single value, for tools that accept one file: referenced files become members of an extension, and
 * references are changed to point there. Without such files it is the root unchanged.
 */
export function bundle({ root }: Document): unknown {
  const places = new Map<SourceFile, string>([[root.file, '#']]);
  const others: unknown[] = [];

  function fragmentOf({ file, path }: Spot): string {
    const place = places.get(file) ?? `#/${FILES}/${places.size - 1}`;
    places.set(file, place);
    return place + toFragment(path);
  }

  function rewritten(file: SourceFile): unknown {
    const isRoot = file === root.file;
    const { baseOf } = root.document;
    const isBelowId = (path: readonly string[]) => baseOf({ file, path }) !== baseOf({ file, path: [] });
    const isWanted = (ref: unknown, path: readonly string[]) =>
      typeof ref === 'string' && (!isRoot || !ref.startsWith('#') || isBelowId(path));
    const led = findReferences<string>(file.value, isWanted).flatMap(({ ref, keyword, path }) => {
      const target = root.document.resolve({ ...root, file, path, value: { $ref: ref } });
      return target && keyword === '$ref' ? [{ path, target }] : [];
    });
    // A fragment below an `$id` would refer to that schema.
    const dropsIds = !isRoot || led.some(({ path, target }) => isBelowId(path) && target.file !== file);
    const changes = new Map<string, string | undefined>();
    for (const { path, target } of led)
      if (dropsIds || !isBelowId(path)) changes.set(JSON.stringify([...path, '$ref']), fragmentOf(target));
    if (dropsIds)
      walkParts(file.value, (value, path, isMap) => {
        if (!isMap && isRecord(value) && typeof value.$id === 'string')
          changes.set(JSON.stringify([...path, '$id']), undefined);
      });
    return changes.size === 0 ? file.value : withChanges(file.value, changes);
  }

  const value = rewritten(root.file);
  // Each file may refer to further ones, which are appended.
  for (const file of places.keys()) if (file !== root.file) others.push(rewritten(file));
  if (others.length === 0) return value;
  return { ...(value as object), [FILES]: Object.fromEntries(others.entries()) };
}

/** The value with other texts, or none, at these paths; a path is the text of a JSON array. */
function withChanges(root: unknown, changes: ReadonlyMap<string, string | undefined>): unknown {
  const path: string[] = [];

  function visit(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      path.push(key);
      const place = key === '$ref' || key === '$id' ? JSON.stringify(path) : '';
      const next = changes.has(place) ? changes.get(place) : visit(member);
      path.pop();
      return next === undefined ? [] : [[key, next]];
    });
    return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
  }

  return visit(root);
}
