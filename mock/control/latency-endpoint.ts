import { isRecord } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { delayJson, LONGEST_DELAY, NO_DELAY, readDelay } from '../sessions/preferences/delay.ts';
import { type Session, setLatency } from '../sessions/session.ts';
import type { Handler } from './control.ts';
import { bodyJson, jsonResponse } from './json.ts';

/** `/__admin/latency`: `{"latency": 150}` or `{"latency": "50-150"}`, in milliseconds. */
export const latencyEndpoint: Readonly<Record<string, Handler>> = {
  GET: (_, session) => jsonResponse(latencyJson(session)),
  PUT: putLatency,
};

async function putLatency(request: MockRequest, session: Session): Promise<Outcome> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const { latency, ...others } = isRecord(body.value) ? body.value : {};
  const isText = typeof latency === 'string' || typeof latency === 'number';
  const delay = isText ? readDelay(String(latency)) : undefined;
  if (!delay || Object.keys(others).length > 0) {
    const message = `the body must be {"latency": MS}, milliseconds up to ${LONGEST_DELAY} or a range such as "50-150"`;
    return { refuse: 'malformed', message };
  }
  await setLatency(session, delay);
  const json = latencyJson(session);
  session.events.publish('latency', JSON.stringify(json));
  return jsonResponse(json);
}

function latencyJson({ latency = NO_DELAY }: Session) {
  return { latency: delayJson(latency) };
}
