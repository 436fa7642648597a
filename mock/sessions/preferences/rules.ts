import { isRecord, stringifyJson } from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import { type Delay, delayJson } from './delay.ts';

/** What happens to a request. */
export interface Answer {
  /** A documented status, unless the rule has its own body. A text is a template that produces the status. */
  readonly status?: number | string;
  /** The name of a documented example. */
  readonly example?: string;
  /** Replaces the documented body: text is sent as it is, any other value as JSON. */
  readonly body?: unknown;
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Delay;
  /**
   * Closes the connection without a response: before the operation runs, or after; a number: after so many messages of a
   * stream.
   */
  readonly drop?: 'before' | 'after' | number;
  /** Cuts the response in the middle of its body; a number: in a stream, in the message after so many. */
  readonly truncate?: boolean | number;
  /** Whether texts in status, headers and body are templates. Default: if they contain `{{` or `{%`. */
  readonly template?: boolean;
}

export interface PlainAnswer extends Omit<Answer, 'status'> {
  readonly status?: number;
}

/** Statuses without a body (RFC 9110 §15). */
export const NO_CONTENT: ReadonlySet<unknown> = new Set([204, 205, 304]);

/** Who responds: the real service, the mock, or whichever has the operation. */
export type Source = 'real' | 'mock' | 'auto';

/** A rule, and what it does with the requests to which it applies. */
export interface Rule extends Answer {
  /** An operationId. Undefined: every operation. */
  readonly operation?: string;
  /** A tag of operations. Undefined: every operation. */
  readonly tag?: string;
  readonly match?: Match;
  /** The number of requests to which it applies. Undefined: unlimited. */
  readonly times?: number;
  /** One answer per request, in order; the last one repeats. */
  readonly sequence?: readonly (Answer | 'pass')[];
  /** Who responds, in place of the options; combines with rules that have other effects. */
  readonly source?: Source;
  /** False: the rule is kept but not applied. */
  readonly enabled?: false;
  /** Applies to invalid requests, too. */
  readonly validate?: false;
}

/** The conditions on a request, besides its operation. */
export interface Match {
  readonly method?: string;
  /** Without the base path: `/things/{id}` as in the document, or `/things/7`. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, Wanted>>;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, Wanted>>;
  /** The members that the body must have; others are ignored. */
  readonly body?: unknown;
}

/** A text, several in this order, or null: must be absent. */
export type Wanted = string | readonly string[] | null;

export interface ActiveRule extends Rule {
  readonly id: number;
  /** The number of requests to which it was applied. */
  readonly met: number;
  /** The length of its JSON text. */
  readonly size?: number;
}

/**
 * The rules of one session, the last of which wins: the newest, unless they were ordered. Mocks may share them by a store.
 */
export interface Rules {
  /** Lets requests skip the look-up. */
  readonly isEmpty: boolean;
  /** The current rules; each change makes a new book. */
  readonly book: RuleBook;
  /** Why there is no room for a rule, in place of another or beside all. Undefined: there is room. */
  refuse(rule: Rule, replaced?: number): string | undefined;
  add(rule: Rule): Awaitable<ActiveRule>;
  /** Includes rules that are used up. */
  all(): readonly ActiveRule[];
  /** Replaces a rule, and keeps or restarts its count. Undefined: there is no such rule. */
  replace(id: number, rule: Rule, used: 'kept' | 'from 0'): Awaitable<ActiveRule | undefined>;
  /** In this order, of which the last wins; unnamed rules take precedence over all others. */
  order(ids: readonly number[]): Awaitable<void>;
  /** False: there is no such rule. */
  remove(id: number): Awaitable<boolean>;
  clear(): Awaitable<void>;
  /** Returns the newest matching rule, before counting it. */
  take(matches: (rule: Rule) => boolean): Awaitable<ActiveRule | undefined>;
}

export interface RuleBook {
  /** In order: the last one wins. Those that are used up are only shown. */
  readonly rules: readonly ActiveRule[];
  readonly lastId: number;
}

export interface RuleStorage {
  read(): RuleBook;
  change(edit: EditRules): Awaitable<void>;
  /** Saves only the number of times a rule was applied. */
  count(edit: EditRules, rule: ActiveRule): Awaitable<void>;
}

