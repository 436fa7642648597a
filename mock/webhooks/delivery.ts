import type { EncodedBody, OutgoingOperation } from '#spec';
import { isLoopback, stringifyJson } from '#spec';
import { CONTROL_PATH } from '../control/path.ts';
import { createOutbox, type Delivery, type Outbox, showDelivery } from '../sessions/outbox.ts';
import type { Session, Time } from '../sessions/session.ts';
import { type Attempted, attemptOnce, type OutgoingRequest, secretBytes, signMessage } from './attempt.ts';
import { leadsTo, nextHop } from './chain.ts';

export interface DeliveryContext {
  /** Allowed hosts beside this machine: `hooks.example`, `hooks.example:8443`. */
  readonly callbackHosts: readonly string[];
  /** Undefined: nothing is signed. */
  readonly webhookSecret: string | undefined;
  readonly time: Time;
  /** Changes a request before it is sent. */
  readonly dispatch: (request: OutgoingRequest) => OutgoingRequest | undefined;
  readonly redactText: (text: string) => string;
  readonly onBug: (error: unknown) => void;
  /** Receives why something is not sent, once for each reason and receiver. */
  readonly notice: (text: string) => void;
  /** The origin at which the mock itself listens. Undefined: it has no socket. */
  readonly listensAt: () => string | undefined;
}

