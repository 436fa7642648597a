import {
  type Contract,
  deliveryTimeOf,
  type ExpressionSource,
  explicitStatuses,
  isRecord,
  mayNotCome,
  type Operation,
  type OutgoingOperation,
  type SpokenOf,
  spokenOf,
  stringifyJson,
  withValueAt,
} from '#spec';
import { ordinaryInput } from '../arrange/requests.ts';
import { tryCreate } from '../arrange/target.ts';
import { judgeCallback, judgeDelay, judgeMoment, LENIENCY } from '../laws/callback.ts';
import { parentsOf, roleOf, successStatuses } from '../laws/operation-role.ts';
import { NotProvoked, NotReached } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Mailbox, ReceivedCallback } from '../send/receiver.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/**
 * Callbacks that the run subscribes to, each answered once with each documented status: only where the run supplies the
 * URL, so that the service's reaction affects nobody else.
 */
export const callbacks: Family = (contract) =>
  contract.outgoing.flatMap((outgoing) => {
    const { owner, name } = outgoing;
    const source = settable(outgoing);
    const [success] = owner ? successStatuses(owner) : [];
    if (!owner || !source || success === undefined) return [];
    const spoken = spokenOf(outgoing, contract.resources);
    return explicitStatuses(outgoing.responses).map((status): Case => {
      const title = `the callback ${name} is as documented, and may be answered with ${status}`;
      const subject = { contract, outgoing, owner, source, spoken, status, success };
      const [cell, slug] = [{ operation: owner, status: success }, `callback-${slugOf(name)}-${status}`];
      const more = { creates: 3, requests: 12, callback: { operation: outgoing, status } };
      return makeCase(cell, slug, title, (trial) => drive(trial, subject), more);
    });
  });

interface Subject {
  readonly contract: Contract;
  readonly outgoing: OutgoingOperation;
  readonly owner: Operation;
  readonly source: Settable;
  readonly spoken: SpokenOf | undefined;
  /** The run's response to the callback. */
  readonly status: number;
  readonly success: number;
}

type Settable = Exclude<ExpressionSource, { readonly from: 'url' | 'method' | 'path' }>;

/** The part of the request that contains the URL; undefined: none. */
function settable({ url }: OutgoingOperation): Settable | undefined {
  const [first] = url?.parts ?? [];
  if (!first || typeof first === 'string' || !('of' in first.source)) return undefined;
  const { source } = first;
  return source.of === 'request' && source.from !== 'path' ? (source as Settable) : undefined;
}

async function drive(trial: Trial, subject: Subject): Promise<void> {
  const { contract, outgoing, owner, spoken, status } = subject;
  const mailbox = await trial.session.mailbox(status);
  const exchange = await subscribe(trial, subject, mailbox);
  if (!isSuccess(exchange.response)) return;
  const role = roleOf(contract, owner);
  const isOwn = spoken !== undefined && role?.resource === spoken.resource;
  const caused =
    spoken && !isOwn
      ? (await causeChange(trial, spoken)) && spoken.becomes === undefined && asksForAll(exchange, subject)
      : spoken?.becomes === undefined;
  const answered = performance.now();
  const ofOwner = contract.outgoing.filter((operation) => operation.owner === owner);
  const namesake = (name: string) =>
    ofOwner.filter(
      (operation) => operation.name === name && (name !== outgoing.name || operation.path === outgoing.path),
    );
  const judge = (name: string, callback: ReceivedCallback) =>
    judgeCallback(namesake(name), callback, exchange, mailbox.url, contract.validators);
  // Several callbacks may share a URL: one with the documented form of another is that one.
  const others = new Set(ofOwner.map(({ name }) => name).filter((name) => name !== outgoing.name));
  const isMeant = (callback: ReceivedCallback) =>
    judge(outgoing.name, callback).length === 0 ||
    ![...others].some((name) => judge(name, callback).length === 0);
  const promise = deliveryTimeOf(outgoing);
  const patience = promise ? Math.min(promise.within + LENIENCY, LONGEST_WAIT) : 0;
  const patient = Math.max(trial.plan.settings.settle, patience);
  await mailbox.wait(patient, isMeant, trial.session.ended);
  const waited = trial.session.ended.aborted ? 0 : patient;
  const deliveries = mailbox.received.filter(isMeant);
  const [first] = deliveries;
  if (!first) {
    const isDue = caused && others.size === 0 && !mayNotCome(outgoing);
    const late = isDue ? judgeDelay(outgoing, undefined, waited) : [];
    trial.found(late, exchange);
    if (late.length === 0) leaveOpen(trial, outgoing, patient);
    return;
  }
  const breaches = [
    ...deliveries.flatMap((callback) => judge(outgoing.name, callback)),
    ...(caused ? judgeDelay(outgoing, first.at - answered, waited) : []),
    ...judgeMoment(outgoing, first, exchange, answered),
  ];
  trial.found(breaches, exchange);
  if (breaches.length === 0) trial.reach(`${outgoing.id}/${status}`);
}

