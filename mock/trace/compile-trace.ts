import type { Operation } from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import { compileUsedSchemes } from '../http/authenticate.ts';
import { findMethod } from '../http/cors.ts';
import { memoize, memoizeText } from '../http/memoize.ts';
import { isRefusal } from '../http/refusal.ts';
import type { Trace, TraceAnswer, TraceLatency } from '../http/trace.ts';
import { compileUnkeptMembers, parametersWithoutEffect } from '../records/actions/without-effect.ts';
import type { JournalEntry } from '../sessions/journal.ts';
import type { Decided } from '../sessions/preferences/decided.ts';
import { mayHavePreference, readPreference } from '../sessions/preferences/preference.ts';
import { nearMisses } from './near-misses.ts';
import type { Context, Seen, TraceContext } from './seen.ts';
import { answerOfMock } from './trace-answer.ts';
import { credentialOf, ignoredIn, ignoredInQuery, routeOf, validationOf } from './trace-request.ts';

export interface Tracing {
  readonly traceOf: (entry: JournalEntry) => Trace;
  /** Whether a trace has nothing that a reader of the log would miss, by a fast look: no rule, no preference, nothing ignored. */
  readonly isPlain: (entry: JournalEntry) => boolean;
}

/** Compiles what tells why requests got their responses. Nothing is kept for it: it follows from the log and the document. */
export function compileTrace({ keys, ...given }: TraceContext): Tracing {
  const { find, redactSent } = given;
  const context: Context = {
    ...given,
    cookie: keys.cookie,
    usedSchemesOf: memoize((operation: Operation) => compileUsedSchemes(operation, keys)),
    unkeptOf: memoize(({ operation, action, role }: Endpoint) =>
      role && KEEPS.has(action) ? compileUnkeptMembers(operation, role.collection, given.contract) : () => [],
    ),
    idleOf: memoize(({ operation, action, role }: Endpoint) =>
      action === 'code'
        ? []
        : parametersWithoutEffect(operation, action === 'sample' ? undefined : role?.collection.resource),
    ),
  };

  function see(entry: JournalEntry): Seen {
    const { request, operation, decided = {} } = entry;
    const match = find(request.path, request);
    const found = match && findMethod(match.methods, request.method);
    // After the document has changed the same path may be another operation.
    const endpoint = found && found.operation.id === operation?.id ? found : undefined;
    const { query, headers, body } = request;
    const bytes = body instanceof Uint8Array ? body : undefined;
    const ruled = endpoint && {
      ...{ operation: endpoint.operation, request },
      values: endpoint.read({ path: match?.path ?? {}, query, headers, body: bytes }),
    };
    const preference = mayHavePreference(request) ? readPreference(request) : undefined;
    const isPossible = preference && !isRefusal(preference);
    return { entry, match, endpoint, decided, ruled, preference: isPossible ? preference : undefined };
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
    return {
      route: routeOf(seen, context),
      credential,
      validated,
      answered: redactAnswer(answerOfMock(seen, context), redact),
      nearMisses: seen.ruled
        ? nearMisses(decided, seen.ruled, refused).map((one) => ({ ...one, but: redact(one.but) }))
        : [],
      ignored: ignoredIn(seen, context).map((one) => ({ ...one, where: redact(one.where) })),
      violations: violationsOf(entry).map(redact),
      latency: latencyOf(entry, decided),
      ...(clock !== undefined && { clock: new Date(clock).toISOString() }),
    };
  }

  const hasIgnored = memoize((endpoint: Endpoint) =>
    memoizeText((query) => ignoredInQuery(query, endpoint, context.idleOf(endpoint)).length > 0),
  );

  return {
    traceOf,
    isPlain({ request, decided, refusal, operation }) {
      if (decided?.rules || !operation || mayHavePreference(request)) return false;
      if (request.body !== undefined && !operation.body) return false;
      if (request.query === '' || refusal) return true;
      const endpoint = find(request.path, request)?.methods.get(operation.method);
      return endpoint === undefined || !hasIgnored(endpoint)(request.query);
    },
  };
}

/** What makes a record of a body. */
const KEEPS: ReadonlySet<string> = new Set(['create', 'replace', 'update']);

/** What may repeat something that was sent. */
function redactAnswer(answer: TraceAnswer, redact: (text: string) => string): TraceAnswer {
  const { because, rule, record } = answer;
  return {
    ...answer,
    because: redact(because),
    ...(rule && { rule: { ...rule, matched: rule.matched.map(redact) } }),
    ...(record !== undefined && { record: redact(record) }),
  };
}

function violationsOf({ response }: JournalEntry): string[] {
  const own = response.headers['X-Paddock-Violation'];
  const judged = (response.violations ?? []).map(({ where, message }) => `${where}: ${message}`);
  return own === undefined ? judged : [own, ...judged];
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
