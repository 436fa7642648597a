import type { Operation, Spot } from '#spec';
import type { ChangeClass, Direction, RuleName } from './rules.ts';
import type { Level } from './schema-changes.ts';

/** One change between two documents, with all operations that it concerns. */
export interface Change {
  readonly rule: RuleName;
  readonly class: ChangeClass;
  readonly direction: Direction;
  /** What it is about, in words. */
  readonly subject: string;
  /** Empty where there was nothing, or nothing that a text can say. */
  readonly from: string;
  readonly to: string;
  /** Of OLD; of NEW where OLD has none. */
  readonly operations: readonly Operation[];
  readonly old: Spot;
  readonly new: Spot;
  /** Why it has its class. */
  readonly reason: string;
  /** Wherever it stands. */
  readonly sites: readonly Site[];
  /** The schemas of the value that it is about; undefined: it is about none. */
  readonly level: Level | undefined;
}

/** A change where one operation has it. */
export interface Occurrence {
  readonly rule: RuleName;
  readonly direction: Direction;
  readonly operation: Operation | undefined;
  /** Where in the operation: `the request`, `the 200`, `the query parameter limit`; empty: the operation itself. */
  readonly within: string;
  /** To a member: its name, `[]` for an item, `*` for a member that is not named; empty: the whole. */
  readonly steps: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly old: Spot;
  readonly new: Spot;
  readonly status?: number;
  readonly level?: Level;
}

export type Site = Pick<Occurrence, 'operation' | 'within' | 'steps' | 'status'>;
