import { hasType, isRecord, type JsonType, type Operation } from '#spec';
import type { HarProblem } from '../har/recorded-exchange.ts';

/** What a client uses of a service. Everything else is unused. */
export interface Consumer {
  /** The name of the client. */
  readonly consumer: string;
  readonly operations: ReadonlyMap<Operation, UsedOperation>;
  /** The first unreadable place of its recorded traffic: it may use more. */
  readonly broken?: HarProblem | undefined;
}

/** Parameters by place and name; the contents of a list or object are in `NAME/-` and `NAME/MEMBER`. */
export interface UsedOperation extends Readonly<Partial<Record<UsedPlace, Readonly<Record<string, Sent>>>>> {
  /** Media types of the sent bodies. */
  readonly types?: readonly string[];
  /** By JSON Pointer: `-` stands for each item, `*` for each undocumented member. */
  readonly body?: Readonly<Record<string, Sent>>;
  /** Undocumented parameters, such as `query page`; headers in lower case. */
  readonly unnamed?: readonly string[];
  /** Some bodies, or deep parts of them, are unknown. */
  readonly unseenBodies?: true;
  /** Statuses of the responses. */
  readonly statuses: readonly number[];
}

export const USED_PLACES = ['path', 'query', 'header', 'cookie'] as const;
export type UsedPlace = (typeof USED_PLACES)[number];

/** What was sent for a parameter, or at one place of bodies. */
export interface Sent {
  readonly values?: readonly unknown[];
  /** Types of what is not among the values: lists, objects, secrets, and values beyond the limit. */
  readonly others?: readonly JsonType[];
  /** Some requests, or some of the parent objects, lack it. */
  readonly sometimes?: true;
}

/** The maximum number of different values per parameter and member. */
export const MOST_VALUES = 20;

/** Whether each parent object is expected to have it: not for items and undocumented members. */
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
