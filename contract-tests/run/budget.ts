import { ancestorsOf, type Contract, type Operation, pathParameters, type Resource } from '#spec';
import { type CasePlace, creatorOf, isShared, resourceOf } from '../laws/operation-role.ts';
import type { Settings } from '../settings/settings.ts';
import type { Ledger } from './ledger.ts';
import { NoRoom, noRoomBelow } from './not-reached.ts';
import { type Permissions, spentBy } from './permissions.ts';

/** What the budget needs to know of a case. */
export interface Spender {
  readonly operation: Operation;
  readonly status: number;
  readonly unsafe: boolean;
  readonly creates?: number;
  readonly createsAbove?: boolean;
  readonly elastic?: boolean;
  readonly requests?: number;
}

/** The records that a case, or shared work, may still create: lasting ones, and ones below records of others. */
interface Allowance {
  left: number;
  below: number;
}

/** The records that requests in flight may create, and the callers that wait for them. */
interface UnderWay {
  lasting: number;
  below: number;
  readonly waiting: (() => void)[];
}

/**
 * The limits of records that a run may leave behind, or create below records of others. They are divided before the run,
 * so that the share of a case depends neither on time nor on other cases.
 */
export interface Budget {
  /** The maximum number of records that may remain in all. */
  readonly most: number;
  /** The part that is reserved for reproducing findings. */
  readonly toConfirm: number;
  /** The share of a case; shared work creates one record. */
  allowanceOf(place: CasePlace): Allowance;
  /** The maximum number of remaining records for which the document has no delete. */
  readonly records: number;
  /** The maximum number of records of one kind that remain although they should have been removed: others need room, too. */
  readonly mostOfKind: number;
  /** The maximum number of records that are created below records of others. */
  readonly below: number;
  /** The maximum number of requests of a case; no more are sent. */
  requestsOf(one: Spender): number;
  /** Whether another request may be sent. */
  takeRequest(): boolean;
  /** Whether the service has an operation that removes the run's records. */
  isRemovable(resource: Resource): boolean;
  /** Whether its records are below those of others. */
  isBelowOthers(resource: Resource): boolean;
  readonly underWay: UnderWay;
}

/** Reserved for a request that should be rejected: if it is accepted, its record counts only afterwards. */
const KEPT_BACK = 1;

/** The default without an option. A disposable target may keep whatever the cases need. */
const DEFAULT_MOST = 60;
/** For sequences and races of each resource, in addition to what the other cases need. */
const ELASTIC = 16;
/** A factor for disposable targets: invalid records that a faulty service accepts must not end the run at once. */
const UNASKED = 10;
/** For reproducing findings of each resource; a quarter of the total at most. */
const TO_CONFIRM = 24;
const SHARE_TO_CONFIRM = 1 / 4;

const SHARE_OF_KIND = 1 / 4;

/** The limit below records of others, whatever the options are. */
const MOST_BELOW = 10;

/** The limit for an operation that is called once: a valid request, and one that must be rejected. */
const OF_ONCE = 2;

/** The limit for a case that states none; most cases send two or three. Repeated reads count as well. */
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
    contract.resources.flatMap((resource): [Resource, Operation][] => {
      const creator = creatorOf(resource);
      return creator && !permissions.of(creator) ? [[resource, creator]] : [];
    }),
  );
  const isBelowOthers = (resource: Resource) => {
    const creator = creators.get(resource);
    const [parent] = creator
      ? pathParameters(creator.path)
          .filter((name) => name !== resource.id?.parameter)
          .slice(-1)
      : [];
    if (!creator || parent === undefined || permissions.isAllowed(creator)) return false;
    return !permissions.canOwn(creator, parent);
  };
  const lasting = poolOf([...creators.keys()].filter((key) => !isRemovable(key)));
  const below = poolOf([...creators.keys()].filter(isBelowOthers));
  const once =
    OF_ONCE *
    contract.operations.filter((operation) => permissions.isSentOnce(operation) && !permissions.of(operation))
      .length;

  function poolOf(resources: readonly Resource[]) {
    const demands = cases.map((one) => demandOf(contract, one, resources));
    const spent = contract.operations.filter((operation) => {
      const { owner } = spentBy(contract, permissions, operation) ?? {};
      return owner && resources.includes(owner) && !permissions.of(operation);
    });
    return { resources, demands, kept: resources.length + spent.length + KEPT_BACK };
  }

  const ofLasting = lasting.resources.length;
  const needed = once + lasting.kept + sum(lasting.demands.filter((_, order) => !cases[order]?.elastic));
  const usual = (needed + ofLasting * (ELASTIC + TO_CONFIRM)) * UNASKED;
  const most = maxCreates ?? Math.max(DEFAULT_MOST, disposable ? usual : 0);
  const requestsOf = ({ requests }: Spender) => requests ?? ORDINARY_REQUESTS;
  let requests = cases.length === 0 ? Number.POSITIVE_INFINITY : sum(cases.map(requestsOf));
  // The reserve must not take records from cases that would fit.
  const spare = most < needed ? most : most - needed;
  const toConfirm = Math.min(ofLasting * TO_CONFIRM, Math.floor(most * SHARE_TO_CONFIRM), spare);
  // A repeated create, as after a 503, may have created two records.
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
    isBelowOthers: (resource) => below.resources.includes(resource),
    allowanceOf(place) {
      if (isShared(place)) return { left: 1, below: 1 };
      const [order = 0] = place;
      // A case that runs alone, before any others, has all of it.
      if (cases.length === 0) return { left: most, below: MOST_BELOW };
      return { left: shares[order] ?? 0, below: sharesBelow[order] ?? 0 };
    },
  };
}