type EditRules = (book: RuleBook) => RuleBook;

export function createRules({ read, change, count }: RuleStorage): Rules {
  return {
    get isEmpty() {
      return read().rules.every(isSpent);
    },
    get book() {
      return read();
    },
    refuse(rule, replaced) {
      const { rules, lastId } = read();
      const others = rules.filter(({ id }) => id !== replaced);
      return roomProblem(withRule({ rules: others, lastId }, rule, sizeOf(rule)).book);
    },
    add(rule) {
      let added: ActiveRule;
      const size = sizeOf(rule);
      const adding = change((old) => {
        const next = withRule(old, rule, size);
        added = next.rule;
        return next.book;
      });
      return andThen(adding, () => added);
    },
    all: () => read().rules,
    replace(id, rule, used) {
      let changed: ActiveRule | undefined;
      const size = sizeOf(rule);
      const replacing = change(({ rules, lastId }) => ({
        rules: rules.map((old) => {
          if (old.id !== id) return old;
          changed = { ...rule, id, met: used === 'kept' ? old.met : 0, size };
          return changed;
        }),
        lastId,
      }));
      return andThen(replacing, () => changed);
    },
    order: (ids) =>
      change(({ rules, lastId }) => {
        const at = new Map(ids.map((id, index) => [id, index]));
        const placeOf = ({ id }: ActiveRule) => at.get(id) ?? ids.length;
        return { rules: rules.toSorted((left, right) => placeOf(left) - placeOf(right)), lastId };
      }),
    remove(id) {
      let existed = false;
      const removing = change(({ rules, lastId }) => {
        const others = rules.filter((rule) => rule.id !== id);
        existed = others.length < rules.length;
        return { rules: others, lastId };
      });
      return andThen(removing, () => existed);
    },
    clear: () => change(({ lastId }) => ({ rules: [], lastId })),
    take(matches) {
      const rule = findRule(read(), matches);
      if (!rule) return undefined;
      let taken: ActiveRule | undefined;
      // With a shared store, another mock may have used up the rule.
      const counting = count((book) => {
        taken = findRule(book, matches);
        return taken ? countRule(book, taken) : book;
      }, rule);
      return andThen(counting, () => taken);
    },
  };
}

/** A book with these rules in place of all others. */
export function replacedBook({ lastId }: RuleBook, rules: readonly Rule[]): RuleBook {
  const none: RuleBook = { rules: [], lastId };
  return rules.reduce((book, rule) => withRule(book, rule, sizeOf(rule)).book, none);
}

export const NO_RULES: RuleBook = { rules: [], lastId: 0 };

/** Ids are never reused, so that nobody removes the wrong rule. */
export function resetBook({ lastId }: RuleBook, first: RuleBook): RuleBook {
  return { ...first, lastId: Math.max(lastId, first.lastId) };
}

/** Rules that are used up make room, the oldest first. */
function withRule({ rules: before, lastId }: RuleBook, rule: Rule, size: number) {
  const added: ActiveRule = { ...rule, id: lastId + 1, met: 0, size };
  let rules = [...before, added];
  while (isTooMuch(rules) && rules.some(isSpent)) rules = rules.toSpliced(rules.findIndex(isSpent), 1);
  return { book: { rules, lastId: added.id }, rule: added };
}

/** Why a session cannot hold these rules. Undefined: it can. */
export function roomProblem({ rules }: RuleBook): string | undefined {
  if (rules.length > MOST_RULES) return `a session has at most ${MOST_RULES} rules; remove some`;
  if (textOf(rules) <= MOST_TEXT) return undefined;
  return `all rules of a session may have at most ${MOST_TEXT} characters of JSON; remove some`;
}

/** Per session, since each request checks all rules, and every mock with the same store holds them. */
const MOST_RULES = 1000;

/** All rules of a session together, in characters of JSON. */
const MOST_TEXT = 2 ** 20;

function isTooMuch(rules: readonly ActiveRule[]): boolean {
  return rules.length > MOST_RULES || textOf(rules) > MOST_TEXT;
}

const sizeOf = (rule: Rule) => stringifyJson(rule).length;

function textOf(rules: readonly ActiveRule[]): number {
  return rules.reduce((sum, { size = 0 }) => sum + size, 0);
}

