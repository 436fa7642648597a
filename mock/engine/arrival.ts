import { placeOf, showPlace } from '#spec';
import { andThen } from '../http/exchange.ts';
import { onFirstCall } from '../http/memoize.ts';
import { isRefusal, type Refusal, refuseInvalid, refuseUnreadable } from '../http/refusal.ts';
import { compileRemoval } from '../http/response-headers.ts';
import type { Act, Run } from '../records/actions/action.ts';
import type { Decide } from '../sessions/preferences/answers.ts';
import { createPause } from '../sessions/preferences/delay.ts';
import { mayHavePreference, PREFERRED_IN_QUERY } from '../sessions/preferences/preference.ts';
import type { StepContext } from './endpoint.ts';
import { decidedFor, NOTHING_READ, type Visit } from './endpoint.ts';

/** The steps before a request's operation runs. */
type Compile = (context: StepContext) => Run<Visit> | undefined;

const pause = createPause('latency');

/** Waits for the session's latency. */
export const compileDelay: Compile = () => (visit, next) => {
  const { latency } = visit.running.session;
  if (latency === undefined) return next(visit);
  const begun = performance.now();
  return pause(latency).then(() => {
    decidedFor(visit.running).sessionDelay = performance.now() - begun;
    return next(visit);
  });
};

/** The real service authenticates and validates the requests that it responds to. */
export const compileUpstream: Compile = (context) => {
  if (!context.hasUpstream) return undefined;
  const decide = compileDecision(context);
  return async (visit, next) => {
    const { running, request } = visit;
    const { relay, endpoint, session } = running;
    if (!relay || !endpoint) return next(visit);
    if (request.body === 'too large') return refuseUnreadable(request, context.maxBody) as Refusal;
    await identify(context, visit);
    readValues(context, visit);
    const decided = decidedFor(running);
    const asked = { request, matched: { endpoint, task: visit }, decided };
    const source = await relay.sourceOf(endpoint.operation, visit, session, decided);
    if (source === 'mock') return relay.note(asked, await next(visit));
    return decide(visit, () => relay.ask(asked, source, () => next({ ...visit, isDecided: true })));
  };
};

/** Refuses a request without a valid key before anything else about it. */
export const compileAuthenticate: Compile = ({ operation, parts, keys }) => {
  const guard = parts.authenticate(operation, keys);
  return (visit, next) => guard(visit.request, visit.running.session.clock, visit.running) ?? next(visit);
};

/** Refuses an operation after its sunset (RFC 8594), if the session has set a clock. */
export const compileSunset: Compile = ({ operation, contract }) => {
  const removal = compileRemoval(operation, contract);
  if (!removal) return undefined;
  return (visit, next) => {
    const { clock } = visit.running.session;
    return (clock && removal(clock())) ?? next(visit);
  };
};

/** Finds the account of the request's token, and refuses a token that is no longer valid. */
export const compileIdentify: Compile = (context) => (visit, next) =>
  andThen(identify(context, visit), (who) => (who && isRefusal(who) ? who : next(visit)));

function identify({ senders, guardOthers }: StepContext, visit: Visit) {
  if (visit.who !== 'not asked') return visit.who;
  const { request, store, time, running } = visit;
  return andThen(senders.senderOf(request, store, time()), (sender) => {
    const who = sender === 'revoked' ? guardOthers(request, time) : sender;
    visit.who = who;
    if (who && !isRefusal(who)) {
      visit.sender = who;
      decidedFor(running).sender = who;
    }
    return who;
  });
}

/** Reads the request's values, and refuses invalid ones unless a rule or preference says otherwise. */
export const compileValidate: Compile = (context) => {
  const operation = context.nameOperation(context.operation);
  const decide = compileDecision(context);
  return (visit, next) => {
    const unreadable = refuseUnreadable(visit.request, context.maxBody);
    if (unreadable) return unreadable;
    readValues(context, visit);
    const refusal = refuseInvalid(operation, visit.values);
    if (!refusal) return next(visit);
    return visit.isDecided ? refusal : decide(visit, () => refusal, true);
  };
};

function readValues({ operation, read, nameOperation, reportUnnamed }: StepContext, visit: Visit): void {
  if (visit.values !== NOTHING_READ) return;
  const { query, headers, body } = visit.request;
  const path = visit.running.match?.path ?? {};
  visit.values = read({ path, query, headers, body: body as Uint8Array | undefined });
  visit.running.values = visit.values;
  if (visit.values.unnamed) reportUnnamed(nameOperation(operation), visit.values.unnamed);
}

/** Rules, preferences and scenarios take precedence over the operation. */
export const compileDecide: Compile = (context) => {
  const decide = compileDecision(context);
  return (visit, next) => (visit.isDecided ? next(visit) : decide(visit, next));
};

function compileDecision({ operation, seeds, refuse, nameOperation, role }: StepContext) {
  // Loaded with the first request that has a preference or may match a rule.
  const load = onFirstCall(() => {
    const compiled = import('../sessions/preferences/answers.ts').then(({ compileAnswers }) =>
      compileAnswers({
        operation: nameOperation(operation),
        seeds,
        refuse,
        collection: role?.collection,
      }),
    );
    return async (...request: Parameters<Decide>) => (await compiled)(...request);
  });
  return (visit: Visit, next: (visit: Visit) => ReturnType<Act>, isInvalid = false): ReturnType<Act> => {
    const { rules } = visit.running.session;
    if (rules.isEmpty && !mayHavePreference(visit.request)) return next(visit);
    return load(rules, visit, pause, decidedFor(visit.running), next as Act, isInvalid);
  };
}

/** Limits for the log and memory, in case each request has a new name. */
const MOST_NAMES = 100;
const LONGEST_NAME = 60;

/** Reports undocumented names in a query, each name once. */
export function createReportUnnamed(
  notice: (text: string) => void,
  redactText: (text: string) => string,
): StepContext['reportUnnamed'] {
  const reported = new Set<string>();
  return ({ id, security, spot }, names) => {
    for (const name of names) {
      if (reported.size >= MOST_NAMES || reported.has(name) || PREFERRED_IN_QUERY.has(name)) continue;
      if (security.flat().some((credential) => credential.in === 'query' && credential.name === name))
        continue;
      reported.add(name);
      const text = JSON.stringify(redactText(name.slice(0, LONGEST_NAME)));
      notice(
        `the query parameter ${text} is ignored: ${id} has none of this name (${showPlace(placeOf(spot))})`,
      );
      if (reported.size === MOST_NAMES) notice('further query parameters that are ignored are not named');
    }
  };
}
