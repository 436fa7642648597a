import { isRecord, type Resource } from '#spec';
import { type Evidence, recordOf } from '../../contract-tests/laws/evidence.ts';
import { keyOf } from '../../contract-tests/laws/known-records.ts';
import {
  type KnownRecords,
  type OwnRecord,
  parentsOf,
  type Role,
} from '../../contract-tests/laws/operation-role.ts';
import {
  createRecordModel,
  type RecordModel,
  type RequestView,
} from '../../contract-tests/laws/record-model.ts';
import type { RequestInput } from '../../contract-tests/send/plan-request.ts';
import { isSuccess } from '../../contract-tests/send/response.ts';

/** A request to one site, in terms of records. */
interface WatchedRequest {
  /** The sender; undefined: nothing can be concluded about records, as sender or time is unknown. */
  readonly principal: string | undefined;
  readonly startedAt: number | undefined;
  /** Whether it requests the record or list without modification. */
  readonly plain: boolean;
  readonly role: Role | undefined;
  readonly input: RequestInput;
  readonly unsafe: boolean;
}

/** A write with an unknown effect. */
export const UNKNOWN_WRITE = {
  principal: undefined,
  plain: false,
  role: undefined,
  input: {},
  unsafe: true,
} as const;

/** What a response may be compared with. */
export interface Watching {
  /** The records that the same client created, and that no other request changed since this one began. */
  readonly records: KnownRecords;
  /** Those of them that changed so long ago that no replica lags behind; with the previous list. */
  readonly settled: KnownRecords;
  /** The last list of the resource, if nothing was written since it was requested. */
  readonly listed: () => readonly Evidence[];
  /** That list, if no replica lagged behind when it was requested. */
  readonly settledList: () => readonly Evidence[];
  /** Whether nothing was written for so long that no replica lags behind. */
  readonly isQuiet: () => boolean;
  /** Whether this request allows conclusions from several exchanges. */
  readonly mayJudge: () => boolean;
  /** Takes in a judged exchange. */
  observe(evidence: Evidence, settled: boolean): void;
  /**
   * Called last, with or without a response.
   * @param judged false: the effect of the exchange was not taken in
   */
  end(status: number | undefined, endedAt: number | undefined, judged: boolean): void;
}

/** What the traffic to one site shows of records. Everything that another request may have changed is forgotten. */
export interface WatchedRecords {
  begin(request: WatchedRequest): Watching;
}

/** Records may expire: older observations, in milliseconds, are forgotten. */
const KEPT = 60_000;
/** The maximum number of known records. */
const MOST_RECORDS = 1000;
/** The maximum length of a list that is kept for comparison with a read. */
const MOST_LISTED = 200;

interface Keeper {
  readonly principal: string;
  /** When a response last showed it. */
  readonly shownAt: number;
  /** When it was last changed. */
  readonly writtenAt: number;
}

interface LastList {
  readonly evidence: Evidence;
  readonly principal: string;
  readonly startedAt: number;
  readonly writes: number;
  readonly isSettled: boolean;
}

