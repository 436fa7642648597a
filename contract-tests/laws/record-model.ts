import { isRecord, pathForm, pathParameters, type Resource, SAFE_METHODS } from '#spec';
import type { RequestInput } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { ACCEPTED, type Data } from '../send/wire.ts';
import { createTakenTexts, type TakenTexts } from './blame.ts';
import { addedItems, withoutNulls } from './compare-records.ts';
import { type Evidence, mayShowLess, ownRecordOf, recordOf } from './evidence.ts';
import { is4xx } from './expect-status.ts';
import {
  asShown,
  type Change,
  dropOldest,
  idsIn,
  isChange,
  keyOf,
  mayBeAnother,
  mayNote,
} from './known-records.ts';
import type { Page } from './list-page.ts';
import { countCreates } from './mark.ts';
import {
  type CasePlace,
  furtherRoleOf,
  isOwn,
  type KnownRecords,
  keepsRest,
  type Maker,
  type OwnRecord,
  ownerOf,
  parentsOf,
  type Role,
} from './operation-role.ts';
import { createdIdOf, isMergePatch, mergePatch, owedMembers, sentMembers } from './sent-members.ts';
import { createReferences } from './unsaid.ts';

/** The records of the run, and how they are tracked. */
export interface RecordModel extends KnownRecords {
  /**
   * Call it before a request is sent: other requests of the run may be in flight.
   * @param since an earlier time, for a repeated request: others may continue to create records
   * @param viewer the sender; undefined: the response is compared with records of all makers
   */
  begin(role: Role | undefined, input: RequestInput, since?: number, viewer?: Maker): RequestView;
  /** The creator of a record in a response; undefined: nobody of the run, as far as known. */
  makerOf(resource: Resource, record: unknown, parents: Data): Maker;
  /** A logical time that grows with each observation. */
  readonly now: () => number;
  /**
   * Takes in a judged exchange.
   * @param settled the response shows the record as it is: no rule is broken, or the time to settle is over
   */
  observe(evidence: Evidence, settled: boolean): void;
  /** Whether an operation has accepted a meaningless text, by the key of such texts. */
  readonly takesText: TakenTexts['has'];
  /** A create that returned 202 has created its record by now. */
  observeMade(evidence: Evidence, resource: Resource, id: unknown): void;
  /** @returns whether one of the members is newly suspected to change by itself */
  suspectDrift(resource: Resource, members: readonly string[]): boolean;
  /** The members of a resource that change by themselves, according to reads. */
  drifting(resource: Resource): ReadonlySet<string>;
  noteDrifting(resource: Resource, members: readonly string[]): void;
  /** The run removed the record, or its outcome is unknown: nothing is promised any more of it or its children. */
  forget(resource: Resource, id: unknown, parents: Data): void;
}

/** The records that a response may be compared with: those that no other request changed meanwhile. */
export interface RequestView extends KnownRecords {
  /** Whether no other request changed the named record since this one began. */
  readonly undisturbed: () => boolean;
  /** Whether no other request has changed the record of a {@link keyOf key} since this one began, or is in flight. */
  isAtRest(key: string): boolean;
  /** The response has been taken in; without one, the state of the changed record is unknown. */
  end(answered: boolean): void;
}

