import { ancestorsOf, type Contract, type Operation, type Resource } from '#spec';
import { creatorOf, resourceOf } from '../laws/operation-role.ts';
import { type CasePlace, isShared } from '../laws/own-record.ts';
import type { Settings } from '../settings/settings.ts';
import { NoRoom } from './not-reached.ts';
import { type Permissions, spentBy } from './permissions.ts';

/** What a case says of the requests that it sends. */
export interface Spender {
  readonly operation: Operation;
  readonly status: number;
  readonly unsafe: boolean;
  readonly creates?: number;
  readonly createsAbove?: boolean;
  readonly elastic?: boolean;
  readonly requests?: number;
}

/** What a case, or work that cases share, may still make of what cannot be removed. */
interface Allowance {
  left: number;
}

/**
 * The records that a run may leave behind. Only what the service cannot remove costs anything. It is shared out before the
 * run, so that what a case may make depends neither on time nor on what other cases do.
 */
export interface Budget {
  /** So many records may be left, in all. */
  readonly most: number;
  /** How many of them are kept for the tries to reproduce what was found. */
  readonly toConfirm: number;
  /** How many a case may make; work that several cases share makes one record. */
  allowanceOf(place: CasePlace): number;
  /** Whether so many records have been left that no more may be made, whatever is shared out. */
  isFull(lasting: number): boolean;
  /** So many are left at most by all cases together. */
  readonly records: number;
  /** So many requests a case sends at most; what is more is not sent. */
  requestsOf(one: Spender): number;
  /** Whether another request may be sent. */
  takeRequest(): boolean;
  /** The service has an operation by which the run takes its records away again. */
  isRemovable(resource: Resource): boolean;
}

/** Kept for a request that must be refused and is not: that none is left is known by then. */
const KEPT_BACK = 1;

/** Where the user says nothing. What is on the user's own machine may hold whatever the cases need. */
const DEFAULT_MOST = 60;
/** For sequences and races of each resource, beside what the other cases need. */
const ELASTIC = 16;
/** For the tries to reproduce what was found, of each resource; of all a quarter at most. */
const TO_CONFIRM = 24;
const SHARE_TO_CONFIRM = 1 / 4;

/** What a faulty service on this machine has taken, or may have taken, is not to end the run at once. */
const UNASKED = 10;

/** Of a case that says nothing else; most send two or three. What repeats a read until it settles counts as well. */
const ORDINARY_REQUESTS = 40;

export function createBudget(
  contract: Contract,
  permissions: Permissions,
  { maxCreates, onLoopback }: Pick<Settings, 'maxCreates' | 'onLoopback'>,
  cases: readonly Spender[],
): Budget {
  const isRemovable = ({ id, actions: { remove } }: Resource) =>
    id?.parameter !== undefined && remove !== undefined && permissions.of(remove) === undefined;
  const lasting = contract.resources.filter((one) => {
    const creator = creatorOf(one);
    return creator !== undefined && !permissions.of(creator) && !isRemovable(one);
  });
  const demands = cases.map((one) => demandOf(contract, one, lasting));
  const spent = contract.operations.filter((one) => {
    const { owner } = spentBy(contract, permissions, one) ?? {};
    return owner && lasting.includes(owner) && !permissions.of(one);
  });
  const shared = lasting.length + spent.length;
  const kept = shared + KEPT_BACK;
  const needed = kept + sum(demands.filter((_, order) => !cases[order]?.elastic));
  const usual = needed + lasting.length * (ELASTIC + TO_CONFIRM);
  const most = maxCreates ?? (onLoopback ? Math.max(DEFAULT_MOST, usual) : DEFAULT_MOST);
  const bound = maxCreates === undefined && onLoopback ? most * UNASKED : most;
  const requestsOf = ({ requests }: Spender) => requests ?? ORDINARY_REQUESTS;
  let requests = cases.length === 0 ? Number.POSITIVE_INFINITY : sum(cases.map(requestsOf));
  // No case that there would be room for goes without it.
  const spare = most < needed ? most : most - needed;
  const toConfirm = Math.min(lasting.length * TO_CONFIRM, Math.floor(most * SHARE_TO_CONFIRM), spare);
  const shares = shareOut(cases, demands, Math.max(0, most - kept - toConfirm));
  return {
    most,
    records: Math.min(most, sum(shares) + shared + toConfirm),
    toConfirm,
    isFull: (left) => left >= bound,
    requestsOf,
    takeRequest() {
      requests -= 1;
      return requests >= 0;
    },
    isRemovable,
    // A case that runs by itself, before there are any others, has all of it.
    allowanceOf: (place) =>
      isShared(place) ? 1 : (shares[place[0] ?? 0] ?? (cases.length === 0 ? most : 0)),
  };
}

