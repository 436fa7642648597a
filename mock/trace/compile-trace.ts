import { count, oncePer } from '#spec';
import { type Endpoint, NOTHING_READ } from '../engine/endpoint.ts';
import { memoizeText } from '../http/memoize.ts';
import type { NearMiss, Trace, TraceAnswer, TraceLatency } from '../http/trace.ts';
import { compileUnkeptMembers, parametersWithoutEffect } from '../records/actions/without-effect.ts';
import type { Decided, JournalEntry } from '../sessions/journal.ts';
import {
  type Condition,
  canBeAtPath,
  conditionsOf,
  type RuledRequest,
} from '../sessions/preferences/match.ts';
import { type ActiveRule, isSpent } from '../sessions/preferences/rules.ts';
import { answerOfMock } from './trace-answer.ts';
import {
  type Context,
  credentialOf,
  ignoredIn,
  ignoredInQuery,
  routeOf,
  type Seen,
  type TraceContext,
  validationOf,
} from './trace-request.ts';

export interface Tracing {
  readonly traceOf: (entry: JournalEntry) => Trace;
  /** A quick check whether the log line already tells everything: no rule, no preference, nothing ignored. */
  readonly isPlain: (entry: JournalEntry) => boolean;
}

/** Compiles explaining why requests got their responses, from what their steps have noted. */
export function compileTrace(traceContext: TraceContext): Tracing {
  const { endpoints, redactSent } = traceContext;
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.operation, endpoint]));
  const context: Context = {
    ...traceContext,
    unkeptOf: oncePer(({ operation, action, role }: Endpoint) =>
      role && KEEPS.has(action)
        ? compileUnkeptMembers(operation, role.collection, traceContext.contract)
        : () => [],
    ),
    idleOf: oncePer(({ operation, action, role }: Endpoint) =>
      action === 'code'
        ? []
        : parametersWithoutEffect(operation, action === 'sample' ? undefined : role?.collection.resource),
    ),
  };

  function see(entry: JournalEntry): Seen {
    const { request, operation, values = NOTHING_READ, decided = {} } = entry;
    const endpoint = operation && endpointOf.get(operation);
    return {
      entry,
      endpoint,
      decided,
      ruled: endpoint && { operation: endpoint.operation, request, values },
    };
  }

  function traceOf(entry: JournalEntry): Trace {
    const seen = see(entry);
    const { decided } = seen;
    const redact = redactSent(entry.request);
    const validated = validationOf(seen);
    const credential = credentialOf(seen, context);
    const isRefused = credential.result === 'refused' || validated.result === 'invalid';
    const refused = isRefused
      ? `the request was refused with ${entry.status} before: rules are for valid requests`
      : undefined;
    const { clock } = decided;
    const answered = redactAnswer(answerOfMock(seen), redact);
    return {
      route: routeOf(entry, context),
      credential,
      validated,
      answered,
      ...(seen.endpoint && { steps: stepsMet(seen.endpoint.steps(), entry, answered) }),
      nearMisses: seen.ruled
        ? nearMisses(decided, seen.ruled, refused).map((nearMiss) => ({
            ...nearMiss,
            but: redact(nearMiss.but),
          }))
        : [],
      ignored: ignoredIn(seen, context).map((ignoredPart) => ({
        ...ignoredPart,
        where: redact(ignoredPart.where),
      })),
      violations: violationsOf(entry).map(redact),
      latency: latencyOf(entry, decided),
      ...(clock !== undefined && { clock: new Date(clock).toISOString() }),
    };
  }

  const hasIgnored = oncePer((endpoint: Endpoint) =>
    memoizeText((query) => ignoredInQuery(query, endpoint, context.idleOf(endpoint)).length > 0),
  );

  return {
    traceOf,
    isPlain({ request, decided, refusal, operation }) {
      if (decided?.rules || decided?.preference || !operation) return false;
      if (request.body !== undefined && !operation.body) return false;
      if (request.query === '' || refusal) return true;
      const endpoint = endpointOf.get(operation);
      return endpoint === undefined || !hasIgnored(endpoint)(request.query);
    },
  };
}

/** The steps of a request, up to the one that refused it, or to the decision. */
function stepsMet(
  steps: readonly string[],
  { refusedAt }: JournalEntry,
  { by, rule }: TraceAnswer,
): readonly string[] {
  const decided = by === 'rule' && rule ? `rule ${rule.id}` : by === 'Prefer' ? by : undefined;
  if (decided !== undefined) return [...steps.slice(0, steps.indexOf('decide') + 1), decided];
  return refusedAt === undefined ? steps : steps.slice(0, steps.indexOf(refusedAt) + 1);
}

