import type { Contract } from '#spec';
import type { Facts } from './facts.ts';

/** Which findings are one root, by the meaning of law and place, and how the root is named. */
export interface Rule {
  /** Undefined: the rule is not about such findings. */
  readonly keyOf: (facts: Facts, contract: Contract) => string | undefined;
  /** Method, path and what is wrong; how many requests and operations show it is said behind it. */
  readonly titleOf: (group: readonly [Facts, ...Facts[]]) => string;
}

/** Distinct texts, some of many. */
export function listed(texts: readonly string[], most = 6): string {
  const distinct = [...new Set(texts)];
  const more = distinct.length - most;
  return `${distinct.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What keywords demand (`must be a boolean`), as what it is (`a boolean`). */
export function demanded(expected: string): string {
  return expected.replace(/^must be /, '');
}