/** What all requests of a callback or webhook share. */
export interface Addressed {
  readonly outgoing: OutgoingOperation;
  /** The documented signature headers, in lower case. */
  readonly signature: readonly string[];
  /** Values for the other documented headers. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Deliver = (
  session: Session,
  one: Addressed,
  to: { readonly url: string } | { readonly missing: string },
  because: string,
  body: EncodedBody | undefined,
) => Promise<number>;

/** Concurrent requests, and unfinished deliveries: beyond that, new ones are dropped. */
const MOST_AT_ONCE = 16;
const MOST_WAITING = 1000;

const DROPPED = `${MOST_WAITING} deliveries wait already: it is dropped`;
const MOST_NOTICES = 100;

/** Between attempts, in milliseconds. */
const PAUSES: readonly number[] = [250, 500, 1000, 2000];

export function outboxOf(session: Session): Outbox {
  session.outbox ??= createOutbox();
  return session.outbox;
}

/** Sends, signs and retries deliveries; the session's outbox shows their progress. */
export function createDelivery(context: DeliveryContext): {
  deliver: Deliver;
  show: (delivery: Delivery) => Delivery;
} {
  const { time, redactText, onBug, callbackHosts, dispatch, notice } = context;
  const secret = context.webhookSecret === undefined ? undefined : secretBytes(context.webhookSecret);

  const inTurn = createTurns(MOST_AT_ONCE);
  const noticed = new Set<string>();
  let waiting = 0;

  /** Why a delivery would be a loop. Undefined: it would not. */
  async function circle(url: string, chained: ReturnType<typeof nextHop>): Promise<string | undefined> {
    const origin = context.listensAt();
    if (origin !== undefined && (await leadsTo(new URL(url), origin))) return 'it leads to this mock itself';
    return 'refused' in chained ? chained.refused : undefined;
  }

  function noticeOnce({ name }: OutgoingOperation, url: string, reason: string): void {
    const line = redactText(`${name} is not sent to ${url}: ${reason}`);
    if (noticed.size >= MOST_NOTICES || noticed.has(line)) return;
    noticed.add(line);
    notice(line);
  }

  function publish(session: Session, delivery: Delivery | undefined): void {
    if (delivery && session.events.hasListeners)
      session.events.publish('webhook', stringifyJson(showDelivery(show(delivery))));
  }

  function show(delivery: Delivery): Delivery {
    const text = (value: string | undefined) => (value === undefined ? undefined : redactText(value));
    return { ...delivery, url: text(delivery.url), body: text(delivery.body), reason: text(delivery.reason) };
  }

  /** @returns resolves after the first attempt; retries continue */
  async function deliver(
    session: Session,
    { outgoing: operation, signature, headers }: Addressed,
    to: { readonly url: string } | { readonly missing: string },
    because: string,
    body: EncodedBody | undefined,
  ): Promise<number> {
    const outbox = outboxOf(session);
    const url = 'url' in to ? to.url : undefined;
    const chained = nextHop();
    const withheld = 'missing' in to ? to.missing : withheldBecause(to.url, outbox, callbackHosts);
    const circular = withheld === undefined && url !== undefined ? await circle(url, chained) : undefined;
    const dropped = circular ?? (waiting >= MOST_WAITING ? DROPPED : undefined);
    const refused = withheld ?? dropped;
    if (withheld === undefined && dropped !== undefined) noticeOnce(operation, url ?? '', dropped);
    const sent = {
      ...headers,
      ...(body && { 'content-type': body.type }),
      'user-agent': 'paddock',
      ...('headers' in chained && chained.headers),
    };
    const bytes = Uint8Array.from(body?.bytes ?? []);
    // Pages without TLS have no randomUUID.
    const id = `msg_${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
    const withId = signature.length > 0 && secret ? { ...sent, 'webhook-id': id } : sent;
    const delivery = outbox.add({
      operation: operation.id,
      name: operation.name,
      kind: operation.kind,
      because,
      at: time(),
      method: operation.method,
      url,
      headers: withId,
      body: body && new TextDecoder().decode(bytes),
      attempts: [],
      reason: refused,
      state: refused === undefined ? 'waiting' : 'withheld',
    });
    publish(session, delivery);
    if (refused !== undefined || url === undefined) return delivery.number;

    const round = outbox.round;
    const isOver = () => outbox.ended.aborted || outbox.round !== round;
    const attempts: Attempted[] = [];
    const attempt = () => inTurn(attemptNow);
    const attemptNow = async (): Promise<Attempted> => {
      const at = time();
      if (isOver()) return { at, ms: 0, status: undefined, reason: undefined, again: false };
      const fields = signature.length > 0 && secret ? await signMessage(secret, id, at, bytes) : undefined;
      const signed: Record<string, string> = { ...sent, ...fields };
      for (const name of fields ? signature : []) signed[name] ??= fields?.['webhook-signature'] ?? '';
      const hasBody = body !== undefined && operation.method !== 'GET' && operation.method !== 'HEAD';
      const request: OutgoingRequest = {
        url,
        method: operation.method,
        headers: signed,
        body: hasBody ? bytes : undefined,
      };
      const dispatched = dispatch(request);
      const attempted = dispatched
        ? await attemptOnce(dispatched, time, outbox.ended)
        : { at, ms: 0, status: undefined, reason: 'it is kept back', again: false };
      attempts.push(attempted);
      if (isOver()) return attempted;
      const mayFollow = attempted.again === true && attempts.length <= PAUSES.length;
      const update = outbox.update(delivery.number, {
        headers: signed,
        attempts: attempts.map(({ again: _, ...view }) => view),
        state: attempted.again === undefined ? 'delivered' : mayFollow ? 'waiting' : 'failed',
        reason: attempted.reason,
      });
      publish(session, update);
      if (attempted.status === GONE) outbox.gone.add(url);
      return attempted;
    };
    waiting++;
    const end = () => {
      waiting--;
    };
    const first = await attempt().catch((error) => {
      end();
      throw error;
    });
    if (first.again) void retry(attempt, isOver).catch(onBug).finally(end);
    else end();
    return delivery.number;
  }

  return { deliver, show };
}

const GONE = 410;

/** Limits concurrent tasks; the others wait in order. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Exponential back-off, until it is received or attempts run out. */
async function retry(attempt: () => Promise<Attempted>, isOver: () => boolean): Promise<void> {
  for (const pause of PAUSES) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      // Waiting must not keep the process alive; in browsers timers are numbers.
      if (typeof timer === 'object') timer.unref();
    });
    if (isOver()) return;
    const { again } = await attempt();
    if (!again) return;
  }
}

/** Why nothing may be sent to a URL. Undefined: it may. */
export function withheldBecause(
  url: string,
  { gone }: Pick<Outbox, 'gone'>,
  hosts: readonly string[],
): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return `"${url}" is no absolute URL`;
  if (!/^https?:$/.test(parsed.protocol)) return `${parsed.protocol} is neither http: nor https:`;
  if (gone.has(url)) return 'its receiver has answered 410: it wants nothing more';
  const { hostname, port, pathname, protocol } = parsed;
  // A client must not use the mock to reach a control API that it may not use itself.
  if (pathname.includes(`${CONTROL_PATH}/`)) return 'the control API of a mock takes no callbacks';
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  if (isLoopback(hostname) || hosts.includes(hostname) || hosts.includes(host)) return undefined;
  return `${hostname} is not this machine: --allow-host ${hostname} lets the mock send there`;
}
