import { isEqual, isRecord, type Place, placeOf, type Resource, stringifyJson } from '#spec';
import { CREATED, type Data } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import type { Breach } from './law.ts';
import { isSameText } from './same-value.ts';
import { mergePatch } from './sent-members.ts';

/** A request on one record, or its result. */
export type RecordOperation =
  | {
      readonly kind: 'create' | 'replace' | 'update';
      readonly body: Data;
      readonly status?: number | undefined;
      /** The body of an update is a merge patch. */
      readonly isMerge?: boolean;
    }
  | { readonly kind: 'remove' }
  /** Undefined: not found. */
  | { readonly kind: 'read'; readonly shows: Data | undefined };

/** A request as a client saw it: it took effect at one moment between two. */
export interface RecordCall {
  readonly operation: RecordOperation;
  readonly began: number;
  /** Infinity: the outcome is unknown; it took effect at any moment after it began, or never. */
  readonly ended: number;
}

/** The effect of concurrent requests on one record. */
export interface RecordHistory {
  /** The compared members of the record before the writes; undefined: it did not exist. */
  readonly initial: Data | undefined;
  /** Changes that were acknowledged, or whose outcome is unknown. */
  readonly writes: readonly RecordCall[];
  /** Reads during the writes. Replicas lag: they may show any state that some of the writes led to. */
  readonly early: readonly RecordCall[];
  /** The read after the time to settle. */
  readonly settled: RecordCall;
}

/** Null: no record. An absent member may have any value: no request set it. */
type State = Data | null;

/**
 * The state of a record after a request; undefined: it cannot have this result in this state. Documents promise:
 * - PUT replaces its state by the one sent (RFC 9110 §9.3.4). It may create a missing record and must then return 201; any
 * other success says that the record existed.
 * - PATCH applies its changes atomically, and may create a record, too (RFC 5789 §2); in a merge patch, members that are
 * not sent stay (RFC 7396 §2).
 * - After DELETE there is no record (RFC 9110 §9.3.5); removing a missing one is allowed (§9.2.2, idempotent).
 * - GET shows the current state (RFC 9110 §9.3.1).
 */
function apply(state: State, operation: RecordOperation): State | undefined {
  switch (operation.kind) {
    case 'create':
      return state === null ? operation.body : undefined;
    case 'replace':
      return state || mayCreate(operation) ? operation.body : undefined;
    case 'update':
      if (!state && !mayCreate(operation)) return undefined;
      return operation.isMerge ? mergePatch(state, operation.body) : { ...state, ...operation.body };
    case 'remove':
      return null;
    case 'read':
      return isShown(state, operation.shows) ? state : undefined;
  }
}

function mayCreate({ status }: { readonly status?: number | undefined }): boolean {
  return status === CREATED || status === undefined;
}

function isShown(state: State, shows: Data | undefined): boolean {
  if (!state || !shows) return !state && !shows;
  return Object.entries(state).every(
    ([name, value]) =>
      value === undefined || value === null || isEqual(shows[name], value) || isSameText(shows[name], value),
  );
}

/** Whether some order of the writes explains the final read, and some subset of them each earlier read. */
export function judgeHistory(
  { initial, writes, early, settled }: RecordHistory,
  members: readonly string[],
  at: Place,
): Breach[] {
  const state = initial ? only(initial, members) : null;
  const followed = writes.map((call) => ({ ...call, operation: follow(call.operation, members) }));
  const breach = (read: RecordCall, order: string): Breach[] => [
    {
      law: 'linearizable',
      received: `${tellRead(read, members)} ${writes.length > 0 ? `after ${writes.map(tellWrite).join(', ')} at once` : 'after requests at once that change it not'}`,
      documented: `a state that ${order} of these requests leaves of ${tell(initial, members)} (RFC 9110 §9.3)`,
      at,
    },
  ];
  for (const read of early) {
    // Not found: the record may not have reached the replica yet.
    if (read.operation.kind !== 'read' || read.operation.shows === undefined) continue;
    const possible = followed
      .filter(({ began }) => began <= read.ended)
      .map((call) => ({ ...call, began: Number.NEGATIVE_INFINITY, ended: Number.POSITIVE_INFINITY }));
    const whenever = { ...read, began: Number.NEGATIVE_INFINITY };
    if (!isLinearizable([...possible, whenever], state)) return breach(read, 'some order of some');
  }
  return isLinearizable([...followed, settled], state) ? [] : breach(settled, 'some order');
}

function follow(operation: RecordOperation, members: readonly string[]): RecordOperation {
  return 'body' in operation ? { ...operation, body: only(operation.body, members) } : operation;
}

function only(data: Data, members: readonly string[]): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => members.includes(name)));
}

const METHODS = { create: 'POST', replace: 'PUT', update: 'PATCH', remove: 'DELETE', read: 'GET' } as const;

function tellWrite({ operation, ended }: RecordCall): string {
  const body = 'body' in operation ? ` ${shorten(operation.body)}` : '';
  return `${METHODS[operation.kind]}${body}${Number.isFinite(ended) ? '' : ' (fate unknown)'}`;
}

function tellRead({ operation }: RecordCall, members: readonly string[]): string {
  return operation.kind === 'read' && isRecord(operation.shows)
    ? tell(operation.shows, members)
    : 'no record';
}

function tell(data: Data | undefined, members: readonly string[]): string {
  if (!data) return 'no record';
  return members.length > 0 ? shorten(only(data, members)) : 'a record';
}

/** The number of calls that fit into a bit set in one number. */
const MOST_CALLS = 30;

/**
 * Whether some order of the calls explains all their results: one in which no call precedes another that ended before it
 * began. This is the search of Wing and Gong (1993), with the memoisation of Lowe (2017): each set of finished calls with
 * its resulting state is tried once.
 */
export function isLinearizable(calls: readonly RecordCall[], initial: State): boolean {
  if (calls.length > MOST_CALLS) throw new RangeError(`more than ${MOST_CALLS} calls in one history`);
  const bits = calls.map((call, index) => ({ ...call, bit: 1 << index }));
  const mustBeDone = bits.filter(({ ended }) => Number.isFinite(ended));
  const tried = new Set<string>();

  function search(done: number, state: State): boolean {
    const pending = mustBeDone.filter(({ bit }) => (done & bit) === 0);
    if (pending.length === 0) return true;
    const key = `${done} ${stringifyJson(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const firstEnd = Math.min(...pending.map(({ ended }) => ended));
    return bits.some(({ bit, began, operation }) => {
      if ((done & bit) !== 0 || began > firstEnd) return false;
      const next = apply(state, operation);
      return next !== undefined && search(done | bit, next);
    });
  }

  return search(0, initial);
}

/** Records that are created concurrently exist at the same time, so that no id may be assigned twice. */
export function judgeIds({ id: identity }: Resource, ids: readonly unknown[]): Breach[] {
  const texts = ids.map(String);
  const twice = texts.find((id, index) => texts.indexOf(id) !== index);
  if (!identity || twice === undefined) return [];
  const received = `${identity.property} ${twice} for two of ${ids.length} that were created at once`;
  const documented = 'another id for each record';
  return [{ law: 'distinct-ids', received, documented, at: placeOf(identity.shape.spot) }];
}
