import type { Awaitable } from '../answer/exchange.ts';
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

/** The rules of one session, in the order in which they were made. They may lie in a store that mocks share. */
export interface Rules {
  /** So that requests need not ask where there are none. */
  readonly isEmpty: boolean;
  add(rule: Rule): Awaitable<StandingRule>;
  all(): readonly StandingRule[];
  /** False: there was none. */
  remove(id: number): Awaitable<boolean>;
  clear(): Awaitable<void>;
  /** The first rule that meets a request of this operation; it then counts as met once more. */
  take(operation: string): Awaitable<StandingRule | undefined>;
}

/** Rules as data. */
export interface RuleBook {
  readonly rules: readonly StandingRule[];
  readonly lastId: number;
}

export const NO_RULES: RuleBook = { rules: [], lastId: 0 };

export function withRule({ rules, lastId }: RuleBook, rule: Rule): RuleBook {
  const id = lastId + 1;
  return { rules: [...rules, { ...rule, id, met: 0 }], lastId: id };
}

export function withoutRule({ rules, lastId }: RuleBook, id: number): RuleBook {
  return { rules: rules.filter((rule) => rule.id !== id), lastId };
}

export function findRule({ rules }: RuleBook, operation: string): StandingRule | undefined {
  return rules.find((rule) => rule.operation === undefined || rule.operation === operation);
}

/** The rule met once more, and the book after that: a spent rule is gone. */
export function meetRule({ rules, lastId }: RuleBook, rule: StandingRule): [StandingRule, RuleBook] {
  const met = { ...rule, met: rule.met + 1 };
  const isSpent = met.met === met.times;
  return [met, { rules: rules.flatMap((one) => (one.id !== rule.id ? one : isSpent ? [] : met)), lastId }];
}

export function createRules(): Rules {
  let book = NO_RULES;
  return {
    get isEmpty() {
      return book.rules.length === 0;
    },
    add(rule) {
      book = withRule(book, rule);
      return book.rules.at(-1) as StandingRule;
    },
    all: () => book.rules,
    remove(id) {
      const before = book.rules.length;
      book = withoutRule(book, id);
      return book.rules.length < before;
    },
    clear() {
      book = { ...book, rules: [] };
    },
    take(operation) {
      const rule = findRule(book, operation);
      if (!rule) return undefined;
      const [met, after] = meetRule(book, rule);
      book = after;
      return met;
    },
  };
}
