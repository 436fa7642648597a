import { type Delay, delayJson } from './delay.ts';
import type { Preference } from './preference.ts';

/** What is done to a request. */
export interface Answer {
  /** Documented, unless the rule has a body of its own. */
  readonly status?: number;
  /** The name of a documented example. */
  readonly example?: string;
  /** Instead of the documented one: a text is sent as it is, any other value as JSON. */
  readonly body?: unknown;
  /** By name, in addition to those of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Delay;
  /** The connection ends without a response: before the request is carried out, or after. */
  readonly drop?: 'before' | 'after';
  /** The response ends in the middle of its body. */
  readonly truncate?: boolean;
}

/** What is done to the requests that a rule is for. */
export interface Rule extends Answer {
  /** An operationId; undefined: every operation. */
  readonly operation?: string;
  /** A tag of operations; undefined: every operation. */
  readonly tag?: string;
  readonly match?: Match;
  /** The number of requests that it applies to; undefined: until it is removed. */
  readonly times?: number;
  /** One answer after the other; the last one stays. */
  readonly sequence?: readonly (Answer | 'pass')[];
}

/** What a request must have, besides its operation. */
export interface Match {
  readonly method?: string;
  /** Without the base path: `/things/{id}` as in the document, or `/things/7`. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, Wanted>>;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, Wanted>>;
  /** The members that the body must have, whatever others there are. */
  readonly body?: unknown;
}

/** A text, several of them in this order, or null: there must be none. */
export type Wanted = string | readonly string[] | null;

export interface ActiveRule extends Rule {
  readonly id: number;
  /** How many requests it has been applied to. */
  readonly met: number;
  /** The length of its JSON text. */
  readonly size?: number;
}

/** What a rule does to the next request that it applies to. */
export function answerOf({ sequence, delay, met, ...own }: ActiveRule): Answer {
  if (!sequence) return { ...own, ...(delay && { delay }) };
  const next = sequence[Math.min(met, sequence.length - 1)];
  return { ...(delay && { delay }), ...(next !== 'pass' && next) };
}

/** The response that an answer forces; undefined: none. */
export function preferenceOf({ status, example }: Answer): Preference | undefined {
  if (status === undefined && example === undefined) return undefined;
  return { ...(status !== undefined && { code: status }), ...(example !== undefined && { example }) };
}

/** A rule as it was written, with its id and how often it was used. */
export function ruleJson({ id, met, size: _, sequence, ...rule }: ActiveRule) {
  return {
    ...answerJson(rule),
    ...(sequence && { sequence: sequence.map(itemJson) }),
    id,
    used: met,
    // The older name of `used`.
    met,
  };
}

function answerJson<T extends Answer>({ delay, ...answer }: T) {
  if (!delay) return answer;
  return { ...answer, delay: delayJson(delay) };
}

function itemJson(item: Answer | 'pass') {
  if (item === 'pass') return item;
  return item.status !== undefined && Object.keys(item).length === 1 ? item.status : answerJson(item);
}
