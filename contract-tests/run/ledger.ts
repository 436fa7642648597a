import {
  type Contract,
  isAtItem,
  jobOf,
  memberShape,
  type Operation,
  pathParameters,
  type Resource,
  resultsOf,
  stringifyJson,
  valueAt,
} from '#spec';
import type { Evidence } from '../laws/evidence.ts';
import type { Observation } from '../laws/finding.ts';
import { compareMarks, markIn, recordInBody, recordsIn } from '../laws/mark.ts';
import {
  type CasePlace,
  comparePlaces,
  furtherRoleOf,
  type Role,
  resourceOf,
  roleOfRequest,
} from '../laws/operation-role.ts';
import { createdIdOf, isId } from '../laws/sent-members.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import type { Created } from '../send/trail.ts';
import { ACCEPTED, CREATED, type WireRequest } from '../send/wire.ts';
import type { Budget } from './budget.ts';
import type { Ownership } from './ownership.ts';
import type { Permissions } from './permissions.ts';

/** A record that the run made, or may have made, on the target. */
export interface CreatedRecord {
  readonly operationId: string;
  readonly caseId: string;
  /** The text by which the run's records can be told from others, where they have an ordinary text member. */
  readonly mark: string | undefined;
  /** As the target gave it; undefined: it gave none. */
  readonly id: unknown;
  /** Path parameters of the create: what a nested record belongs to. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** False: an unsafe request was not answered, or with an error of the service: it may have been carried out. */
  readonly certain: boolean;
}

/** What a path names. */
export interface Item {
  /** The operations that make and change such records. */
  readonly operationIds: ReadonlySet<string>;
  readonly id: unknown;
  readonly path: CreatedRecord['path'];
}

function isItem({ operationIds, id, path }: Item): (record: CreatedRecord) => boolean {
  return (record) =>
    operationIds.has(record.operationId) &&
    String(record.id) === String(id) &&
    Object.entries(record.path ?? {}).every(([name, value]) => String(path?.[name]) === String(value));
}

/** Counts what the run leaves behind on a service that may have no delete. */
export interface Ledger {
  /** Those that are still there, or may be. */
  readonly records: readonly CreatedRecord[];
  /**
   * @param place the case that made the record, or the part of it
   * @param lasts the service cannot remove it
   * @param isBelow it stands below a record of somebody else
   */
  note(record: CreatedRecord, place: CasePlace, lasts: boolean, isBelow: boolean): void;
  /** It was to be removed, and the service did not. */
  noteStaying(record: CreatedRecord): void;
  /** How many of them the service cannot remove, or did not. */
  readonly lasting: number;
  /** Those that were made below records of others, also where they are gone again. */
  readonly below: readonly CreatedRecord[];
  /** The records in the order of the cases, for the report. */
  inOrderOf(caseIds: readonly string[]): readonly CreatedRecord[];
  /** What was made below records of others, and how much of it is still there. */
  noticesBelow(): Observation[];
  /** What was made under one name is a case's. */
  rename(from: string, caseId: string): void;
  /** A list has shown it. @returns the record with its id */
  settle(record: CreatedRecord, id: unknown): CreatedRecord;
  /** The record is gone again. */
  strike(record: CreatedRecord): void;
  /** A case has removed the record itself: its id may be another record's from now on. */
  strikeRemoved(item: Item): void;
  /** Whether the run has made the item: it stands, or is gone again. Undefined: it has not. */
  stateOf(item: Item): 'standing' | 'gone' | undefined;
  /** Those that cases have removed themselves, each told once. */
  takeRemoved(chosen: (record: CreatedRecord) => boolean): CreatedRecord[];
  /** The record serves other cases than the one that made it. */
  share(id: unknown): void;
  /** The record is to stand until the end, to be looked at once more, if there is room for it. */
  keep(id: unknown): void;
  /** Whether the record is still needed when its case is over. */
  readonly isNeeded: (record: CreatedRecord) => boolean;
}

/** So many of the records that could be taken away are left standing until the end. */
const KEPT = 12;

const markOf = ({ record: { mark = '' } }: { readonly record: CreatedRecord }) => mark;

