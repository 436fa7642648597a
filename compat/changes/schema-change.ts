import { inBrief, type Shape, type Spot, stringifyJson } from '#spec';
import type { RuleName } from './rules.ts';

/** One difference between two schemas of the same value. */
export interface SchemaChange {
  readonly rule: RuleName;
  /** The affected member, if it is not the value itself. */
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

/** A change of a keyword. */
export function changeOf(rule: string, forms: InBoth, keyword: string, from = '', to = ''): SchemaChange {
  const [old, next] = [spotOf(forms.old, keyword), spotOf(forms.new, keyword)];
  return { rule: rule as RuleName, from, to, old, new: next };
}

/** The place of a keyword, else that of the whole schema. */
export function spotOf({ shape }: { readonly shape: Shape }, keyword: string): Spot {
  return shape.find(keyword)?.spot ?? shape.spot;
}

/** A value in a sentence. */
export function brief(value: unknown): string {
  return inBrief(stringifyJson(value) ?? '', 60);
}
