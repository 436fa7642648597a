import type { RouteMatch } from '#spec';
import type { Awaitable } from '../http/awaitable.ts';
import type { MockRequest } from '../http/exchange.ts';
import { refuseInvalid, refuseUnreadable } from '../http/invalid-request.ts';
import type { Outcome } from '../http/refusal.ts';
import { createPause, type Delay } from '../sessions/preferences/delay.ts';
import { mayHavePreference } from '../sessions/preferences/preference.ts';
import type { Session } from '../sessions/session.ts';
import type { Endpoint } from './endpoint.ts';
import { createTellUnnamed } from './unnamed-parameters.ts';

export interface OperateContext {
  readonly maxBody: number;
  readonly notice: (text: string) => void;
  /** Redacts credentials in a text. */
  readonly redactText: (text: string) => string;
}

/** Carries out a request of a documented operation. */
type Operate = (
  endpoint: Endpoint,
  match: RouteMatch<Endpoint>,
  request: MockRequest,
  session: Session,
) => Awaitable<Outcome>;

export function createOperate({ maxBody, notice, redactText }: OperateContext): Operate {
  const tellUnnamed = createTellUnnamed(notice, redactText);
  const pause = createPause('latency');

  /** Authentication comes first: a client without a key learns nothing else. */
  const operate: Operate = (endpoint, { path }, request, session) => {
    const { operation, guard, read, act, removal } = endpoint;
    const { clock, rules, store } = session;
    const refusal = guard(request) ?? (clock && removal?.(clock())) ?? refuseUnreadable(request, maxBody);
    if (refusal) return refusal;
    const { query, headers } = request;
    const values = read({ path, query, headers, body: request.body as Uint8Array | undefined });
    if (values.unnamed) tellUnnamed(operation, values.unnamed);
    const invalid = refuseInvalid(operation, values);
    if (invalid) return invalid;
    const task = { values, request, store };
    if (rules.isEmpty && !mayHavePreference(request)) return act(task);
    return endpoint.applyPreference(rules, task, pause);
  };

  async function operateLate(latency: Delay, ...request: Parameters<Operate>): Promise<Outcome> {
    await pause(latency);
    return operate(...request);
  }

  return (endpoint, match, request, session) =>
    session.latency === undefined
      ? operate(endpoint, match, request, session)
      : operateLate(session.latency, endpoint, match, request, session);
}
