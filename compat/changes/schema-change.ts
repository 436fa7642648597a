import { inBrief, type Shape, type Spot, stringifyJson } from '#spec';
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

/** The schemas of a value in both documents. */
interface InBoth {
  readonly old: { readonly shape: Shape };
  readonly new: { readonly shape: Shape };
}

/** A change of what a keyword says. */
export function changeOf(rule: string, forms: InBoth, keyword: string, from = '', to = ''): SchemaChange {
  const [old, next] = [spotOf(forms.old, keyword), spotOf(forms.new, keyword)];
  return { rule: rule as RuleName, from, to, old, new: next };
}

/** Of a keyword, else of the whole schema. */
export function spotOf({ shape }: { readonly shape: Shape }, keyword: string): Spot {
  return shape.find(keyword)?.spot ?? shape.spot;
}

/** A value in a sentence. */
export function brief(value: unknown): string {
  return inBrief(stringifyJson(value) ?? '', 60);
}
