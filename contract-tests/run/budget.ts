import { ancestorsOf, type Contract, type Operation, pathParameters, type Resource } from '#spec';
import { type CasePlace, creatorOf, isShared, resourceOf } from '../laws/operation-role.ts';
import type { Settings } from '../settings/settings.ts';
import type { Ledger } from './ledger.ts';
import { NoRoom, noRoomBelow } from './not-reached.ts';
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

/** What a case, or work that cases share, may still make of what stays, and of what is made below records of others. */
interface Allowance {
  left: number;
  below: number;
}

/** What requests that are under way may make, and what waits for them. */
interface UnderWay {
  lasting: number;
  below: number;
  readonly waiting: (() => void)[];
}

/**
 * The records that a run may leave behind, or make below records of others. It is shared out before the run, so that what a case
 * may make depends neither on time nor on what other cases do.
 */
export interface Budget {
  /** So many records may be left, in all. */
  readonly most: number;
  /** How many of them are kept for the tries to reproduce what was found. */
  readonly toConfirm: number;
  /** How many a case may make; work that several cases share makes one record. */
  allowanceOf(place: CasePlace): Allowance;
  /** So many are left at most, of which no operation of the document takes any away. */
  readonly records: number;
  /** So many of one kind are left at most that were to be removed and were not: others need room, too. */
  readonly mostOfKind: number;
  /** So many are made at most below records of others. */
  readonly below: number;
  /** So many requests a case sends at most; what is more is not sent. */
  requestsOf(one: Spender): number;
  /** Whether another request may be sent. */
  takeRequest(): boolean;
  /** The service has an operation by which the run takes its records away again. */
  isRemovable(resource: Resource): boolean;
  /** Its records stand below those of others. */
  isBelowOthers(resource: Resource): boolean;
  readonly underWay: UnderWay;
}

/** Kept for a request that must be refused and is not: that none is left is known by then. */
const KEPT_BACK = 1;

/** Where the user says nothing. What may be broken may hold whatever the cases need. */
const DEFAULT_MOST = 60;
/** For sequences and races of each resource, beside what the other cases need. */
const ELASTIC = 16;
/** What a faulty service takes that may be broken is not to end the run at once. */
const UNASKED = 10;
/** For the tries to reproduce what was found, of each resource; of all a quarter at most. */
const TO_CONFIRM = 24;
const SHARE_TO_CONFIRM = 1 / 4;

const SHARE_OF_KIND = 1 / 4;

/** Below records of others, whatever the user says. */
const MOST_BELOW = 10;

/** Of what is sent once: a valid request, and one that must be refused. */
const OF_ONCE = 2;

/** Of a case that says nothing else; most send two or three. What repeats a read until it settles counts as well. */
const ORDINARY_REQUESTS = 40;