/** @param settle milliseconds for which a replica may lag behind */
export function watchRecords(settle: number): WatchedRecords {
  let model: RecordModel = createRecordModel(MOST_RECORDS);
  /** Incremented when everything is forgotten. */
  let generation = 0;
  const keepers = new Map<string, Keeper>();
  const lists = new Map<Resource, LastList>();
  /** The number of unsafe requests, those in flight, and when the last one ended. */
  let writes = 0;
  const underWay = new Set<WatchedRequest>();
  let lastWrite = Number.NEGATIVE_INFINITY;
  /** Unsafe requests in flight with an unknown effect: actions, writes with options, or to an alias. */
  let wild = 0;

  function forgetAll(): void {
    model = createRecordModel(MOST_RECORDS);
    keepers.clear();
    lists.clear();
    generation += 1;
  }

  function keep(key: string, keeper: Keeper): void {
    keepers.delete(key);
    keepers.set(key, keeper);
    if (keepers.size <= MOST_RECORDS) return;
    const [oldest] = keepers.keys();
    if (oldest !== undefined) keepers.delete(oldest);
  }

  /** The records that belong to the client, are recent, and have not changed for so many milliseconds. */
  function limited(view: RequestView, request: WatchedRequest, rest: number): KnownRecords {
    const { principal, startedAt } = request;
    const isKnown = (record: OwnRecord) => {
      const { resource, id, parents } = record;
      const keeper = keepers.get(keyOf(resource, id, parents));
      return (
        keeper !== undefined &&
        startedAt !== undefined &&
        keeper.principal === principal &&
        startedAt - keeper.shownAt <= KEPT &&
        startedAt - keeper.writtenAt >= rest &&
        // It may have been carried out already.
        ![...underWay].some((other) => other !== request && mayTouch(other, record))
      );
    };
    return {
      get records() {
        return keepers.size === 0 ? [] : view.records.filter(isKnown);
      },
      recordsOf(resource, may) {
        return keepers.size === 0 ? [] : Iterator.from(view.recordsOf(resource, may)).filter(isKnown);
      },
      find(resource, id, parents) {
        const record = keepers.size === 0 ? undefined : view.find(resource, id, parents);
        return record && isKnown(record) ? record : undefined;
      },
      createsOf: () => undefined,
      wasRefused: () => false,
      hasShown: view.hasShown,
      isOfOthers: view.isOfOthers,
      idsOf: view.idsOf,
    };
  }

  function lastListOf({ role, principal, startedAt, plain }: WatchedRequest): LastList | undefined {
    const list = role?.action === 'read' && plain ? lists.get(role.resource) : undefined;
    const isFresh = list && startedAt !== undefined && startedAt - list.startedAt <= KEPT;
    return isFresh && list.principal === principal && list.writes === writes && underWay.size === 0
      ? list
      : undefined;
  }

  /** A write may change what it names, and what refers to its record. */
  function forgetRelated(request: WatchedRequest): void {
    for (const record of model.records.filter((ownRecord) => mayTouch(request, ownRecord)))
      model.forget(record.resource, record.id, record.parents);
  }

  /** A text that no response has shown as an id may be an alias: `me`, or `07` for 7. */
  function namesUnknown({ resource, action }: Role, { path }: RequestInput): boolean {
    const id = path?.[resource.id?.parameter ?? ''];
    return (
      action !== 'create' &&
      keepers.size > 0 &&
      !model.idsOf(resource, parentsOf(resource, path)).has(String(id))
    );
  }

  return {
    begin(request) {
      const { role, input, unsafe, principal, startedAt, plain } = request;
      const isWild = unsafe && (!role || !plain || namesUnknown(role, input));
      // Without the body: texts of others prove nothing.
      const view = model.begin(isWild ? undefined : role, { path: input.path ?? {} });
      const last = unsafe ? undefined : lastListOf(request);
      const began = { generation, writes: unsafe ? writes + 1 : writes };
      const wasQuiet = underWay.size === 0 && (startedAt ?? 0) - lastWrite >= settle;
      if (unsafe) {
        writes += 1;
        underWay.add(request);
      }
      if (isWild) wild += 1;
      const isSame = () => began.generation === generation;
      const isKnownClient = principal !== undefined && startedAt !== undefined && plain;

      function takeIn(evidence: Evidence, settled: boolean): void {
        const { response } = evidence;
        if (!isSame() || isWild || !role) return;
        if (!isKnownClient || evidence.exchange.input.refused) {
          if (unsafe && isSuccess(response)) forgetNamed(evidence, role);
        } else observeKnown(evidence, settled, role);
        const endedAt = (startedAt ?? 0) + response.ms;
        if (unsafe && !isRefusal(response.status)) {
          forgetRelated(request);
          // It will be carried out at an unknown time; and a removed record may exist again.
          forgetUnsure(evidence, role);
        }
        if (isKnownClient) noteKeeper(evidence, role, principal, endedAt);
        if (role.action === 'list' && isKnownClient && evidence.page)
          noteList({ ...evidence, earlier: [] }, evidence.page.records.length, role, settled);
      }

      function observeKnown(evidence: Evidence, settled: boolean, { resource, action }: Role): void {
        const parents = parentsOf(resource, input.path);
        const id = action === 'create' ? recordOf(evidence)?.[resource.id?.property ?? ''] : undefined;
        // It is unknown whether the record was created before or after a change with the same id.
        const isUnsure = id !== undefined && !view.isAtRest(keyOf(resource, id, parents));
        model.observe(evidence, settled);
        if (isUnsure) model.forget(resource, id, parents);
      }

      function forgetNamed({ exchange }: Evidence, { resource }: Role): void {
        const id = exchange.input.path?.[resource.id?.parameter ?? ''];
        model.forget(resource, id, parentsOf(resource, exchange.input.path));
      }

      function forgetUnsure(evidence: Evidence, role: Role): void {
        const { resource, action } = role;
        const parents = parentsOf(resource, evidence.exchange.input.path);
        const id = idOf(evidence, role);
        const isBack = action !== 'remove' && view.find(resource, id, parents)?.removed === true;
        if (evidence.response.status === ACCEPTED || isBack) model.forget(resource, id, parents);
      }

      function noteKeeper(evidence: Evidence, role: Role, by: string, endedAt: number): void {
        const { resource, action } = role;
        if (action === 'list' || !isSuccess(evidence.response)) return;
        const parents = parentsOf(resource, evidence.exchange.input.path);
        const key = keyOf(resource, idOf(evidence, role), parents);
        const keeper = keepers.get(key);
        if (action === 'read' && keeper?.principal !== by) return;
        const writtenAt = action === 'read' ? (keeper?.writtenAt ?? endedAt) : endedAt;
        keep(key, { principal: by, shownAt: endedAt, writtenAt });
      }

      function noteList(evidence: Evidence, length: number, { resource }: Role, settled: boolean): void {
        if (length > MOST_LISTED || began.writes !== writes || underWay.size > 0 || startedAt === undefined)
          return;
        const isSettled = settled && wasQuiet;
        lists.set(resource, { evidence, principal: principal ?? '', startedAt, writes, isSettled });
      }

      const mayJudge = () => isKnownClient && isSame() && wild === 0 && view.undisturbed();

      return {
        records: limited(view, request, 0),
        settled: limited(view, request, settle),
        listed: () => (last && writes === began.writes ? [last.evidence] : []),
        settledList: () => (last?.isSettled && writes === began.writes ? [last.evidence] : []),
        isQuiet: () => wasQuiet && writes === began.writes,
        mayJudge,
        observe: takeIn,
        end(status, endedAt, judged) {
          if (isSame()) view.end(status !== undefined);
          if (!unsafe) return;
          underWay.delete(request);
          lastWrite = Math.max(lastWrite, endedAt ?? lastWrite);
          if (isWild) wild -= 1;
          if ((isWild || !judged) && (status === undefined || !isRefusal(status))) forgetAll();
        },
      };
    },
  };
}

