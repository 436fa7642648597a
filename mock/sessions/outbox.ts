/** A request of a callback or webhook, with its progress. */
export interface Delivery {
  /** Counted from 1 within the session. */
  readonly number: number;
  /** The id of the callback or webhook. */
  readonly operation: string;
  readonly name: string;
  readonly kind: 'callback' | 'webhook';
  /** The cause, in words: `createPet`, `/pets 3 was created`, `by hand`. */
  readonly because: string;
  /** The time of the event: milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Undefined: values that the URL needs are missing. */
  readonly url: string | undefined;
  /** By name, as sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: it has no body. */
  readonly body: string | undefined;
  /** `withheld`: it is not sent. */
  readonly state: 'waiting' | 'delivered' | 'failed' | 'withheld';
  /** Why it was withheld or has failed, in words. */
  readonly reason: string | undefined;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  /** Undefined: there was no response. */
  readonly status: number | undefined;
  /** Why the delivery failed, in words. */
  readonly reason: string | undefined;
}

export interface DeliveryView extends Omit<Delivery, 'at' | 'attempts'> {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly attempts: readonly AttemptView[];
}

type AttemptView = Omit<Delivery['attempts'][number], 'at'> & { readonly at: string };

export function showDelivery({ at, attempts, ...delivery }: Delivery): DeliveryView {
  const date = (moment: number) => new Date(moment).toISOString();
  return {
    ...delivery,
    at: date(at),
    attempts: attempts.map((attempt) => ({ ...attempt, at: date(attempt.at) })),
  };
}

/** A URL from a client that no stored record has. */
export interface Subscription {
  readonly operation: string;
  readonly url: string;
  readonly record: { readonly collection: string; readonly id: unknown } | undefined;
}

/** What a session sends to its clients. Not in the store: another process would not retry it. */
export interface Outbox {
  deliveries(): readonly Delivery[];
  add(delivery: Omit<Delivery, 'number'>): Delivery;
  /** Undefined: it was removed when the session was reset. */
  update(number: number, change: Partial<Delivery>): Delivery | undefined;
  subscriptions(): readonly Subscription[];
  subscribe(subscription: Subscription): void;
  unsubscribe(isOver: (subscription: Subscription) => boolean): void;
  /** Records that clients, not seeds, have created: `/hooks 3`. */
  readonly made: Set<string>;
  /** URLs whose receivers want no more messages (410). */
  readonly gone: Set<string>;
  /** Aborted when nothing may be sent any more. */
  readonly ended: AbortSignal;
  /** Stops the listeners for the session's records; with several documents, each adds one. */
  readonly stops: (() => void)[];
  stop(): void;
  /** Changes when the session is reset. */
  readonly round: number;
  forget(): void;
  /** Forgets everything, for a reset of the session. */
  clear(): void;
  close(): void;
}

const MOST_DELIVERIES = 200;
const MOST_SUBSCRIPTIONS = 1000;

export function createOutbox(): Outbox {
  let deliveries: Delivery[] = [];
  let subscriptions: Subscription[] = [];
  let number = 0;
  let round = 0;
  const made = new Set<string>();
  const gone = new Set<string>();
  const stops: Outbox['stops'] = [];
  const ending = new AbortController();
  const outbox: Outbox = {
    deliveries: () => deliveries,
    add(content) {
      const delivery = { ...content, number: ++number };
      deliveries = [...deliveries, delivery].slice(-MOST_DELIVERIES);
      return delivery;
    },
    update(wanted, change) {
      const index = deliveries.findIndex((one) => one.number === wanted);
      const delivery = deliveries[index];
      if (!delivery) return undefined;
      const updated = { ...delivery, ...change };
      deliveries = deliveries.with(index, updated);
      return updated;
    },
    subscriptions: () => subscriptions,
    subscribe(next) {
      const isSame = ({ operation, url }: Subscription) => operation === next.operation && url === next.url;
      subscriptions = [...subscriptions.filter((subscription) => !isSame(subscription)), next].slice(
        -MOST_SUBSCRIPTIONS,
      );
    },
    unsubscribe(isOver) {
      if (subscriptions.some(isOver))
        subscriptions = subscriptions.filter((subscription) => !isOver(subscription));
    },
    made,
    gone,
    ended: ending.signal,
    stops,
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
    get round() {
      return round;
    },
    forget() {
      deliveries = [];
    },
    clear() {
      round += 1;
      number = 0;
      deliveries = [];
      subscriptions = [];
      made.clear();
      gone.clear();
    },
    close() {
      outbox.stop();
      ending.abort();
    },
  };
  return outbox;
}
