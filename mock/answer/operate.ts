import { createPause, type Delay } from '../session/delay.ts';
import type { Session } from '../session/session.ts';
import type { Endpoint } from './endpoint.ts';
import type { Answer, Awaitable, MockRequest } from './exchange.ts';
import { refuseInvalid, refuseUnreadable } from './invalid.ts';
import { mayWish } from './prefer.ts';
import type { Refusal } from './refusal.ts';
import type { Found } from './route.ts';
import { actUnder } from './steer.ts';

export interface OperateContext {
  readonly maxBody: number;
  /** How long every answer waits. */
  readonly latency: Delay;
}

/** From a request of a documented operation to what comes of it. */
type Operate = (
  endpoint: Endpoint,
  found: Found<Endpoint>,
  request: MockRequest,
  session: Session,
) => Awaitable<Answer | Refusal>;

export function createOperate({ maxBody, latency }: OperateContext): Operate {
  const pause = createPause('latency');

  /** Who asks, then what is asked, then the doing: a client without a key learns nothing else. */
  const operate: Operate = (endpoint, { path }, request, session) => {
    const { operation, guard, read, act, removal } = endpoint;
    const { clock, rules, store } = session;
    const refusal = guard(request) ?? (clock && removal?.(clock())) ?? refuseUnreadable(request, maxBody);
    if (refusal) return refusal;
    const values = read({
      path,
      query: request.query,
      headers: request.headers,
      body: request.body as Uint8Array | undefined,
    });
    const invalid = refuseInvalid(operation, values);
    if (invalid) return invalid;
    const task = { values, request, store };
    return rules.isEmpty && !mayWish(request) ? act(task) : actUnder(rules, endpoint, task, pause);
  };

  if (latency.high === 0) return operate;
  return async (...request) => {
    await pause(latency);
    return operate(...request);
  };
}