export function createLedger(): Ledger {
  const records = new Map<CreatedRecord, CasePlace>();
  const removed = new Set<CreatedRecord>();
  /** By their ids. */
  const gone = new Map<string, CreatedRecord[]>();
  const names = new Map<string, string>();
  const shared = new Set<unknown>();
  const kept = new Set<unknown>();
  const lasting = new Set<CreatedRecord>();
  const below: CreatedRecord[] = [];
  function strike(record: CreatedRecord): void {
    records.delete(record);
    lasting.delete(record);
  }

  return {
    get records() {
      return [...records.keys()];
    },
    inOrderOf(caseIds) {
      const positions = new Map(caseIds.map((id, index) => [id, index]));
      const named = [...records].map(([record, place]) => {
        const caseId = names.get(record.caseId) ?? record.caseId;
        return { record: { ...record, caseId }, position: positions.get(caseId) ?? 0, place };
      });
      named.sort(
        // Requests of a race are answered in any order; their marks have the order in which they were sent.
        (a, b) =>
          a.position - b.position || comparePlaces(a.place, b.place) || compareMarks(markOf(a), markOf(b)),
      );
      return named.map(({ record }) => record);
    },
    noticesBelow: () => {
      // What a PUT makes is named by the last value of its path.
      const parentsOf = ({ path = {}, id }: CreatedRecord) =>
        Object.entries(path).flatMap(([name, value], index) =>
          index > 0 && value === id ? [] : [`${name} ${value}`],
        );
      const groups = Map.groupBy(below, (one) => `${one.operationId} ${parentsOf(one)}`);
      return [...groups.values()].map((all) => {
        const [first] = all as [CreatedRecord];
        const { operationId, caseId } = first;
        const left = all.filter((one) => records.has(one)).length;
        const text = `records made below ${parentsOf(first).join(', ')}, which the run has not made: ${all.length}, of which ${left} are left`;
        return { caseId: names.get(caseId) ?? caseId, operationId, text };
      });
    },
    rename: (from, caseId) => void names.set(from, caseId),
    note(record, place, lasts, isBelow) {
      records.set(record, place);
      if (isBelow) below.push(record);
      if (lasts) lasting.add(record);
    },
    settle(record, id) {
      const settled = { ...record, id, certain: true };
      records.set(settled, records.get(record) ?? []);
      if (lasting.has(record)) lasting.add(settled);
      if (below.includes(record)) below.splice(below.indexOf(record), 1, settled);
      strike(record);
      return settled;
    },
    noteStaying: (record) => void lasting.add(record),
    get lasting() {
      return lasting.size;
    },
    below,
    strike,
    strikeRemoved(item) {
      for (const record of [...records.keys()].filter(isItem(item))) {
        strike(record);
        removed.add(record);
        const id = String(record.id);
        gone.set(id, [...(gone.get(id) ?? []), record]);
      }
    },
    stateOf(item) {
      const isSame = isItem(item);
      if (records.keys().some(isSame)) return 'standing';
      return gone.get(String(item.id))?.some(isSame) ? 'gone' : undefined;
    },
    takeRemoved(chosen) {
      const taken = [...removed].filter(chosen);
      for (const record of taken) removed.delete(record);
      return taken;
    },
    share: (id) => void shared.add(id),
    keep: (id) => void (kept.size < KEPT && kept.add(id)),
    isNeeded: ({ id }) => shared.has(id) || kept.has(id),
  };
}

/** What notes of the records that a run makes go into. */
interface Books {
  readonly contract: Contract;
  readonly permissions: Permissions;
  readonly ledger: Ledger;
  readonly own: Ownership;
  readonly budget: Budget;
  /** The part that all marks of the run share. */
  readonly mark: string;
}

/** Who sends a request: the case, and its place. */
interface Maker {
  readonly caseId: string;
  readonly place: CasePlace;
}

/** What a request makes where it is carried out. */
interface Making {
  /** Undefined: it is of no collection. */
  readonly resource: Resource | undefined;
  /** The id that the client has chosen. */
  readonly id: unknown;
  /** `inferred`: the response may show a record that was there before. `made up`: nothing was to be there. */
  readonly sign: 'role' | 'inferred' | 'once' | 'made up';
}

/** Undefined: it makes nothing. */
export function makingOf(
  { contract, permissions, ledger }: Pick<Books, 'contract' | 'permissions' | 'ledger'>,
  operation: Operation,
  input: RequestInput,
  role: Role | undefined,
): Making | undefined {
  if (role?.action === 'create') {
    const { path, shape } = recordInBody(role.resource, operation);
    const property = role.resource.id?.property ?? '';
    const chosen = valueAt(input.body, [...path, property]);
    const isChosen = isId(chosen) && !(shape && memberShape(shape, property)?.readOnly);
    return { resource: role.resource, id: isChosen ? chosen : undefined, sign: 'role' };
  }
  const beside = furtherRoleOf(contract, operation);
  if (beside?.further.role === 'create') {
    const { resource } = beside;
    // What the path names was looked for before, and was not there.
    return isAtItem(resource, operation)
      ? { resource, id: input.path?.[resource.id?.parameter ?? ''], sign: 'role' }
      : { resource, id: undefined, sign: 'inferred' };
  }
  if (permissions.isSentOnce(operation)) return { resource: undefined, id: undefined, sign: 'once' };
  const [last = ''] = pathParameters(operation.path).slice(-1);
  const isAtPath = operation.path.endsWith(`{${last}}`) && operation.method !== 'DELETE';
  if (!isAtPath || !permissions.changes(operation)) return undefined;
  const owner = resourceOf(contract, operation);
  const resource = owner?.id?.parameter === last ? owner : undefined;
  const state = resource && ledger.stateOf(itemOf(resource, input));
  // A change of what was removed may bring it back.
  if (state === 'standing' || (state === undefined && !input.unknownId && !input.madeUp)) return undefined;
  return { resource, id: input.path?.[last], sign: 'made up' };
}

