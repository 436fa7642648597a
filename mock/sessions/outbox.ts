/** One request of a callback or a webhook, as far as it has come. */
export interface Delivery {
  /** Counted from 1 within the session. */
  readonly number: number;
  /** The id of the callback or the webhook. */
  readonly operation: string;
  readonly name: string;
  readonly kind: 'callback' | 'webhook';
  /** What made the mock send it, in words: `createPet`, `/pets 3 was created`, `by hand`. */
  readonly because: string;
  /** When it was made: milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Undefined: the request lacks what the URL is made from. */
  readonly url: string | undefined;
  /** By name, as sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: it has none. */
  readonly body: string | undefined;
  /** `withheld`: it is sent nowhere. */
  readonly state: 'waiting' | 'delivered' | 'failed' | 'withheld';
  /** Why it was withheld, or has failed, in words. */
  readonly reason: string | undefined;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  /** Undefined: there was no response. */
  readonly status: number | undefined;
  /** Why it does not count as received, in words. */
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

/** A URL that a client has given, where no stored record has it. */
export interface Subscription {
  readonly operation: string;
  readonly url: string;
  readonly record: { readonly collection: string; readonly id: unknown } | undefined;
}

/** What a session sends to its clients. Not in the store: another process has not sent it, and tries nothing again. */
export interface Outbox {
  deliveries(): readonly Delivery[];
  add(delivery: Omit<Delivery, 'number'>): Delivery;
  /** Undefined: it is gone, as the session was reset. */
  update(number: number, change: Partial<Delivery>): Delivery | undefined;
  subscriptions(): readonly Subscription[];
  subscribe(subscription: Subscription): void;
  unsubscribe(isOver: (subscription: Subscription) => boolean): void;
  /** Records that clients have made, and no seed: `/hooks 3`. */
  readonly made: Set<string>;
  /** URLs whose receivers want nothing more (410). */
  readonly gone: Set<string>;
  /** Aborted when nothing is to be sent any more. */
  readonly ended: AbortSignal;
  /** What ends those who listen to the records of the session: each of several documents does. */
  readonly stops: (() => void)[];
  stop(): void;
  /** Whether the session was reset since the outbox had this number. */
  readonly round: number;
  forget(): void;
  /** Forgets everything: the session is reset. */
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
      subscriptions = [...subscriptions.filter((one) => !isSame(one)), next].slice(-MOST_SUBSCRIPTIONS);
    },
    unsubscribe(isOver) {
      if (subscriptions.some(isOver)) subscriptions = subscriptions.filter((one) => !isOver(one));
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
