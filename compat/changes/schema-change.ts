import { type Spot, stringifyJson } from '#spec';
import type { RuleName } from './rules.ts';

/** One thing that two schemas of the same value say otherwise. */
export interface SchemaChange {
  readonly rule: RuleName;
  /** The member that it is about, where that is not the value itself. */
  readonly member?: string;
  readonly from: string;
  readonly to: string;
  readonly old: Spot;
  readonly new: Spot;
}

/** A value in a sentence. */
export function brief(value: unknown): string {
  const text = stringifyJson(value) ?? '';
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