/**
 * Takes down what an exchange has made or removed, whatever its request was meant for.
 * @returns the record that it has made, where its id is known
 */
export function noteInLedger(
  books: Books,
  evidence: Evidence,
  maker: Maker,
): Pick<Created, 'resource' | 'id'> | undefined {
  const { ledger, mark, own: ownership } = books;
  const { role, operation, exchange, response } = evidence;
  const { request, input } = exchange;
  const isFaulty = request.faulty !== undefined;
  const mayLook = resourceOf(books.contract, operation)?.actions.list !== undefined;
  const isOnce = books.permissions.isSentOnce(operation);
  // An error of the service on what had to be refused says nothing, unless a list can show that nothing was made.
  if (response.status >= 500 && (!isFaulty || mayLook || isOnce)) noteUncertain(books, exchange, maker);
  if (!isSuccess(response)) return undefined;
  const making = makingOf(books, operation, input, role);
  if (making) {
    const { resource, sign } = making;
    const shown = resource ? createdIdOf(resource, exchange) : valueAt(evidence.json, ['id']);
    const id = sign === 'made up' || !isId(shown) ? making.id : shown;
    const own = markIn(bodyText(request), mark);
    const isShown = own !== undefined && markIn(response.text ?? '', mark) === own;
    if (sign === 'inferred' && !isShown && response.status !== CREATED) return undefined;
    const isKnown = sign !== 'inferred' || isShown;
    const record = {
      ...recordOf(operation, input, maker),
      mark: own,
      id: isKnown ? id : undefined,
      certain: true,
    };
    noteAs(books, record, maker, resource);
    if (!resource || !isKnown || id === undefined || sign === 'made up') return undefined;
    ownership.note(resource, id);
    return { resource, id };
  }
  const many = furtherRoleOf(books.contract, operation);
  if (many?.further.role === 'createMany') return noteMany(books, evidence, maker, many.resource);
  if (role?.action === 'remove') ledger.strikeRemoved(itemOf(role.resource, input));
  return undefined;
}

/** What a job makes is known when it is over: a list shows it by its mark. @returns the job, else the first record */
function noteMany(
  books: Books,
  { contract, operation, exchange, json, response }: Evidence,
  maker: Maker,
  resource: Resource,
): Pick<Created, 'resource' | 'id'> | undefined {
  const sent = recordsIn(exchange.input.body, operation);
  const results = resultsOf(operation, resource);
  const shown = results && valueAt(json, results.path);
  const made = sent.map((one, index) => {
    const result = Array.isArray(shown) ? shown[index] : undefined;
    const record = results?.record === undefined ? result : valueAt(result, [results.record]);
    const id = valueAt(record, [resource.id?.property ?? '']);
    return { mark: markIn(stringifyJson(one) ?? '', books.mark), id: isId(id) ? id : undefined };
  });
  for (const { mark, id } of made) {
    if (results && id === undefined) continue;
    const record = { ...recordOf(operation, exchange.input, maker), mark, id, certain: id !== undefined };
    noteAs(books, record, maker, resource);
    if (id !== undefined) books.own.note(resource, id);
  }
  const job = response.status === ACCEPTED ? jobOf(contract, operation) : undefined;
  const of = contract.resources.find(({ actions }) => job && actions.read === job.read);
  const name = job && valueAt(json, [job.id]);
  if (of && isId(name)) return { resource: of, id: name };
  const first = made.find(({ id }) => id !== undefined);
  return first && { resource, id: first.id };
}

function itemOf({ id, actions, further }: Resource, { path }: RequestInput): Item {
  const operations = [...Object.values(actions), ...further.map(({ operation }) => operation)];
  return { operationIds: new Set(operations.map((one) => one.id)), id: path?.[id?.parameter ?? ''], path };
}

/** Takes down what a request may have made that was not answered, or with an error of the service. */
export function noteUncertain(
  books: Books,
  { operation, input, request }: Pick<Exchange, 'operation' | 'input' | 'request'>,
  maker: Maker,
): void {
  const { contract, mark } = books;
  const role = roleOfRequest(contract, operation, input.creates === true);
  const making = makingOf(books, operation, input, role);
  if (!making) return;
  const { resource, id } = making;
  const record = {
    ...recordOf(operation, input, maker),
    mark: markIn(bodyText(request), mark),
    id,
    certain: false,
  };
  noteAs(books, record, maker, resource);
}

function noteAs(
  { ledger, budget }: Books,
  record: CreatedRecord,
  { place }: Maker,
  resource: Resource | undefined,
): void {
  const lasts = !resource || !budget.isRemovable(resource);
  ledger.note(record, place, lasts, resource !== undefined && budget.isBelowOthers(resource));
}

const bodyText = ({ body }: WireRequest) => Buffer.from(body ?? []).toString();

function recordOf({ id }: Operation, { path }: RequestInput, { caseId }: Maker) {
  return { operationId: id, caseId, path };
}
