import { hasType, isRecord, type JsonType, stringifyJson } from '#spec';

/** What one client uses of a service. What it does not have, the client does not use. */
export interface Consumer {
  /** The name of the client. */
  readonly consumer: string;
  /** By method and path template: `GET /pets/{petId}`. */
  readonly operations: Readonly<Record<string, UsedOperation>>;
}

/** Parameters stand below their places by name; of a list or an object `NAME/-` and `NAME/MEMBER` have what is in it. */
export interface UsedOperation extends Readonly<Partial<Record<UsedPlace, Readonly<Record<string, Sent>>>>> {
  /** Media types of the bodies that were sent. */
  readonly types?: readonly string[];
  /** By JSON Pointer: `-` stands for every item, `*` for every member that the document does not name. */
  readonly body?: Readonly<Record<string, Sent>>;
  /** Of some bodies, or of what is deep in them, nothing is known. */
  readonly unseenBodies?: true;
  /** By status. */
  readonly responses: Readonly<Record<string, UsedResponse>>;
}

export const USED_PLACES = ['path', 'query', 'header', 'cookie'] as const;
export type UsedPlace = (typeof USED_PLACES)[number];

/** What was sent for a parameter, or in one place of bodies. */
export interface Sent {
  readonly values?: readonly unknown[];
  /** Types of all that is not among the values: lists, objects, secrets, and what there was no room for. */
  readonly others?: readonly JsonType[];
  /** Some requests, or some objects that it is a member of, lack it. */
  readonly sometimes?: true;
}

export interface UsedResponse {
  /**
   * What the client reads, which it says itself: JSON Pointers into the body, with all below them (`-` is every item), and
   * names of headers. Undefined: unknown.
   */
  readonly reads?: readonly string[];
  /** A request that got the status, without its secrets. */
  readonly request?: SentRequest;
}

export interface SentRequest extends Readonly<Partial<Record<UsedPlace, Readonly<Record<string, unknown>>>>> {
  readonly type?: string;
  readonly body?: unknown;
}

/** So many different values of each parameter and each member are listed. */
export const MOST_VALUES = 20;

/** What two runs have seen together; what the first one has stays in its order. */
export function mergeOperations(
  one: Consumer['operations'],
  other: Consumer['operations'],
): Consumer['operations'] {
  return mergeEach(one, other, mergeOperation);
}

function mergeOperation(one: UsedOperation, other: UsedOperation): UsedOperation {
  const places = USED_PLACES.flatMap((place) => {
    const merged = mergeSent(one[place], other[place], (name) => !name.includes('/'));
    return merged ? [[place, merged] as const] : [];
  });
  const types = [...new Set([...(one.types ?? []), ...(other.types ?? [])])];
  const body = mergeSent(one.body, other.body, (pointer, all) => {
    if (pointer === '') return !(all === one.body ? one : other).unseenBodies;
    return isMember(pointer) && all?.[parentOf(pointer)] !== undefined;
  });
  return {
    ...Object.fromEntries(places),
    ...(types.length > 0 && { types }),
    ...(body && { body }),
    ...((one.unseenBodies || other.unseenBodies) && { unseenBodies: true as const }),
    responses: mergeEach(one.responses, other.responses, (mine, theirs) => ({ ...theirs, ...mine })),
  };
}

/** Whether every object of its kind is expected to have it: of items, and of what has no name, none is. */
export function isMember(pointer: string): boolean {
  return pointer !== '' && !/\/[-*]$/.test(pointer);
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** @param isLacking whether the side without an entry has sent what could have had it */
function mergeSent(
  one: Readonly<Record<string, Sent>> | undefined,
  other: Readonly<Record<string, Sent>> | undefined,
  isLacking: (key: string, all: Readonly<Record<string, Sent>> | undefined) => boolean,
): Readonly<Record<string, Sent>> | undefined {
  if (!one && !other) return undefined;
  const keys = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return Object.fromEntries(
    keys.map((key) => {
      const [mine, theirs] = [one?.[key], other?.[key]];
      const lacks = (!mine && isLacking(key, one)) || (!theirs && isLacking(key, other));
      return [key, joinSent(mine, theirs, lacks)];
    }),
  );
}

function joinSent(one: Sent = {}, other: Sent = {}, lacks: boolean): Sent {
  const all = [...(one.values ?? []), ...(other.values ?? [])];
  const values = [...new Map(all.map((value) => [stringifyJson(value), value])).values()];
  const kept = values.slice(0, MOST_VALUES);
  const rest = values.slice(MOST_VALUES).map(typeOf);
  const others = [...new Set([...(one.others ?? []), ...(other.others ?? []), ...rest])];
  return {
    ...(kept.length > 0 && { values: kept }),
    ...(others.length > 0 && { others }),
    ...((one.sometimes || other.sometimes || lacks) && { sometimes: true as const }),
  };
}

function mergeEach<T>(
  one: Readonly<Record<string, T>>,
  other: Readonly<Record<string, T>>,
  merge: (mine: T, theirs: T) => T,
): Readonly<Record<string, T>> {
  const merged = { ...one };
  for (const [key, theirs] of Object.entries(other)) {
    const mine = merged[key];
    merged[key] = mine === undefined ? theirs : merge(mine, theirs);
  }
  return merged;
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isRecord(value)) return 'object';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as JsonType;
  return hasType(value, 'integer') ? 'integer' : 'number';
}
