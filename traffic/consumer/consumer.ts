import { hasType, isRecord, type JsonType, type Operation } from '#spec';
import type { HarProblem } from '../har/recorded-exchange.ts';

/** What one client uses of a service. What it does not have, the client does not use. */
export interface Consumer {
  /** The name of the client. */
  readonly consumer: string;
  readonly operations: ReadonlyMap<Operation, UsedOperation>;
  /** Where its recorded traffic first cannot be read: it may use more. */
  readonly broken?: HarProblem | undefined;
}

/** Parameters stand below their places by name; of a list or an object `NAME/-` and `NAME/MEMBER` have what is in it. */
export interface UsedOperation extends Readonly<Partial<Record<UsedPlace, Readonly<Record<string, Sent>>>>> {
  /** Media types of the bodies that were sent. */
  readonly types?: readonly string[];
  /** By JSON Pointer: `-` stands for every item, `*` for every member that the document does not name. */
  readonly body?: Readonly<Record<string, Sent>>;
  /** Parameters that the document does not name, such as `query page`; headers in lower case. */
  readonly unnamed?: readonly string[];
  /** Of some bodies, or of what is deep in them, nothing is known. */
  readonly unseenBodies?: true;
  /** Statuses of the responses. */
  readonly statuses: readonly number[];
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

/** So many different values of each parameter and each member are listed. */
export const MOST_VALUES = 20;

/** Whether every object of its kind is expected to have it: of items, and of what has no name, none is. */
export function isMember(pointer: string): boolean {
  return pointer !== '' && !/\/[-*]$/.test(pointer);
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isRecord(value)) return 'object';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as JsonType;
  return hasType(value, 'integer') ? 'integer' : 'number';
}