/** @param most the maximum number of records, and of ids per resource; the oldest are dropped */
export function createRecordModel(most = Number.POSITIVE_INFINITY): RecordModel {
  const records = new Map<string, OwnRecord>();
  /** Requests in flight that may change a record, and when the last of them ended. */
  const underWay = new Map<string, number>();
  const changedAt = new Map<string, number>();
  /** When the latest change ended whose entry was dropped. */
  let forgottenChange = 0;
  const creates = countCreates();
  /** The ids in responses, each with the time when it was first seen. */
  const ids = new Map<string, Map<string, number>>();
  const references = createReferences();
  const taken = createTakenTexts();
  /** The creators of records by key, valid or not. */
  const makers = new Map<string, CasePlace>();
  const suspected = new Set<string>();
  const drifting = new Map<Resource, ReadonlySet<string>>();
  let now = 0;

  const put = (record: OwnRecord) => {
    records.set(keyOf(record.resource, record.id, record.parents), record);
    dropOldest(records, most);
  };

  function noteChanged(key: string): void {
    now += 1;
    // Reinserted, so that the oldest change stays first.
    changedAt.delete(key);
    changedAt.set(key, now);
    forgottenChange = dropOldest(changedAt, most) ?? forgottenChange;
  }

  /** @param always two creates that return the same id are wrong, whichever was sent first */
  function seeIds(resource: Resource, parents: Data, shownIds: readonly string[], always = false): void {
    if (resource.id?.property === undefined) return;
    const times = ids.get(keyOf(resource, '', parents)) ?? new Map<string, number>();
    ids.set(keyOf(resource, '', parents), times);
    now += 1;
    for (const id of shownIds) if (always || !times.has(id)) times.set(id, always ? 0 : now);
    for (const id of times.keys()) {
      if (times.size <= most) break;
      times.delete(id);
    }
    dropOldest(ids, most);
  }

  function makerOf(resource: Resource, record: unknown, parents: Data): Maker {
    if (!isRecord(record)) return undefined;
    const maker = makers.get(keyOf(resource, record[resource.id?.property ?? ''], parents));
    if (maker !== undefined) return maker;
    const marked = Object.values(record).map((text) => creates.of(resource, text));
    return marked.find((one) => one !== undefined)?.maker;
  }

  function seePage({ resource, records: pageRecords }: Page, parents: Data, viewer: Maker): void {
    seeIds(resource, parents, idsIn(resource, pageRecords));
    for (const { [resource.id?.property ?? '']: id } of pageRecords) {
      const record = records.get(keyOf(resource, id, parents));
      if (record && !record.listed && mayNote(record, viewer)) put({ ...record, listed: true });
    }
  }

  function noteCreate(evidence: Evidence, resource: Resource): void {
    const id = createdIdOf(resource, evidence.exchange);
    // With 202 the record need not exist yet, and the id may be the job's.
    const isAccepted = evidence.response.status === ACCEPTED;
    creates.answered(resource, evidence, isAccepted ? undefined : id);
    if (id !== undefined && !isAccepted) observeMade(evidence, resource, id);
  }

  function observeMade(evidence: Evidence, resource: Resource, id: unknown): void {
    const { exchange } = evidence;
    const parents = parentsOf(resource, exchange.input.path);
    const maker = evidence.model.viewer;
    if (maker !== undefined) makers.set(keyOf(resource, id, parents), maker);
    const sent = owedMembers(evidence);
    if (!sent || evidence.request.violations.length > 0) return;
    noteChanged(keyOf(resource, id, parents));
    put({
      resource,
      id,
      maker,
      parents,
      sent,
      changed: sentMembers(evidence) ?? {},
      writtenMembers: Object.keys(sentMembers(evidence) ?? {}),
      seen: undefined,
      before: undefined,
      last: 'created',
      written: 'created',
      listed: false,
      removed: false,
    });
  }

  function noteChange(evidence: Evidence, record: OwnRecord, action: Change): void {
    const { response, succeeded, request, model } = evidence;
    // It is carried out later, or never (RFC 9110 §15.3.3).
    if (response.status === ACCEPTED) {
      forget(record.resource, record.id, record.parents);
      return;
    }
    if (!isSuccess(response)) {
      if (!mayNote(record, model.viewer) && response.status < 500) return;
      if (response.status < 500 && record.seen)
        put({ ...record, last: 'change refused', before: record.seen });
      else if (response.status >= 500) forget(record.resource, record.id, record.parents);
      return;
    }
    for (const other of records.values()) {
      const isNeighbour =
        other.resource === record.resource && other !== record && other.seen && !other.removed;
      if (isNeighbour && other.last === 'other requests' && mayNote(other, model.viewer))
        put({ ...other, last: 'neighbour changed', before: other.seen });
    }
    const body = owedMembers(evidence);
    const isMerge = isMergePatch(evidence.exchange);
    const { resource, id, parents } = record;
    const changed = sentMembers(evidence) ?? {};
    // The next change starts from the new state, not from the last read.
    const kept = action === 'replace' ? [] : record.writtenMembers;
    const writtenMembers = [...new Set([...kept, ...Object.keys(changed)])];
    const written = { changed, writtenMembers, listed: false, before: record.seen, seen: undefined };
    if (action === 'remove') {
      forget(resource, id, parents);
      put({ ...record, removed: true });
    } else if (mayBeAnother(evidence)) forget(resource, id, parents);
    else if (!succeeded || !body || request.violations.length > 0 || !mayNote(record, model.viewer))
      forget(resource, id, parents);
    else if (action === 'replace')
      put({
        ...record,
        ...written,
        leftOut: record.writtenMembers.filter((name) => !(name in changed)),
        sent: body,
        last: 'replaced',
        written: 'replaced',
      });
    else {
      // The service may have stored members that it could have ignored.
      const stays = keepsRest(evidence.operation);
      const before = Object.fromEntries(
        Object.entries(record.sent).filter(([name]) => name in body || (stays && !(name in changed))),
      );
      const sent = isMerge ? mergePatch(before, body) : withoutNulls({ ...before, ...body });
      const nulled = isMerge ? Object.keys(body).filter((name) => body[name] === null) : [];
      const past = stays ? record.seen : undefined;
      put({ ...record, ...written, before: past, sent, nulled, last: 'updated', written: 'updated' });
    }
  }

  function forget(resource: Resource, id: unknown, parents: Data): void {
    records.delete(keyOf(resource, id, parents));
    // Matches by position: in nested paths the parameter may have another name.
    const place = resource.parents.length;
    const start = `${pathForm(resource.path)}/{}/`;
    for (const [key, below] of records) {
      const { parameter } = below.resource.parents[place] ?? {};
      const isBelow = parameter !== undefined && below.parents[parameter] === String(id);
      if (isBelow && pathForm(below.resource.path).startsWith(start)) records.delete(key);
    }
  }

  /** The document does not state the effect of an operation without a main role on the record that it names. */
  function forgetTouched({ contract, operation, exchange, response }: Evidence): void {
    const { path = {}, body } = exchange.input;
    const { resource, further } = furtherRoleOf(contract, operation) ?? {};
    if (SAFE_METHODS.has(operation.method) || is4xx(response) || further?.role === 'create') return;
    const named = further?.parameter === undefined ? undefined : path[further.parameter];
    if (resource && named !== undefined) forget(resource, named, parentsOf(resource, path));
    const name = pathParameters(operation.path).findLast((pathParameter) =>
      ownerOf(contract, operation, pathParameter),
    );
    const owner = name === undefined ? undefined : ownerOf(contract, operation, name);
    if (owner && name !== undefined) forget(owner, path[name], parentsOf(owner, path));
    else if (resource?.id && isRecord(body))
      forget(resource, body[resource.id.property], parentsOf(resource, path));
  }

  /** After concurrent changes the final state of the record is unknown. */
  function forgetNamed({ exchange }: Evidence, { resource }: Role): void {
    const { path } = exchange.input;
    forget(resource, path?.[resource.id?.parameter ?? ''], parentsOf(resource, path));
  }

  /**
   * The records without changes since a time; a request's own record counts as unchanged. Do not spread it: its records
   * are computed on demand.
   */
  function viewSince<More extends object>(
    more: More,
    began: number,
    ownKey?: string,
    viewer?: Maker,
  ): KnownRecords & Pick<RequestView, 'isAtRest'> & More {
    const isAtRest = (key: string) =>
      (changedAt.get(key) ?? forgottenChange) <= began &&
      (underWay.get(key) ?? 0) === (key === ownKey ? 1 : 0);
    const isSeen = (key: string, record: OwnRecord | undefined) =>
      record !== undefined && isAtRest(key) && isOwn(record.maker, viewer);
    return {
      ...more,
      viewer,
      isOfOthers: (resource, record, parents) => !isOwn(makerOf(resource, record, parents), viewer),
      isAtRest,
      get records() {
        return [...records].flatMap(([key, record]) => (isSeen(key, record) ? record : []));
      },
      *recordsOf(resource, may) {
        for (const [key, record] of records)
          if (record.resource === resource && may(record) && isSeen(key, record)) yield record;
      },
      find(resource, id, parents) {
        const key = keyOf(resource, id, parents);
        const record = records.get(key);
        return isSeen(key, record) ? record : undefined;
      },
      createsOf: creates.of,
      wasRefused: creates.wasRefused,
      hasShown: references.has,
      idsOf(resource, parents) {
        const seenAt = ids.get(keyOf(resource, '', parents));
        return { has: (id) => (seenAt?.get(id) ?? Number.NaN) <= began };
      },
    };
  }

  return {
    ...viewSince({}, Number.POSITIVE_INFINITY),
    get records() {
      return [...records.values()];
    },
    now: () => now,
    takesText: taken.has,
    makerOf,
    begin(role, input, since = now, viewer = undefined) {
      const { resource, action } = role ?? {};
      // Counted on sending: a list may show the record before the create's response arrives.
      if (resource && action === 'create') creates.sent(resource, input.body, viewer);
      const parameter = resource?.id?.parameter;
      if (!resource || !action || parameter === undefined || !isChange(action))
        return viewSince({ undisturbed: () => true, end: () => undefined }, since, undefined, viewer);
      const id = input.path?.[parameter];
      const parents = parentsOf(resource, input.path);
      const key = keyOf(resource, id, parents);
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
      const change = {
        undisturbed: () => view.isAtRest(key),
        end(answered: boolean) {
          const others = (underWay.get(key) ?? 1) - 1;
          if (others > 0) underWay.set(key, others);
          else underWay.delete(key);
          noteChanged(key);
          if (!answered) forget(resource, id, parents);
        },
      };
      const view = viewSince(change, since, key, viewer);
      return view;
    },
    observe(evidence, settled) {
      const { role, page } = evidence;
      taken.note(evidence);
      if (!role) {
        forgetTouched(evidence);
        return;
      }
      const parents = parentsOf(role.resource, evidence.exchange.input.path);
      const { viewer } = evidence.model;
      references.note(evidence);
      if (page) return settled ? seePage(page, parents, viewer) : undefined;
      if (role.action === 'create') noteCreate(evidence, role.resource);
      const record = recordOf(evidence);
      // A PUT may create a record again after its removal.
      const isNew = role.action === 'create' && evidence.operation !== role.resource.actions.replace;
      if (evidence.succeeded && record) seeIds(role.resource, parents, idsIn(role.resource, [record]), isNew);
      const ownRecord = ownRecordOf(evidence);
      if (!ownRecord && isChange(role.action) && !is4xx(evidence.response)) forgetNamed(evidence, role);
      if (!ownRecord || ownRecord.removed) return;
      const isWhole = role.action === 'read' && !mayShowLess(evidence);
      if (isWhole && evidence.succeeded && record && settled && mayNote(ownRecord, viewer))
        put({
          ...ownRecord,
          sent: asShown(ownRecord.sent, record),
          added: { ...ownRecord.added, ...addedItems(ownRecord.resource, ownRecord.sent, record) },
          seen: record,
          last: 'other requests',
        });
      if (isChange(role.action)) noteChange(evidence, ownRecord, role.action);
    },
    forget,
    observeMade,
    suspectDrift({ path }, members) {
      const before = suspected.size;
      for (const name of members) suspected.add(`${path}\n${name}`);
      return suspected.size > before;
    },
    drifting: (resource) => drifting.get(resource) ?? new Set(),
    noteDrifting(resource, members) {
      if (members.length > 0)
        drifting.set(resource, new Set([...(drifting.get(resource) ?? []), ...members]));
    },
  };
}
