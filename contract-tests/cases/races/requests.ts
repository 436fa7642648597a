import { bodyMedia, type Operation } from '#spec';
import { isReferring } from '../../arrange/body.ts';
import { isValidBody } from '../../arrange/record-members.ts';
import { ordinaryBody } from '../../arrange/target.ts';
import { markMember } from '../../laws/mark.ts';
import { successStatuses } from '../../laws/operation-role.ts';
import type { Trial } from '../../run/trial.ts';
import type { RequestInput } from '../../send/plan-request.ts';
import type { Exchange } from '../../send/response.ts';
import { FateUnknown } from '../../send/wire.ts';
import type { Sent } from '../script.ts';
import { otherValue } from '../varied-body.ts';

type Data = Readonly<Record<string, unknown>>;

/** A body that differs from those of other writers in as many members as possible: a mix of two is seen. */
export async function distinctBody(trial: Trial, operation: Operation, writer: number): Promise<Data> {
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  const shape = bodyMedia(operation.body)?.shape;
  const changed = Object.entries(body).map(([name, value]) => {
    const member = shape?.properties.get(name);
    const isKept =
      writer === 0 || !shape || !member || name === markMember(shape) || isReferring(name, member);
    return [name, isKept ? value : (otherValue(member, value, writer) ?? value)];
  });
  const varied: Data = Object.fromEntries(changed);
  return isValidBody(trial, operation, varied) ? varied : body;
}

/** Others are at work on the same record: any refusal is as right as the success. */
export function expectSuccess(operation: Operation): Pick<RequestInput, 'expected'> {
  const [status, ...more] = successStatuses(operation);
  return status === undefined || more.length > 0 ? {} : { expected: { status, or4xx: true } };
}

/** Sends requests at once, and takes note of them. */
export function sendAtOnce(trial: Trial, requests: readonly RaceRequest[], sent: Sent): Promise<Raced[]> {
  sent.push([...requests]);
  return race(trial, requests);
}

/** One of several requests that are sent at once. */
export interface RaceRequest {
  readonly operation: Operation;
  readonly input: RequestInput;
}

/** It was carried out, if at all, between two moments on the clock of `performance.now()`. */
export interface Raced extends RaceRequest {
  readonly began: number;
  /** Infinity: the request broke off, and it may be carried out at any later time. */
  readonly ended: number;
  readonly exchange: Exchange | undefined;
}

/**
 * Sends requests at once, each over a connection of its own, while no other case sends anything: they are to come
 * together, and what they do to the target is to disturb nobody.
 * @throws what stood in the way of a request, when all are over
 */
async function race(trial: Trial, requests: readonly RaceRequest[]): Promise<Raced[]> {
  const raced = await trial.client.alone(() =>
    Promise.allSettled(requests.map((request) => sendOne(trial, request))),
  );
  return raced.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

async function sendOne(trial: Trial, { operation, input }: RaceRequest): Promise<Raced> {
  const began = performance.now();
  try {
    const exchange = await trial.sendAmongOthers(operation, input);
    return { operation, input, began, ended: performance.now(), exchange };
  } catch (error) {
    if (!(error instanceof FateUnknown)) throw error;
    return { operation, input, began, ended: Number.POSITIVE_INFINITY, exchange: undefined };
  }
}
