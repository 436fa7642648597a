import {
  type Contract,
  fillTemplate,
  foldedName,
  isCaused,
  isJsonType,
  isRecord,
  isSignature,
  type Operation,
  type OutgoingOperation,
  once,
  ownEntry,
  parseJson,
  type Resource,
  saysEvent,
  spokenOf,
  tryJson,
} from '#spec';
import { originOf, type ResponseContent } from '../http/exchange.ts';
import type { Task } from '../records/actions/action.ts';
import type { RecordCollection } from '../records/collection.ts';
import type { Role } from '../records/roles.ts';
import type { SeedValues } from '../records/seed/values.ts';
import type { Delivery } from '../sessions/outbox.ts';
import type { Session } from '../sessions/session.ts';
import { recordsWhere } from '../store/port.ts';
import type { RecordEvent } from '../store/record-events.ts';
import {
  type Addressed,
  createDelivery,
  type DeliveryContext,
  outboxOf,
  withheldBecause,
} from './delivery.ts';
import { compilePayload, encodeGiven, type Fact } from './payload.ts';
import {
  compileRegistered,
  compileStored,
  type FindRecipients,
  type Recipient,
  recordKey,
} from './recipients.ts';

export interface WebhooksContext extends DeliveryContext {
  readonly contract: Contract;
  readonly seeds: SeedValues;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly roles: ReadonlyMap<Operation, Role>;
  readonly sessionOf: (name: string) => Session;
}

/** What a mock sends on its own: the callbacks of its operations, and webhooks. */
export interface Webhooks {
  /** Called after an operation. Undefined: the operation has no callbacks. */
  performed(operation: Operation): ((task: Task, response: ResponseContent) => void) | undefined;
  /** Begins to send what changes of the session's records trigger. */
  watch(session: Session): void;
  readonly outgoing: readonly OutgoingOperation[];
  /** Sends one by hand. Resolves when each receiver was tried once, or with the reason why nothing is sent. */
  send(session: Session, outgoing: OutgoingOperation, content: ByHand): Promise<readonly Delivery[] | string>;
  /** Redacts credentials. */
  show(delivery: Delivery): Delivery;
}

/** The user's input for a webhook that is sent by hand. */
export interface ByHand {
  /** Undefined: to all registered receivers. */
  readonly url?: string;
  /** Undefined: made from the document. */
  readonly body?: unknown;
}

/** A callback or webhook, ready to send. */
interface Sendable extends Addressed {
  readonly payload: ReturnType<typeof compilePayload>;
  /** The changes of records that trigger it. */
  readonly spoken: ReturnType<typeof spokenOf>;
  /** Whether it is about its own operation's records. */
  readonly isOwn: boolean;
  /** Finds records with receivers' URLs. */
  readonly find: FindRecipients | undefined;
}