function findRule({ rules }: RuleBook, matches: (rule: Rule) => boolean): ActiveRule | undefined {
  return rules.findLast((rule) => rule.enabled !== false && !isSpent(rule) && matches(rule));
}

/** A rule is used up once it was applied `times` times. */
export const isSpent = ({ met, times }: ActiveRule): boolean => times !== undefined && met >= times;

function countRule({ rules, lastId }: RuleBook, { id }: ActiveRule): RuleBook {
  return { rules: rules.map((rule) => (rule.id === id ? { ...rule, met: rule.met + 1 } : rule)), lastId };
}

/** A rule's answer to the next request. */
export function answerOf({ sequence, delay, met, ...answer }: ActiveRule): Answer {
  if (!sequence) return { ...answer, ...(delay && { delay }) };
  const next = sequence[Math.min(met, sequence.length - 1)];
  return { ...(delay && { delay }), ...(next !== 'pass' && next) };
}

/** A rule in the form in which it was written. */
export function ruleForm(rule: Rule | ActiveRule): RuleForm {
  const { sequence, id: _, met: __, size: ___, ...answer } = rule as ActiveRule;
  return { ...answerJson(answer), ...(sequence && { sequence: sequence.map(itemJson) }) } as RuleForm;
}

/** A rule for `addRule`, `POST /__admin/answers` and seed files. It must have at least one effect. */
export interface RuleForm extends AnswerForm {
  /** An operationId. Default: every operation. */
  readonly operation?: string;
  /** A tag of operations. Default: every operation. */
  readonly tag?: string;
  /** Conditions on the request. Default: every request. */
  readonly match?: MatchForm;
  /** From 1. Default: until the rule is removed. */
  readonly times?: number;
  /** One answer per request, in order, of which the last repeats; a number is a status, `'pass'` the normal response. */
  readonly sequence?: readonly (number | AnswerForm | 'pass')[];
  /** Who responds, for a mock in front of a real service (`upstream`). Default: as the options say. */
  readonly source?: Source;
  /** False: the rule is kept but not applied. Default: true. */
  readonly enabled?: boolean;
  /** `false`: invalid requests get the answer, too. */
  readonly validate?: boolean;
}

/** An answer for `addRule` and `POST /__admin/answers`. */
export interface AnswerForm extends Omit<Answer, 'delay' | 'drop' | 'headers'> {
  /** Milliseconds up to 600,000, or a range such as `'100-500'`. */
  readonly delay?: number | string;
  /** `true` means `'before'`; a number: after so many messages of a stream, from 1. */
  readonly drop?: true | 'before' | 'after' | number;
  readonly headers?: Readonly<Record<string, string | number>>;
}

type WantedForm = string | number | boolean | null | readonly (string | number | boolean)[];

/** Conditions on a request, for `addRule` and `POST /__admin/answers`. */
export interface MatchForm {
  readonly method?: string;
  /** As in the document (`/things/{id}`), or as in a request (`/things/7`), with or without the base path. */
  readonly path?: string;
  /** By name: a value, a list of all values in order, or null: must be absent. */
  readonly query?: Readonly<Record<string, WantedForm>>;
  /** By name in any case, as in `query`. */
  readonly headers?: Readonly<Record<string, WantedForm>>;
  /** The members that the body must have, at any depth; lists and other values must be equal. */
  readonly body?: unknown;
}

/** A rule as it is shown. */
export interface RuleView extends RuleForm {
  readonly id: number;
  /** The number of requests to which it was applied. */
  readonly used: number;
}

/** A rule with changed members, in written form (RFC 7396, first level only): null removes a member. */
export function mergeRule(old: ActiveRule, change: unknown): unknown {
  if (!isRecord(change)) return change;
  const members = Object.entries({ ...ruleForm(old), ...change });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}

/** A rule in written form, with its id and count. */
export function ruleJson(rule: ActiveRule): RuleView {
  return { ...ruleForm(rule), id: rule.id, used: rule.met };
}

function answerJson<T extends Answer>({ delay, ...answer }: T) {
  if (!delay) return answer;
  return { ...answer, delay: delayJson(delay) };
}

function itemJson(item: Answer | 'pass') {
  if (item === 'pass') return item;
  return item.status !== undefined && Object.keys(item).length === 1 ? item.status : answerJson(item);
}