const ACCEPTED = 202;

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** The id of the record that a request created, or names. */
function idOf(evidence: Evidence, { resource, action }: Role): unknown {
  const { property = '', parameter = '' } = resource.id ?? {};
  return action === 'create' ? recordOf(evidence)?.[property] : evidence.exchange.input.path?.[parameter];
}

/** The depth to which values of a body are searched. */
const DEEPEST = 4;

interface Write {
  readonly role: Role | undefined;
  readonly input: RequestInput;
}

/**
 * Whether a write may change another record than its own: it names it in its path or body, or the record refers to the
 * write's own, so that it may change together with it, as a child with its parent.
 */
function mayTouch({ role, input }: Write, other: OwnRecord): boolean {
  const id = input.path?.[role?.resource.id?.parameter ?? ''];
  if (other.resource === role?.resource) {
    if (String(other.id) === String(id)) return false;
  } else if (names(input, String(other.id))) return true;
  return id !== undefined && refersTo(other, String(id));
}

function names({ path = {}, body }: RequestInput, id: string): boolean {
  return Object.values(path).some((value) => String(value) === id) || hasScalar(body, id);
}

function refersTo({ sent, seen, parents }: OwnRecord, id: string): boolean {
  return Object.values(parents).includes(id) || hasScalar(sent, id) || hasScalar(seen, id);
}

function hasScalar(value: unknown, text: string, depth = 0): boolean {
  if (depth > DEEPEST || value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.some((item) => hasScalar(item, text, depth + 1));
  if (isRecord(value)) return Object.values(value).some((item) => hasScalar(item, text, depth + 1));
  return String(value) === text;
}