export function createWebhooks(context: WebhooksContext): Webhooks {
  const { contract, collections, roles, seeds, time, sessionOf, onBug } = context;
  const { deliver, show } = createDelivery(context);
  const { outgoing } = contract;
  // A document may have hundreds, most of which a run never uses.
  const sendables = once(() => outgoing.map(compileSendable));
  const aboutRecords = once(() => sendables().filter(({ spoken }) => spoken !== undefined));

  function compileSendable(operation: OutgoingOperation): Sendable {
    const role = operation.owner && roles.get(operation.owner);
    const spoken = spokenOf(operation, contract.resources);
    return {
      outgoing: operation,
      payload: compilePayload(operation, seeds),
      spoken,
      isOwn: spoken !== undefined && role?.collection.resource === spoken.resource,
      find:
        operation.kind === 'webhook'
          ? compileRegistered(operation, collections)
          : compileStored(operation, role),
      signature: signatureHeaders(operation),
      headers: documentedHeaders(operation, seeds),
    };
  }

  /** All registered receivers. */
  async function recipientsOf(session: Session, sendable: Sendable): Promise<readonly Recipient[]> {
    const outbox = outboxOf(session);
    if (!sendable.find)
      return outbox.subscriptions().filter(({ operation }) => operation === sendable.outgoing.id);
    const stored = await sendable.find(session);
    // The URLs of seeded records are made up: they are skipped without a notice.
    return stored.filter(
      ({ record, url }) =>
        (record && outbox.made.has(recordKey(record))) ||
        withheldBecause(url, outbox, context.callbackHosts) === undefined,
    );
  }

  async function tellRecipients(
    session: Session,
    sendable: Sendable,
    because: string,
    fact: Fact,
    isMeant: (recipient: Recipient) => boolean,
  ): Promise<void> {
    const encoded = sendable.payload(fact, `${sendable.outgoing.id} ${because}`);
    const meant = (await recipientsOf(session, sendable)).filter(isMeant);
    await Promise.all(meant.map(({ url }) => deliver(session, sendable, { url }, because, encoded)));
  }

  function happened(session: Session, event: RecordEvent): void {
    const { kind, collection, id, text } = event;
    const outbox = outboxOf(session);
    const record = { collection: collection.name, id };
    if (kind === 'created') outbox.made.add(recordKey(record));
    for (const sendable of event.isLearned ? [] : aboutRecords()) {
      const { spoken, isOwn, outgoing: about } = sendable;
      if (!spoken?.kinds.has(kind) || collections.get(spoken.resource)?.name !== collection.name) continue;
      if (spoken.becomes !== undefined && !becameSo(event, spoken.becomes)) continue;
      // The operation itself sends it.
      if (isOwn && kind === 'created' && about.kind === 'callback') continue;
      const fact: Fact = { record: parseJson(text), resource: spoken.resource, change: kind, now: time() };
      const isMeant = ({ record: owner }: Recipient) =>
        !isOwn || (owner !== undefined && recordKey(owner) === recordKey(record));
      const because = `${collection.name} ${String(id)} was ${kind}`;
      void tellRecipients(session, sendable, because, fact, isMeant).catch(onBug);
    }
    if (kind === 'removed') {
      outbox.made.delete(recordKey(record));
      outbox.unsubscribe(
        (subscription) =>
          subscription.record !== undefined && recordKey(subscription.record) === recordKey(record),
      );
    }
  }

  function performedBy(operation: Operation): ReturnType<Webhooks['performed']> {
    if (!outgoing.some(({ owner }) => owner === operation)) return undefined;
    const role = roles.get(operation);
    const callbacks = once(() => sendables().filter(({ outgoing: { owner } }) => owner === operation));
    return (task, response) => {
      if (response.status < 200 || response.status >= 300) return;
      const session = sessionOf(task.session);
      const exchange = exchangeOf(task, response);
      const { body } = exchange.response;
      const requestBody = exchange.request.body;
      const idName = role?.collection.resource.id?.property;
      const id = isRecord(body) && idName !== undefined ? ownEntry(body, idName) : undefined;
      const record = role && id !== undefined ? { collection: role.collection.name, id } : undefined;
      for (const callback of callbacks()) {
        const { url, id: name } = callback.outgoing;
        if (!url) continue;
        const filled = fillTemplate(url, exchange);
        const to =
          'text' in filled ? { url: filled.text } : { missing: `the request has no ${filled.missing}` };
        if ('url' in to) outboxOf(session).subscribe({ operation: name, url: to.url, record });
        // It is about other records, and sent when these change.
        if (callback.spoken && !(callback.isOwn && callback.spoken.kinds.has('created'))) continue;
        const becomes = callback.spoken?.becomes;
        if (becomes !== undefined && !takes(body ?? requestBody, becomes)) continue;
        const resource = callback.isOwn ? callback.spoken?.resource : undefined;
        const fact: Fact = {
          record: body ?? requestBody,
          requestBody,
          resource,
          change: 'created',
          now: time(),
        };
        const encoded = callback.payload(fact, `${name} ${String(id ?? '')}`);
        void deliver(session, callback, to, operation.id, encoded).catch(onBug);
      }
    };
  }

  return {
    outgoing,
    performed: performedBy,
    show,
    watch(session) {
      const stop = session.recordEvents.subscribe({ happened: (event) => happened(session, event) });
      outboxOf(session).stops.push(stop);
    },
    async send(session, wanted, content) {
      const sendable = sendables().find(({ outgoing: about }) => about === wanted) as Sendable;
      const outbox = outboxOf(session);
      const because = 'by hand';
      const record =
        sendable.spoken && (await firstRecord(session, collections.get(sendable.spoken.resource)));
      const fact: Fact = { record, resource: sendable.spoken?.resource, change: undefined, now: time() };
      const body = 'body' in content ? encodeGiven(wanted, content.body) : undefined;
      const encoded = body ?? sendable.payload(fact, because);
      const recipients =
        content.url === undefined ? await recipientsOf(session, sendable) : [{ url: content.url }];
      const urls = new Set(recipients.map(({ url }) => url));
      const numbers = await Promise.all(
        [...urls].map((url) => deliver(session, sendable, { url }, because, encoded)),
      );
      if (numbers.length === 0)
        return 'no client has given a URL for it: send {"url": "http://127.0.0.1:PORT/"}';
      return outbox.deliveries().filter(({ number }) => numbers.includes(number));
    },
  };
}

