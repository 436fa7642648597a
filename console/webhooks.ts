import { h } from 'preact';
import { admin } from './shell/admin.ts';
import { CodeView } from './shell/code-view.ts';
import { onEvent, onOpen, refresh, throttle } from './shell/connection.ts';
import { button, emptyCard, pageHead } from './shell/controls.ts';
import { attempt } from './shell/messages.ts';
import { createValue, useValue } from './shell/value.ts';
import type { DeliveryView, OutgoingView, WebhooksView } from './wire.ts';

/** The callbacks and webhooks of the mock, and each delivery with its attempts, the newest first. */
export function WebhooksPage() {
  const { outgoing, deliveries } = useValue(webhooks);
  if (outgoing.length === 0)
    return h('div', { class: 'stack' }, [
      pageHead('Webhooks'),
      emptyCard(
        'No callbacks',
        'The document has neither ',
        h('code', {}, 'callbacks'),
        ' nor ',
        h('code', {}, 'webhooks'),
        '.',
      ),
    ]);
  return h('div', { class: 'stack' }, [
    pageHead('Webhooks'),
    h('section', { class: 'card change', 'aria-label': 'Callbacks and webhooks of the document' }, [
      outgoing.map((outgoingView) => h(OutgoingRow, { key: outgoingView.id, one: outgoingView })),
    ]),
    deliveries.length === 0
      ? emptyCard('Nothing sent yet', 'Each request that the mock sends is listed here, with every attempt.')
      : deliveries.toReversed().map((delivery) => h(DeliveryCard, { key: delivery.number, one: delivery })),
  ]);
}

function OutgoingRow({ one: outgoingView }: { readonly one: OutgoingView }) {
  const { id, kind, method, url, operation, at } = outgoingView;
  return h('header', { class: 'change-head' }, [
    h('span', { class: 'mono' }, `${method} ${id}`),
    h('span', { class: 'soft' }, [
      kind === 'callback' ? `callback of ${operation ?? ''}: ${url ?? ''}` : 'webhook',
      ` (${at})`,
    ]),
    button('Send', () => send(outgoingView), { class: 'framed small' }),
  ]);
}

const STATES: Readonly<Record<DeliveryView['state'], string>> = {
  waiting: 'is tried again',
  delivered: 'was delivered',
  failed: 'has failed',
  withheld: 'was withheld',
};

/** A delivery with all attempts, each with its reason. */
function DeliveryCard({ one: deliveryView }: { readonly one: DeliveryView }) {
  const { number, at, operation, state, because, method, url, reason, body, attempts } = deliveryView;
  const isAmiss = state === 'failed' || state === 'withheld';
  return h(
    'article',
    { class: `card change ${isAmiss ? 'change-refused' : ''}`, 'aria-label': `Webhook ${number}` },
    h('header', { class: 'change-head' }, [
      h('time', { class: 'soft mono', dateTime: at }, new Date(at).toLocaleTimeString()),
      h('h3', {}, `${operation} ${STATES[state]}`),
      h('span', { class: 'soft' }, because),
    ]),
    h('p', { class: 'mono' }, `${method} ${url ?? ''}`),
    reason !== undefined && h('p', { class: 'violation' }, reason),
    h('ol', {}, [
      attempts.map((attempt) =>
        h('li', { key: attempt.at }, [
          `${attempt.status ?? 'no response'} in ${Math.round(attempt.ms)} ms`,
          // The reason of the last attempt is shown above.
          attempt.reason && attempt.reason !== reason ? `: ${attempt.reason}` : '',
        ]),
      ),
    ]),
    body !== undefined && h(CodeView, { text: body, label: `Body of webhook ${number}` }),
  );
}

/** Sent to registered receivers; for another URL, use the control API. */
const send = ({ id }: OutgoingView) =>
  attempt(() => admin(`webhooks/${encodeURIComponent(id)}`, { method: 'POST' }));

const webhooks = createValue<WebhooksView>({ outgoing: [], deliveries: [] });

/** In milliseconds, since one request may cause many deliveries. */
const PAUSE = 120;

const load = () => refresh(webhooks, admin<WebhooksView>('webhooks'));

onEvent('webhook', throttle(load, PAUSE));
onEvent(['webhooks', 'reset', 'document'], load);
onOpen(load);
