/**
 * The entry point of `spec` for rare tasks on a whole document: bundling its files, and comparing it with another
 * version. Separate from `index.ts`, so that starting a mock does not load it.
 */

import type { Contract } from './contract.ts';
import { findReferences, walkParts } from './document/find-references.ts';
import type { SourceFile } from './document/source-file.ts';
import { type Document, rawChildren, type Spot } from './document/spot.ts';
import { keyOf } from './explain/meaning-of.ts';
import { isRecord, toFragment } from './json/json-value.ts';
import { findLeftOut } from './left-out.ts';
import type { Operation } from './operation.ts';
import { PartComparison } from './same-parts.ts';

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
export { PartComparison };

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
  const comparison = new PartComparison();
  return {
    added: after.operations.filter((operation) => !old.has(keyOf(operation)) && isRead(operation)),
    removed: before.operations.filter((operation) => !next.has(keyOf(operation)) && isRead(operation)),
    changed: after.operations.flatMap((operation) => {
      const same = old.get(keyOf(operation));
      const parts = same ? changedParts(partsOf(same), partsOf(operation), comparison) : [];
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

function changedParts(before: Parts, after: Parts, comparison: PartComparison): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    return typeof one === 'object' && typeof other === 'object'
      ? !comparison.isSame(one, other)
      : one !== other;
  });
  return [...new Set(names.map((name) => name.replace(/\t.*/s, '')))].sort();
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
