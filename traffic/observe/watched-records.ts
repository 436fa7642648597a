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

/** A request to one site, as far as records are concerned. */
interface WatchedRequest {
  /** Whether anything can be known of records by it: who sent it, and when, is known. */
  readonly principal: string | undefined;
  readonly startedAt: number | undefined;
  /** It asks for nothing but the record, or the list, as the document describes it. */
  readonly plain: boolean;
  readonly role: Role | undefined;
  readonly input: RequestInput;
  readonly unsafe: boolean;
}

/** A write of which nobody knows what it changes. */
export const UNKNOWN_WRITE = {
  principal: undefined,
  plain: false,
  role: undefined,
  input: {},
  unsafe: true,
} as const;

/** What a response may be held against. */
export interface Watching {
  /** The records that the same client has made, and no other request has changed since this one began. */
  readonly records: KnownRecords;
  /** Of these the ones that were changed so long ago that no replica lags behind; with the list shown before. */
  readonly settled: KnownRecords;
  /** The last list of the resource, where nothing was written since it was requested. */
  readonly listed: () => readonly Evidence[];
  /** That list, where no replica lagged behind when it was requested. */
  readonly settledList: () => readonly Evidence[];
  /** Whether nothing was written for so long that no replica lags behind. */
  readonly isQuiet: () => boolean;
  /** Whether what follows from several exchanges can be judged by this one at all. */
  readonly mayJudge: () => boolean;
  /** Takes in what was judged. */
  observe(evidence: Evidence, settled: boolean): void;
  /**
   * The response has come, or none has. To be called last.
   * @param judged false: what the exchange has done was not taken in
   */
  end(status: number | undefined, endedAt: number | undefined, judged: boolean): void;
}

/** What the traffic to one site has shown of records. Everything is forgotten that another request may have changed. */
export interface WatchedRecords {
  begin(request: WatchedRequest): Watching;
}

/** A record may expire: what was seen longer ago, in milliseconds, is no longer known. */
const KEPT = 60_000;
/** Records known at one time. */
const MOST_RECORDS = 1000;
/** Of a list that is kept to be compared with a read. */
const MOST_LISTED = 200;

interface Keeper {
  readonly principal: string;
  /** When a response has last shown it. */
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
  /** Grows when everything was forgotten. */
  let generation = 0;
  const keepers = new Map<string, Keeper>();
  const lists = new Map<Resource, LastList>();
  /** Unsafe requests so far, those under way, and when the last one ended. */
  let writes = 0;
  const underWay = new Set<WatchedRequest>();
  let lastWrite = Number.NEGATIVE_INFINITY;
  /** Unsafe requests under way of which nobody knows what they change: actions, writes with options, or to an alias. */
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

  /** Those of the records that are the client's, not too old, and at rest for so many milliseconds. */
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
    for (const record of model.records.filter((one) => mayTouch(request, one)))
      model.forget(record.resource, record.id, record.parents);
  }

  /** What no response has shown as an id may stand for one: `me`, or `07` for 7. */
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
      // The body is not shown: of others' texts nothing follows.
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
          // Nobody knows when it will be carried out; and what was removed may be there again.
          forgetUnsure(evidence, role);
        }
        if (isKnownClient) noteKeeper(evidence, role, principal, endedAt);
        if (role.action === 'list' && isKnownClient && evidence.page)
          noteList({ ...evidence, earlier: [] }, evidence.page.records.length, role, settled);
      }

      function observeKnown(evidence: Evidence, settled: boolean, { resource, action }: Role): void {
        const parents = parentsOf(resource, input.path);
        const id = action === 'create' ? recordOf(evidence)?.[resource.id?.property ?? ''] : undefined;
        // Whether the record was made before or behind a change under the same id is not known.
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

/** The id of the record that a request made, or names. */
function idOf(evidence: Evidence, { resource, action }: Role): unknown {
  const { property = '', parameter = '' } = resource.id ?? {};
  return action === 'create' ? recordOf(evidence)?.[property] : evidence.exchange.input.path?.[parameter];
}

/** Values of a body are looked at so deep. */
const DEEPEST = 4;

interface Write {
  readonly role: Role | undefined;
  readonly input: RequestInput;
}

/**
 * Whether a write may change a record that is not its own one: it names it in its path or its body, or the record refers
 * to the write's own one, so that what becomes of the one may become of the other, as with what it belongs to.
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
