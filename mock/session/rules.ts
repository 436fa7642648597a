import type { Delay } from './delay.ts';

/** What is done to requests of one operation, or of all. */
export interface Rule {
  /** Undefined: every operation. */
  readonly operation?: string;
  /** For how many requests; undefined: until it is removed. */
  readonly times?: number;
  readonly status?: number;
  /** The name of a documented example. */
  readonly example?: string;
  readonly delay?: Delay;
  /** The connection ends without an answer: before anything is done, or after. */
  readonly drop?: 'before' | 'after';
  /** The answer breaks off in the middle of its body. */
  readonly truncate?: boolean;
}

export interface StandingRule extends Rule {
  readonly id: number;
  /** How many requests it has met. */
  readonly met: number;
}

/** The rules of one session, in the order in which they were made. */
export interface Rules {
  /** So that requests need not ask where there are none. */
  readonly isEmpty: boolean;
  add(rule: Rule): StandingRule;
  all(): readonly StandingRule[];
  /** False: there was none. */
  remove(id: number): boolean;
  clear(): void;
  /** The first rule that meets a request of this operation; it then counts as met once more. */
  take(operation: string): StandingRule | undefined;
}

export function createRules(): Rules {
  let rules: readonly StandingRule[] = [];
  let lastId = 0;
  return {
    get isEmpty() {
      return rules.length === 0;
    },
    add(rule) {
      const standing = { ...rule, id: ++lastId, met: 0 };
      rules = [...rules, standing];
      return standing;
    },
    all: () => rules,
    remove(id) {
      const before = rules.length;
      rules = rules.filter((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear() {
      rules = [];
    },
    take(operation) {
      const rule = rules.find((one) => one.operation === undefined || one.operation === operation);
      if (!rule) return undefined;
      const taken = { ...rule, met: rule.met + 1 };
      const isSpent = taken.met === taken.times;
      rules = rules.flatMap((one) => (one !== rule ? one : isSpent ? [] : taken));
      return taken;
    },
  };
}