/** A case that must be refused makes nothing, and one on records that can be removed leaves nothing. */
function demandOf(contract: Contract, one: Spender, lasting: readonly Resource[]): number {
  const resource = resourceOf(contract, one.operation);
  const above = one.createsAbove ? ancestorsOf(contract.resources, one.operation.path) : [];
  const made = [...(resource ? [resource] : []), ...above.map(({ parent }) => parent)];
  if (lasting.length === 0 || (resource && !made.some((each) => lasting.includes(each)))) return 0;
  return one.creates ?? (one.unsafe && one.status < 400 ? 1 : 0);
}

/**
 * Each case gets what it needs, where there is enough. Else the operations get equal shares, in which the first cases come
 * first; elastic cases, of which fewer requests show less and nothing wrong, share what the others leave.
 */
function shareOut(cases: readonly Spender[], demands: readonly number[], most: number): number[] {
  const shares = demands.map(() => 0);
  const give = (orders: readonly number[], room: number): number => {
    const wants = (order: number) => (demands[order] ?? 0) - (shares[order] ?? 0);
    let left = room;
    const groups = [...Map.groupBy(orders, (order) => cases[order]?.operation).values()];
    // Round by round one record for each operation, to its first case that lacks one.
    for (let isGiven = true; isGiven && left > 0; ) {
      isGiven = false;
      for (const group of groups) {
        const order = left > 0 ? group.find((one) => wants(one) > 0) : undefined;
        if (order === undefined) continue;
        shares[order] = (shares[order] ?? 0) + 1;
        left -= 1;
        isGiven = true;
      }
    }
    return left;
  };
  const orders = cases.map((_, order) => order).filter((order) => (demands[order] ?? 0) > 0);
  const left = give(
    orders.filter((order) => !cases[order]?.elastic),
    most,
  );
  const elastic = orders.filter((order) => cases[order]?.elastic);
  // What needs little shows nothing with less.
  elastic.sort((one, other) => (demands[one] ?? 0) - (demands[other] ?? 0));
  give(elastic, left);
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

interface Spending {
  readonly budget: Budget;
  readonly ledger: { readonly lasting: number };
}

/** The room that one case has for records that the service cannot remove, or a part of it, or work that cases share. */
export class Room {
  readonly #run: Spending;
  readonly #allowance: Allowance;

  constructor(run: Spending, left: number | Allowance) {
    this.#run = run;
    this.#allowance = typeof left === 'number' ? { left } : left;
  }

  /**
   * Takes room for so many records.
   * @param refused the request must be refused: it costs nothing
   * @returns gives it back, where none was made
   * @throws NoRoom
   */
  take(resource: Resource, { count = 1, refused = false } = {}): () => void {
    const { budget, ledger } = this.#run;
    const allowance = this.#allowance;
    if (budget.isFull(ledger.lasting)) throw new NoRoom(budget.most);
    if (refused || budget.isRemovable(resource)) return () => undefined;
    if (allowance.left < count) throw new NoRoom(budget.most);
    allowance.left -= count;
    return () => {
      allowance.left += count;
    };
  }

  /**
   * The room of a part of the case; `end` gives back what it has left.
   * @param most undefined: parts share what the case has
   */
  part(most: number | undefined): { readonly room: Room; readonly end: () => void } {
    const whole = this.#allowance;
    if (most === undefined) return { room: new Room(this.#run, whole), end: () => undefined };
    const own = { left: Math.min(most, whole.left) };
    whole.left -= own.left;
    const end = () => {
      whole.left += own.left;
    };
    return { room: new Room(this.#run, own), end };
  }
}