export function createBudget(
  contract: Contract,
  permissions: Permissions,
  { maxCreates, disposable }: Pick<Settings, 'maxCreates' | 'disposable'>,
  cases: readonly Spender[],
): Budget {
  const isRemovable = ({ id, actions: { remove } }: Resource) =>
    id?.parameter !== undefined && remove !== undefined && permissions.of(remove) === undefined;
  const creators = new Map(
    contract.resources.flatMap((one): [Resource, Operation][] => {
      const creator = creatorOf(one);
      return creator && !permissions.of(creator) ? [[one, creator]] : [];
    }),
  );
  const isBelowOthers = (one: Resource) => {
    const creator = creators.get(one);
    const [parent] = creator
      ? pathParameters(creator.path)
          .filter((name) => name !== one.id?.parameter)
          .slice(-1)
      : [];
    if (!creator || parent === undefined || permissions.isAllowed(creator)) return false;
    return !permissions.canOwn(creator, parent);
  };
  const lasting = poolOf([...creators.keys()].filter((one) => !isRemovable(one)));
  const below = poolOf([...creators.keys()].filter(isBelowOthers));
  const once =
    OF_ONCE * contract.operations.filter((one) => permissions.isSentOnce(one) && !permissions.of(one)).length;

  function poolOf(resources: readonly Resource[]) {
    const demands = cases.map((one) => demandOf(contract, one, resources));
    const spent = contract.operations.filter((one) => {
      const { owner } = spentBy(contract, permissions, one) ?? {};
      return owner && resources.includes(owner) && !permissions.of(one);
    });
    return { resources, demands, kept: resources.length + spent.length + KEPT_BACK };
  }

  const ofLasting = lasting.resources.length;
  const needed = once + lasting.kept + sum(lasting.demands.filter((_, order) => !cases[order]?.elastic));
  const usual = (needed + ofLasting * (ELASTIC + TO_CONFIRM)) * UNASKED;
  const most = maxCreates ?? Math.max(DEFAULT_MOST, disposable ? usual : 0);
  const requestsOf = ({ requests }: Spender) => requests ?? ORDINARY_REQUESTS;
  let requests = cases.length === 0 ? Number.POSITIVE_INFINITY : sum(cases.map(requestsOf));
  // No case that there would be room for goes without it.
  const spare = most < needed ? most : most - needed;
  const toConfirm = Math.min(ofLasting * TO_CONFIRM, Math.floor(most * SHARE_TO_CONFIRM), spare);
  // A create that is sent again, as after a 503, may have made two records.
  const times = disposable && maxCreates === undefined ? UNASKED : 1;
  const wanted = lasting.demands.map((demand, order) => (cases[order]?.elastic ? demand : demand * times));
  const shares = shareOut(cases, wanted, Math.max(0, most - once - lasting.kept - toConfirm));
  const sharesBelow = shareOut(cases, below.demands, Math.max(0, MOST_BELOW - below.kept));
  return {
    most,
    records: ofLasting > 0 ? most : Math.min(most, once),
    mostOfKind: creators.size > 1 ? Math.ceil(most * SHARE_OF_KIND) : most,
    below: below.resources.length > 0 ? MOST_BELOW : 0,
    toConfirm,
    requestsOf,
    takeRequest() {
      requests -= 1;
      return requests >= 0;
    },
    isRemovable,
    underWay: { lasting: 0, below: 0, waiting: [] },
    isBelowOthers: (one) => below.resources.includes(one),
    allowanceOf(place) {
      if (isShared(place)) return { left: 1, below: 1 };
      const [order = 0] = place;
      // A case that runs by itself, before there are any others, has all of it.
      if (cases.length === 0) return { left: most, below: MOST_BELOW };
      return { left: shares[order] ?? 0, below: sharesBelow[order] ?? 0 };
    },
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
  readonly plan: { readonly budget: Budget };
  readonly log: {
    readonly ledger: Pick<Ledger, 'lasting' | 'fateOf'> & { readonly below: readonly unknown[] };
  };
}

/** The room that one case has for records that stay, or stand below those of others, or a part of it, or work that cases share. */
export class Room {
  readonly #run: Spending;
  readonly #allowance: Allowance;

  constructor(run: Spending, allowance: Allowance) {
    this.#run = run;
    this.#allowance = allowance;
  }

  /**
   * Takes room for so many records, once what is under way leaves any.
   * @param refused the request must be refused: it costs nothing
   * @returns to be called when the request is over: whether it has made one
   * @throws NoRoom
   */
  async take(
    resource: Resource | undefined,
    { count = 1, refused = false } = {},
  ): Promise<(made: boolean) => void> {
    const { budget } = this.#run.plan;
    const { ledger } = this.#run.log;
    const here = budget.underWay;
    const allowance = this.#allowance;
    const lasts = Number(resource === undefined || !budget.isRemovable(resource)) * count;
    const isBelow = Number(resource !== undefined && budget.isBelowOthers(resource)) * count;
    const creator = resource && lasts === 0 ? creatorOf(resource) : undefined;
    for (;;) {
      const { gone, staying } = ledger.fateOf(creator?.id ?? '');
      // What was always taken away again leaves nothing, whatever other records do.
      const isTrusted = gone > 0 && staying === 0;
      if (creator && staying >= budget.mostOfKind) throw new NoRoom(budget.most);
      if (ledger.lasting >= budget.most && !isTrusted) throw new NoRoom(budget.most);
      if (isBelow > 0 && ledger.below.length >= budget.below) throw noRoomBelow(budget.below);
      const isFree = isTrusted || ledger.lasting + here.lasting + lasts <= budget.most;
      if (isFree && (isBelow === 0 || ledger.below.length + here.below + isBelow <= budget.below)) break;
      if (here.lasting + here.below === 0) throw isFree ? noRoomBelow(budget.below) : new NoRoom(budget.most);
      await new Promise<void>((resolve) => here.waiting.push(resolve));
    }
    // What is sent once has its own bound.
    const charged = !refused && resource !== undefined;
    if (charged && allowance.left < lasts) throw new NoRoom(budget.most);
    if (charged && allowance.below < isBelow) throw noRoomBelow(budget.below);
    const spend = (sign: number) => {
      here.lasting += sign * lasts;
      here.below += sign * isBelow;
    };
    spend(1);
    if (charged) {
      allowance.left -= lasts;
      allowance.below -= isBelow;
    }
    return (made) => {
      spend(-1);
      if (charged && !made) {
        allowance.left += lasts;
        allowance.below += isBelow;
      }
      for (const wake of here.waiting.splice(0)) wake();
    };
  }

  /**
   * The room of a part of the case; `end` gives back what it has left.
   * @param most undefined: parts share what the case has
   */
  part(most: number | undefined): { readonly room: Room; readonly end: () => void } {
    const whole = this.#allowance;
    if (most === undefined) return { room: new Room(this.#run, whole), end: () => undefined };
    const own = { left: Math.min(most, whole.left), below: Math.min(most, whole.below) };
    whole.left -= own.left;
    whole.below -= own.below;
    const end = () => {
      whole.left += own.left;
      whole.below += own.below;
    };
    return { room: new Room(this.#run, own), end };
  }
}