/** The number of records that a case needs: none if it must be rejected, or if its records can be removed. */
function demandOf(contract: Contract, one: Spender, lasting: readonly Resource[]): number {
  const resource = resourceOf(contract, one.operation);
  const above = one.createsAbove ? ancestorsOf(contract.resources, one.operation.path) : [];
  const made = [...(resource ? [resource] : []), ...above.map(({ parent }) => parent)];
  if (lasting.length === 0 || (resource && !made.some((each) => lasting.includes(each)))) return 0;
  return one.creates ?? (one.unsafe && one.status < 400 ? 1 : 0);
}

/**
 * Divides the budget. Each case gets what it needs, if there is enough. Otherwise operations get equal shares, in which
 * earlier cases come first; elastic cases, which show less with fewer requests but nothing false, share the rest.
 */
function shareOut(cases: readonly Spender[], demands: readonly number[], most: number): number[] {
  const shares = demands.map(() => 0);
  const give = (orders: readonly number[], room: number): number => {
    const wants = (order: number) => (demands[order] ?? 0) - (shares[order] ?? 0);
    let left = room;
    const groups = [...Map.groupBy(orders, (order) => cases[order]?.operation).values()];
    // In each round every operation gets one record, for its first case that needs one.
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
  // Small demands first: with less than they need they show nothing.
  elastic.sort((one, other) => (demands[one] ?? 0) - (demands[other] ?? 0));
  give(elastic, left);
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

interface Spending {
  readonly plan: { readonly budget: Budget };
  readonly log: {
    readonly ledger: Pick<Ledger, 'lasting' | 'fateOf'> & { readonly below: readonly unknown[] };
  };
}

/** The budget of a case, a part of it, or shared work, for records that remain or are below those of others. */
export class Room {
  readonly #run: Spending;
  readonly #allowance: Allowance;

  constructor(run: Spending, allowance: Allowance) {
    this.#run = run;
    this.#allowance = allowance;
  }

  /**
   * Reserves room for records, once requests in flight leave any.
   * @param refused the request must be rejected: it costs nothing
   * @returns call it after the request: whether it created a record
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
    let mayLast = lasts;
    for (;;) {
      const { gone, staying } = ledger.fateOf(creator?.id ?? '');
      // A kind of which every record was removed so far leaves nothing, however many there are of others.
      const isTrusted = gone > 0 && staying === 0;
      if (creator && staying >= budget.mostOfKind) throw new NoRoom(budget.most);
      if (ledger.lasting >= budget.most && !isTrusted) throw new NoRoom(budget.most);
      if (isBelow > 0 && ledger.below.length >= budget.below) throw noRoomBelow(budget.below);
      // After one record could not be removed, or may still exist, others may remain as well.
      if (creator && staying > 0) mayLast = count;
      const isFree = isTrusted || ledger.lasting + here.lasting + mayLast <= budget.most;
      if (isFree && (isBelow === 0 || ledger.below.length + here.below + isBelow <= budget.below)) break;
      if (here.lasting + here.below === 0) throw isFree ? noRoomBelow(budget.below) : new NoRoom(budget.most);
      await new Promise<void>((resolve) => here.waiting.push(resolve));
    }
    // An operation that is called once has its own limit.
    const charged = !refused && resource !== undefined;
    if (charged && allowance.left < lasts) throw new NoRoom(budget.most);
    if (charged && allowance.below < isBelow) throw noRoomBelow(budget.below);
    const spend = (sign: number) => {
      here.lasting += sign * mayLast;
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
   * The room of a part of the case; `end` returns what is left.
   * @param most undefined: parts share the room of the case
   */
  part(most: number | undefined): { readonly room: Room; readonly end: () => void } {
    const whole = this.#allowance;
    if (most === undefined) return { room: new Room(this.#run, whole), end: () => undefined };
    const allowance = { left: Math.min(most, whole.left), below: Math.min(most, whole.below) };
    whole.left -= allowance.left;
    whole.below -= allowance.below;
    const end = () => {
      whole.left += allowance.left;
      whole.below += allowance.below;
    };
    return { room: new Room(this.#run, allowance), end };
  }
}
