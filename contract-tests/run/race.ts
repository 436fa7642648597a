import type { Operation } from '#spec';
import type { Exchange } from '../send/exchange.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { FateUnknown } from '../send/unreachable.ts';
import type { Trial } from './trial.ts';

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
export async function race(trial: Trial, requests: readonly RaceRequest[]): Promise<Raced[]> {
  const raced = await trial.client.alone(() =>
    Promise.allSettled(requests.map((request, index) => sendOne(trial, request, index))),
  );
  return raced.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

async function sendOne(trial: Trial, { operation, input }: RaceRequest, index: number): Promise<Raced> {
  const began = performance.now();
  try {
    const exchange = await trial.sendAmongOthers(operation, input, index);
    return { operation, input, began, ended: performance.now(), exchange };
  } catch (error) {
    if (!(error instanceof FateUnknown)) throw error;
    return { operation, input, began, ended: Number.POSITIVE_INFINITY, exchange: undefined };
  }
}
