import type { Operation, Spot } from '#spec';
import type { ChangeClass, Direction, RuleName } from './rules.ts';
import type { Level } from './schema-changes.ts';

/** One change between two documents, with all affected operations. */
export interface Change {
  readonly rule: RuleName;
  readonly class: ChangeClass;
  readonly direction: Direction;
  /** The changed part, in words. */
  readonly subject: string;
  /** Empty if there was nothing, or nothing that can be expressed as text. */
  readonly from: string;
  readonly to: string;
  /** Operations of OLD, or of NEW if OLD has none. */
  readonly operations: readonly Operation[];
  readonly old: Spot;
  readonly new: Spot;
  /** Why it has its class. */
  readonly reason: string;
  /** All places where it occurs. */
  readonly sites: readonly Site[];
  /** The schemas of the changed value; undefined: it is not about a value. */
  readonly level: Level | undefined;
}

/** A change at one operation. */
export interface Occurrence {
  readonly rule: RuleName;
  readonly direction: Direction;
  readonly operation: Operation | undefined;
  /** The part of the operation: `the request`, `the 200`, `the query parameter limit`; empty: the operation itself. */
  readonly within: string;
  /** The path to the member: its name, `[]` for an item, `*` for an unnamed member; empty: the whole value. */
  readonly steps: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly old: Spot;
  readonly new: Spot;
  readonly status?: number;
  readonly level?: Level;
}

export type Site = Pick<Occurrence, 'operation' | 'within' | 'steps' | 'status'>;
