import { type Contract, DocumentError, type Operation } from '#spec';
import type { Answer, MockRequest } from '../answer/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';
import { readMoment, type Time } from '../session/clock.ts';
import type { StandingRule } from '../session/rules.ts';
import { resetSession, type Session, setClock } from '../session/session.ts';
import type { ReadSnapshot, TakeSnapshot } from '../snapshot/snapshot.ts';
import type { ControlTable } from './control.ts';
import { bodyJson, bodyText, jsonAnswer, NO_CONTENT } from './json.ts';
import { CONTROL_PATH } from './path.ts';
import { readRule } from './read-rule.ts';
import type { ShowEntry } from './requests.ts';

export interface SteeringContext {
  readonly contract: Contract;
  readonly takeSnapshot: TakeSnapshot;
  readonly readSnapshot: ReadSnapshot;
  readonly showEntry: ShowEntry;
  readonly time: Time;
}

/** All that the mock can be asked and told, on one screen. */
export function compileSteering(context: SteeringContext): ControlTable {
  const { contract, takeSnapshot, showEntry, time } = context;
  const { title, version, operations } = contract;
  return {
    health: {
      GET: () => jsonAnswer({ status: 'ok', document: { title, version } }),
    },
    reset: {
      POST: async (_, session) => {
        await resetSession(session);
        return NO_CONTENT;
      },
    },
    state: {
      GET: async (_, { store }) => ({ ...jsonAnswer({}), body: await takeSnapshot(store) }),
      PUT: (request, session) => restore(request, session, context),
    },
    requests: {
      GET: (_, { journal }) => jsonAnswer(journal.entries().map(showEntry)),
      DELETE: (_, { journal }) => {
        journal.clear();
        return NO_CONTENT;
      },
    },
    events: {
      GET: (_, { events }) => ({
        status: 200,
        type: 'text/event-stream',
        headers: NEVER_STORED,
        body: events.listen,
      }),
    },
    rules: {
      GET: (_, { rules }) => jsonAnswer(rules.all().map(ruleFace)),
      POST: (request, session) => addRule(request, session, operations),
      DELETE: removeRules,
    },
    clock: {
      GET: (_, { clock }) => jsonAnswer(clockFace(clock, time)),
      PUT: (request, session) => putClock(request, session, time),
    },
  };
}

const NEVER_STORED = { 'Cache-Control': 'no-store' };

async function restore(
  request: MockRequest,
  { store, events }: Session,
  { readSnapshot }: SteeringContext,
): Promise<Answer | Refusal> {
  const text = bodyText(request);
  if (typeof text !== 'string') return text;
  try {
    await store.restore(readSnapshot('body', text));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const details = error.problems.map(({ line, column, message }) => ({
      where: `${line}:${column}`,
      message,
    }));
    const message = details.map(({ where, message }) => `line ${where}: ${message}`).join('; ');
    return { refuse: 'malformed', message: `The state was not taken over: ${message}`, details };
  }
  events.publish('state', '{}');
  return NO_CONTENT;
}

async function addRule(
  request: MockRequest,
  { rules, events }: Session,
  operations: readonly Operation[],
): Promise<Answer | Refusal> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const read = readRule(body.value, operations);
  if ('problems' in read) return { refuse: 'malformed', message: read.problems.join('; ') };
  const rule = await rules.add(read.rule);
  events.publish('rule', JSON.stringify(ruleFace(rule)));
  return jsonAnswer(ruleFace(rule), 201, { Location: `${CONTROL_PATH}/rules/${rule.id}` });
}

/** A rule as it was written. */
function ruleFace({ delay, ...rule }: StandingRule) {
  return { ...rule, ...(delay && { delay: `${delay.low}-${delay.high}` }) };
}

/** `DELETE /__admin/rules` removes all, `DELETE /__admin/rules/3` one. */
async function removeRules({ path }: MockRequest, { rules }: Session): Promise<Answer | Refusal> {
  const [, , , id] = path.split('/');
  if (id === undefined) await rules.clear();
  else if (!(await rules.remove(Number(id))))
    return { refuse: 'not found', message: `There is no rule ${id}` };
  return NO_CONTENT;
}

async function putClock(request: MockRequest, session: Session, time: Time): Promise<Answer | Refusal> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const now = (body.value as { now?: unknown } | null)?.now;
  const at = typeof now === 'string' ? readMoment(now) : undefined;
  if (at === undefined && now !== null) {
    const message =
      'now must be a date such as "2030-12-06" or "2030-12-06T12:00:00Z", or null for the time that it is';
    return { refuse: 'malformed', message };
  }
  await setClock(session, at, time);
  const face = clockFace(session.clock, time);
  session.events.publish('clock', JSON.stringify(face));
  return jsonAnswer(face);
}

function clockFace(clock: Time | undefined, time: Time) {
  return { now: new Date((clock ?? time)()).toISOString(), given: clock !== undefined };
}