/** Whether a change, or creation, has set a member to the value. */
function becameSo({ text, before }: RecordEvent, wanted: string): boolean {
  return takes(parseJson(text), wanted, before === undefined ? undefined : parseJson(before));
}

function takes(now: unknown, wanted: string, earlier?: unknown): boolean {
  const has = (record: unknown, name: string) =>
    isRecord(record) && typeof record[name] === 'string' && foldedName(record[name]) === wanted;
  return isRecord(now) && Object.keys(now).some((name) => has(now, name) && !has(earlier, name));
}

async function firstRecord({ store }: Session, collection: RecordCollection | undefined): Promise<unknown> {
  if (!collection) return undefined;
  const [first] = await recordsWhere(store, collection, [], 1);
  return first;
}

/** The request and its response, for runtime expressions. */
function exchangeOf({ values, request }: Task, { headers = {}, body, type }: ResponseContent) {
  const { path, query } = request;
  const asked = Object.fromEntries(new URLSearchParams(query));
  const isJson = typeof body === 'string' && type !== undefined && isJsonType(type);
  return {
    url: `${originOf(request)}${request.prefix ?? ''}${path}${query && `?${query}`}`,
    method: request.method,
    request: {
      headers: request.headers,
      query: { ...asked, ...values.parameters.query },
      path: values.parameters.path,
      body: values.body,
    },
    response: {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: isJson ? tryJson(body) : undefined,
    },
  };
}

/** The documented signature headers, in lower case. */
function signatureHeaders({ parameters }: OutgoingOperation): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'header' && isSignature(parameter.name))
    .map(({ name }) => name.toLowerCase());
}

/** Headers of the signature (Standard Webhooks 1.0.0), or that the sender sets. */
const OWN: ReadonlySet<string> = new Set(['webhook-id', 'webhook-timestamp', 'host', 'user-agent']);

/** Values for the other documented headers. */
function documentedHeaders(
  operation: OutgoingOperation,
  seeds: SeedValues,
): Readonly<Record<string, string>> {
  const headers = operation.parameters.flatMap(({ in: place, name, shape, required }) => {
    const lowerName = name.toLowerCase();
    if (place !== 'header' || isSignature(name) || isCaused(lowerName) || OWN.has(lowerName)) return [];
    const isEvent = saysEvent(name);
    const value =
      isEvent && !shape.values
        ? operation.name
        : required || shape.values || shape.ownExamples.length > 0
          ? seeds.called(name, shape, 'request', false, operation.id, name)
          : undefined;
    return value === undefined || typeof value === 'object' ? [] : [[name.toLowerCase(), String(value)]];
  });
  return Object.fromEntries(headers);
}
