import { isRecord, type OutgoingOperation, placeOf, showPlace } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { type Delivery, type DeliveryView, showDelivery } from '../sessions/outbox.ts';
import type { Session } from '../sessions/session.ts';
import type { ByHand, Webhooks } from '../webhooks/webhooks.ts';
import {
  bodyJson,
  type ControlEndpoints,
  jsonResponse,
  lastStep,
  NO_CONTENT,
  refuseWith,
} from './control.ts';

export type { DeliveryView };

/** The document's callbacks and webhooks, and what was sent. */
export interface WebhooksView {
  readonly outgoing: readonly OutgoingView[];
  /** The last 200 of the session, the oldest first. */
  readonly deliveries: readonly DeliveryView[];
}

export interface OutgoingView {
  /** The operationId, or another unique name. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'callback' | 'webhook';
  readonly method: string;
  /** With its runtime expressions. Undefined: it is a webhook. */
  readonly url: string | undefined;
  /** The operation of a callback. */
  readonly operation: string | undefined;
  /** The line of the document: `openapi.yaml:41`. */
  readonly at: string;
}

/**
 * `/__admin/webhooks`: what was sent, with each attempt. `POST /__admin/webhooks/NAME` sends one by hand: `{"url":
 * "http://127.0.0.1:9000/", "body": {}}`, both optional.
 */
export function webhooksEndpoints(webhooks: Webhooks | undefined): ControlEndpoints {
  const show = (delivery: Delivery) => showDelivery(webhooks ? webhooks.show(delivery) : delivery);
  return {
    webhooks: {
      GET: (_, { outbox }) =>
        jsonResponse({
          outgoing: (webhooks?.outgoing ?? []).map(showOutgoing),
          deliveries: (outbox?.deliveries() ?? []).map(show),
        } satisfies WebhooksView),
      DELETE: (_, { outbox, events }) => {
        outbox?.forget();
        events.publish('webhooks', '{}');
        return NO_CONTENT;
      },
    },
    'webhooks/*': { POST: (request, session) => sendByHand(webhooks, request, session, show) },
  };
}

async function sendByHand(
  webhooks: Webhooks | undefined,
  request: MockRequest,
  session: Session,
  show: (delivery: Delivery) => DeliveryView,
): Promise<Outcome> {
  const name = lastStep(request);
  const all = webhooks?.outgoing ?? [];
  const wanted = all.find(({ id }) => id === name) ?? all.find((operation) => operation.name === name);
  if (!webhooks || !wanted) {
    const ids = all.map(({ id }) => id).join(', ') || 'none';
    return {
      refuse: 'not found',
      message: `There is no webhook ${JSON.stringify(name)}; there are ${ids}`,
    };
  }
  const sent = await webhooks.send(session, wanted, readByHand(request));
  if (typeof sent === 'string') return { refuse: 'conflict', message: `${name} is sent to nobody: ${sent}` };
  return jsonResponse(sent.map(show), 201);
}

function readByHand(request: MockRequest): ByHand {
  if (request.body === undefined || request.body.length === 0) return {};
  const value = bodyJson(request);
  const { url, body, ...others } = isRecord(value) ? value : { others: true };
  const isUrl = url === undefined || (typeof url === 'string' && URL.canParse(url));
  if (!isUrl || Object.keys(others).length > 0) {
    const message =
      'the body must be {"url": "http://127.0.0.1:9000/", "body": {}}: a URL, and a body in place of the documented one; each may be absent';
    return refuseWith({ refuse: 'malformed', message });
  }
  const isGiven = isRecord(value) && Object.hasOwn(value, 'body');
  return { ...(url !== undefined && { url }), ...(isGiven && { body }) };
}

function showOutgoing({ id, name, kind, method, path, owner, spot }: OutgoingOperation): OutgoingView {
  const url = kind === 'callback' ? path : undefined;
  return { id, name, kind, method, url, operation: owner?.id, at: showPlace(placeOf(spot)) };
}