/** In milliseconds, even if a callback is promised later; `--settle` may be longer. */
const LONGEST_WAIT = 60_000;

function leaveOpen(trial: Trial, outgoing: OutgoingOperation, waited: number): void {
  const within = deliveryTimeOf(outgoing)?.within;
  const what =
    within === undefined
      ? 'when it is sent is not specified'
      : within + LENIENCY > waited
        ? `it is promised within ${within} ms: --settle ${within + LENIENCY} waits for it`
        : 'whether it was to be sent is not specified';
  trial.leaveOpen(`the callback ${outgoing.name} did not come within ${waited} ms; ${what}`, {
    question: `when the callback ${outgoing.name} is sent`,
    answer: 'it did not come',
  });
}

/** Whether the request restricts the reported changes in no way. */
function asksForAll({ input, request }: Exchange, { source }: Subject): boolean {
  const isAlone = (names: Iterable<string>, wanted: string | undefined) =>
    [...names].every((name) => name === wanted);
  const { body } = input;
  const inQuery = source.from === 'query' ? source.name : undefined;
  const inBody = source.from === 'body' ? source.pointer[0] : undefined;
  return (
    isAlone(request.url.searchParams.keys(), inQuery) &&
    (!isRecord(body) || isAlone(Object.keys(body), inBody))
  );
}

/** Sends the request with the URL of the mailbox. */
async function subscribe(
  trial: Trial,
  { contract, owner, source, success, status }: Subject,
  { url }: Mailbox,
): Promise<Exchange> {
  const role = roleOf(contract, owner);
  const subscription = {
    ...(source.from === 'query' && { query: { [source.name]: url } }),
    ...(source.from === 'header' && { headers: [[source.name, url]] as const }),
  };
  const change = (body: unknown) =>
    source.from === 'body' ? withValueAt(body, source.pointer, () => url) : body;
  if (role?.action === 'create') {
    const creation = await tryCreate(trial, role.resource, { ...subscription, change, expect: 'success' });
    demandUrl(creation, url);
    // A service may drop subscribers with such responses.
    if (status >= 300 && creation.id !== undefined)
      trial.session.model.forget(role.resource, creation.id, parentsOf(role.resource, creation.input.path));
    return creation;
  }
  const input = await ordinaryInput(trial, owner);
  const body = change(input.body);
  const judged = await trial.send(owner, { ...input, ...subscription, body, expected: { status: success } });
  demandUrl(judged, url);
  return judged;
}

/** Checks that the URL was sent: a schema may forbid it, for example by requiring https. */
function demandUrl({ request, input }: Exchange, url: string): void {
  const sent = [
    request.url.search,
    ...request.headers.map(([, value]) => value),
    stringifyJson(input.body ?? null),
  ];
  if (!sent.some((text) => text.includes(url) || text.includes(encodeURIComponent(url))))
    throw new NotProvoked(`the document allows no URL such as ${url} where the callback takes it from`);
}

/**
 * Triggers the event of the callback, with a record of the run.
 * @returns whether it did
 */
async function causeChange(trial: Trial, { resource, kinds }: SpokenOf): Promise<boolean> {
  const { create, update, replace, remove } = resource.actions;
  if (kinds.has('created') && create) {
    return isSuccess((await tryCreate(trial, resource, { expect: 'success or 4xx' })).response);
  }
  const operation = kinds.has('changed') ? (update ?? replace) : kinds.has('removed') ? remove : undefined;
  const refusal = operation && trial.plan.permissions.of(operation);
  if (!operation || refusal)
    throw new NotReached(`nothing that the run may do makes the service send it`, 'unprovoked');
  const { response } = await trial.send(operation, await ordinaryInput(trial, operation));
  // A change to the same values may not count as one.
  return isSuccess(response) && operation === remove;
}