/** Actions that store the body as a record. */
const KEEPS: ReadonlySet<string> = new Set(['create', 'replace', 'update']);

/** The parts that may repeat values of the request. */
function redactAnswer(answer: TraceAnswer, redact: (text: string) => string): TraceAnswer {
  const { because, rule, record, selected } = answer;
  return {
    ...answer,
    because: redact(because),
    ...(rule && { rule: { ...rule, matched: rule.matched.map(redact) } }),
    ...(record !== undefined && { record: redact(record) }),
    ...(selected !== undefined && { selected: redact(selected) }),
  };
}

function violationsOf({ response }: JournalEntry): string[] {
  const ofRule = response.headers['X-Paddock-Violation'];
  const judged = (response.violations ?? []).map(({ where, message }) => `${where}: ${message}`);
  return ofRule === undefined ? judged : [ofRule, ...judged];
}

const thousandths = (ms: number) => Math.round(ms * 1000) / 1000;

function latencyOf({ ms }: JournalEntry, decided: Decided): TraceLatency {
  const { sessionDelay, ruleDelay, upstreamTime } = decided;
  const others = [sessionDelay, ruleDelay, upstreamTime].reduce<number>((sum, one = 0) => sum + one, 0);
  return {
    total: thousandths(ms),
    own: thousandths(Math.max(0, ms - others)),
    ...(sessionDelay !== undefined && { session: thousandths(sessionDelay) }),
    ...(ruleDelay !== undefined && { rule: thousandths(ruleDelay) }),
    ...(upstreamTime !== undefined && { upstream: thousandths(upstreamTime) }),
  };
}

/** Per request; a session may have a thousand rules. */
const MOST_MISSES = 10;

/**
 * The rules that failed to apply by one condition only, in the order of their precedence, then those that are used up.
 * @param refused why no rule was tried; undefined: they were
 */
function nearMisses(
  { rules = [], rule, sourceRule }: Decided,
  ruled: RuledRequest,
  refused: string | undefined,
): readonly NearMiss[] {
  const misses: NearMiss[] = [];
  const ordered = rules.toReversed().sort((one, other) => Number(isSpent(one)) - Number(isSpent(other)));
  for (const activeRule of ordered) {
    const applied = activeRule.source === undefined ? rule : sourceRule;
    if (activeRule.id === applied?.id) continue;
    const missed = missing(activeRule, ruled, applied, refused);
    if (missed) misses.push({ rule: activeRule.id, ...missed });
    if (misses.length === MOST_MISSES) break;
  }
  return misses;
}

function missing(
  rule: ActiveRule,
  ruled: RuledRequest,
  applied: ActiveRule | undefined,
  refused: string | undefined,
): Omit<NearMiss, 'rule'> | undefined {
  const conditions = conditionsOf(rule, ruled);
  const [unmet, ...others] = conditions.filter(({ but }) => but !== undefined);
  if (others.length > 0) return undefined;
  if (unmet?.but !== undefined)
    return !isSpent(rule) && isNear(unmet, conditions, ruled) ? { of: unmet.of, but: unmet.but } : undefined;
  if (rule.enabled === false) return { of: 'off', but: 'it is switched off' };
  if (isSpent(rule)) return { of: 'times', but: `it was for ${count(rule.times, 'request')} and is used up` };
  if (refused !== undefined) return { of: 'refused', but: refused };
  return applied && { of: 'order', but: `rule ${applied.id} goes before it and matches, too` };
}

/** A rule for another operation only counts if everything else matches. */
function isNear(
  { of }: Condition,
  conditions: readonly Condition[],
  { operation, values }: RuledRequest,
): boolean {
  const isMet = (...kinds: Condition['of'][]) =>
    conditions.some((condition) => condition.but === undefined && kinds.includes(condition.of));
  if (of === 'operation' || of === 'tag') return isMet('query', 'headers', 'body');
  if (of === 'method') return isMet('operation', 'path');
  if (of === 'path')
    return conditions.some(
      (condition) => condition.of === 'path' && canBeAtPath(condition.text.slice('path '.length), operation),
    );
  return of !== 'body' || values !== NOTHING_READ;
}
