import { type Awaitable, andThen } from '../exchange/awaitable.ts';
import type { Delay } from './delay.ts';
import type { Preference } from './preference.ts';

/** What is done to the requests of one operation, or of all. */
export interface Rule {
  /** An operationId; undefined: every operation. */
  readonly operation?: string;
  /** The number of requests that it applies to; undefined: until it is removed. */
  readonly times?: number;
  /** A documented status. */
  readonly status?: number;
  /** The name of a documented example. */
  readonly example?: string;
  readonly delay?: Delay;
  /** The connection ends without a response: before the request is carried out, or after. */
  readonly drop?: 'before' | 'after';
  /** The response ends in the middle of its body. */
  readonly truncate?: boolean;
}

export interface ActiveRule extends Rule {
  readonly id: number;
  /** How many requests it has been applied to. */
  readonly met: number;
}

/** The rules of one session, the oldest first. They may be in a store that mocks share. */
export interface Rules {
  /** So that requests need not look where there are none. */
  readonly isEmpty: boolean;
  add(rule: Rule): Awaitable<ActiveRule>;
  all(): readonly ActiveRule[];
  /** False: there was none. */
  remove(id: number): Awaitable<boolean>;
  clear(): Awaitable<void>;
  /** The first rule for an operation, which counts it. */
  take(operation: string): Awaitable<ActiveRule | undefined>;
}

/** Rules as data. */
export interface RuleBook {
  readonly rules: readonly ActiveRule[];
  readonly lastId: number;
}

export const NO_RULES: RuleBook = { rules: [], lastId: 0 };

/** Where rules are kept. */
export interface RuleStorage {
  read(): RuleBook;
  change(edit: EditRules): Awaitable<void>;
  /** Changes only how often a rule was applied. */
  count(edit: EditRules, rule: Rule): Awaitable<void>;
}

type EditRules = (book: RuleBook) => RuleBook;

export function rulesIn({ read, change, count }: RuleStorage): Rules {
  return {
    get isEmpty() {
      return read().rules.length === 0;
    },
    add(rule) {
      let added: ActiveRule;
      const adding = change(({ rules, lastId }) => {
        added = { ...rule, id: lastId + 1, met: 0 };
        return { rules: [...rules, added], lastId: added.id };
      });
      return andThen(adding, () => added);
    },
    all: () => read().rules,
    remove(id) {
      let existed = false;
      const removing = change(({ rules, lastId }) => {
        existed = rules.some((rule) => rule.id === id);
        return { rules: rules.filter((rule) => rule.id !== id), lastId };
      });
      return andThen(removing, () => existed);
    },
    clear: () => change(({ lastId }) => ({ rules: [], lastId })),
    take(operation) {
      const rule = findRule(read(), operation);
      if (!rule) return undefined;
      let taken: ActiveRule | undefined;
      // In a shared store another mock may have used the rule up by now.
      const counting = count((book) => {
        taken = findRule(book, operation);
        return taken ? countRule(book, taken) : book;
      }, rule);
      return andThen(counting, () => taken);
    },
  };
}

function findRule({ rules }: RuleBook, operation: string): ActiveRule | undefined {
  return rules.find((rule) => rule.operation === undefined || rule.operation === operation);
}

/** A rule is removed once it has been applied `times` times. */
function countRule({ rules, lastId }: RuleBook, { id, met, times }: ActiveRule): RuleBook {
  const counted = (rule: ActiveRule) => (met + 1 === times ? [] : { ...rule, met: met + 1 });
  return { rules: rules.flatMap((rule) => (rule.id === id ? counted(rule) : rule)), lastId };
}

export function createRules(): Rules {
  let book = NO_RULES;
  const change = (edit: EditRules) => {
    book = edit(book);
  };
  return rulesIn({ read: () => book, change, count: change });
}

/** The response that a rule forces; undefined: none. */
export function preferenceOf({ status, example }: Rule): Preference | undefined {
  if (status === undefined && example === undefined) return undefined;
  return { ...(status !== undefined && { code: status }), ...(example !== undefined && { example }) };
}
