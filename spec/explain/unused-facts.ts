import { describeValue, placeOf, rawChild, rawChildren, type Spot, showPlace } from '../document/spot.ts';
import { jsonPath } from '../json/json-value.ts';
import { RECORD } from '../meaning/keys.ts';
import type { Operation } from '../operation.ts';
import { accountOperation } from '../resources/accounts.ts';
import { recordSpot } from '../resources/presumed-bodies.ts';
import type { Resource, Singleton } from '../resources/resource.ts';
import { isOpen } from '../security.ts';

const LISTS = ['list', 'view'];
const CHANGES = ['replace', 'update', 'updateMany', 'remove', 'removeMany', 'action'];
const LOGINS = ['login', 'grant', 'refresh', 'current'];

/** The roles that use a key; keys that are not listed are used in all roles. */
const READ_IN: Readonly<Record<string, readonly string[]>> = {
  order: LISTS,
  page: [...LISTS, 'values'],
  first: LISTS,
  where: LISTS,
  sets: ['action'],
  results: ['createMany', 'updateMany', 'removeMany'],
  account: ['register', 'logout', 'create', ...LOGINS],
};

/** The roles that can refuse a request for a reason. */
const REFUSED_IN: Readonly<Record<string, readonly string[]>> = {
  credentials: LOGINS,
  state: CHANGES,
  cursor: LISTS,
};

/** Meanings that only one query parameter of an operation can have. */
const SOLE = new Set(['$limit', '$offset', '$page', '$cursor', '$search', '$order', '$direction']);

/** Facts that are read from the schema of the records if it exists. */
const AT_SCHEMA = ['members', 'idFrom'];

/**
 * Reports each fact of an operation that has no effect there, and why.
 * @param beside the operations that the place applies to
 */
export function unusedFacts(
  spot: Spot,
  beside: readonly Operation[],
  all: readonly (Resource | Singleton)[],
  add: (at: Spot, message: string) => void,
): void {
  const roles = [...new Set(beside.flatMap((operation) => rolesOf(operation, all)))];
  const isIn = (wanted: readonly string[] | undefined) => wanted?.some((one) => roles.includes(one)) ?? true;
  const unused = (what: string, why: string, at: Spot) =>
    add(at, `${describeValue(what)} is said; nothing is done with it here: ${why}`);
  const here = roles.length > 0 ? `this is ${roles.join(', ')}` : 'this has no role';
  const reads = (what: string, wanted: readonly string[] | undefined, at: Spot) => {
    if (!isIn(wanted)) unused(what, `${here}, and it counts for ${wanted?.join(', ')}`, at);
  };
  const owner = all.find((one) => Object.values(one.actions).some((operation) => beside.includes(operation)));
  const described = owner && recordSpot(owner);
  for (const [key, at] of rawChildren(spot)) {
    reads(key, Object.hasOwn(READ_IN, key) ? READ_IN[key] : undefined, at);
    const isName = key === 'unique' && isIn(['register', 'current']);
    if (key in RECORD && !isName && (!owner || (described && AT_SCHEMA.includes(key))))
      unused(key, `it counts at ${described ? schemaOf(described) : OWN_ACTIONS}`, at);
  }
  for (const [, at] of rawChildren(rawChild(spot, 'refuses')))
    reads(String(at.value), REFUSED_IN[String(at.value)], at);
  for (const [, at] of rawChildren(rawChild(spot, 'may')))
    if (
      at.path.at(-1) === 'everybody' &&
      at.value === false &&
      beside.every(({ security }) => isOpen(security))
    )
      unused('everybody', 'the document has no security for it that can be checked', at);
  const words = new Map<string, string>();
  for (const [name, at] of rawChildren(rawChild(spot, 'query')).toReversed()) {
    const word = SOLE.has(String(at.value)) ? String(at.value) : '';
    const other = words.get(word);
    if (other !== undefined) unused(word, `it counts once, and is said of ${other}, too`, at);
    if (word) words.set(word, name);
  }
}

const OWN_ACTIONS = 'what lists, makes, shows, changes or removes these records, or at their schema';

function rolesOf(operation: Operation, all: readonly (Resource | Singleton)[]): string[] {
  const roles = all.flatMap(({ actions, further }) => [
    ...Object.entries(actions).flatMap(([role, one]) => (one === operation ? [role] : [])),
    ...further.flatMap((one) => (one.operation === operation ? [one.role] : [])),
  ]);
  return [...roles, ...[accountOperation(operation)?.role ?? []].flat()];
}

const schemaOf = (spot: Spot) => `the schema of the records, ${targetOf(spot) ?? showPlace(placeOf(spot))}`;

/** The target of an overlay action; undefined: the place is in another file, which overlays cannot change. */
export function targetOf({ document, file, path }: Spot): string | undefined {
  return file === document.root.file ? jsonPath(path, document.root.value) : undefined;
}
