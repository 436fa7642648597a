import type { Sender } from '../../records/accounts.ts';
import type { ActiveRule, RuleBook } from './rules.ts';

/** What was decided during an exchange that neither request nor document says; each is absent where there was nothing to decide. */
export interface Decided {
  /** The rules when the request came; of very many the newest. */
  readonly rules?: RuleBook;
  /** What the clock of the session showed when the request came, in milliseconds since 1970. */
  readonly clock?: number;
  sender?: Sender;
  /** The rule that was applied, as it was before. */
  rule?: ActiveRule;
  /** The rule that said who responds, as it was before. */
  sourceRule?: ActiveRule;
  /** Milliseconds that the latency of the session took. */
  sessionDelay?: number;
  /** Milliseconds that the delay of the rule took. */
  ruleDelay?: number;
  /** Milliseconds until the real service responded. */
  upstreamTime?: number;
  /** Why the mock responds in the place of the real service. */
  mocked?: string;
}

/** An exchange in the log keeps no more: a rule that is counted makes another list of all of them. */
const MOST_KEPT = 100;

/** What a session has that decides on requests, before it is looked at. Undefined: nothing, as in most sessions. */
export function decidedIn(book: RuleBook, clock: (() => number) | undefined): Decided | undefined {
  const { rules, spent = [], lastId } = book;
  const hasRules = rules.length > 0 || spent.length > 0;
  if (!hasRules && !clock) return undefined;
  const isMuch = rules.length + spent.length > MOST_KEPT;
  const kept = isMuch ? { rules: rules.slice(-MOST_KEPT), spent: [], lastId } : book;
  return { ...(hasRules && { rules: kept }), ...(clock && { clock: clock() }) };
}
