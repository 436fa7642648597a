import { isRecord, type Resource } from '#spec';
import { isSuccess } from '../send/response.ts';
import { withoutNulls } from './compare-records.ts';
import { type Evidence, ownRecordOf, recordOf } from './evidence.ts';
import type { Page } from './list-page.ts';
import { isMarked, markMember } from './mark.ts';
import { isMergePatch, mergePatch } from './merge-patch.ts';
import { type KnownRecords, type OwnRecord, parentsOf } from './own-record.ts';

type Data = Readonly<Record<string, unknown>>;

/** The known records, and how they become known. */
export interface RecordModel extends KnownRecords {
  /**
   * Takes in an exchange that has been judged.
   * @param settled what it shows of a record is the record as it is: no law is broken, or the time to settle is over
   */
  observe(evidence: Evidence, settled: boolean): void;
  /** A create request broke off: whether a record was made is unknown. */
  noteLostCreate(resource: Resource, body: unknown): void;
  /** The run has removed the record, or its fate is unknown: nothing is promised of it any more, nor of what is below it. */
  forget(resource: Resource, id: unknown, parents: Data): void;
}

export function createRecordModel(): RecordModel {
  const records = new Map<string, OwnRecord>();
  const creates = new Map<string, { sent: number; refused: number; ids: Set<string> }>();
  const ids = new Map<string, Set<string>>();

  const put = (record: OwnRecord) =>
    void records.set(keyOf(record.resource, record.id, record.parents), record);

  function seeIds(resource: Resource, parents: Data, shown: readonly Data[]): void {
    const property = resource.id?.property;
    if (property === undefined) return;
    const known = ids.get(keyOf(resource, '', parents)) ?? new Set();
    ids.set(keyOf(resource, '', parents), known);
    for (const record of shown) if (record[property] !== undefined) known.add(String(record[property]));
  }

  function seePage({ resource, records: shown }: Page, parents: Data): void {
    seeIds(resource, parents, shown);
    for (const { [resource.id?.property ?? '']: id } of shown) {
      const own = records.get(keyOf(resource, id, parents));
      if (own && !own.listed) put({ ...own, listed: true });
    }
  }

  const createsOf = (resource: Resource, text: unknown) => creates.get(`${resource.path}\n${text}`);

  function countCreate(resource: Resource, body: unknown) {
    const text = markedText(resource, body);
    if (text === undefined) return undefined;
    const known = createsOf(resource, text) ?? { sent: 0, refused: 0, ids: new Set() };
    known.sent += 1;
    creates.set(`${resource.path}\n${text}`, known);
    return known;
  }

  function noteCreate(evidence: Evidence, resource: Resource): void {
    const { response, json, exchange } = evidence;
    const known = countCreate(resource, evidence.request.body ?? exchange.input.body);
    if (known && response.status >= 400 && response.status < 500) known.refused += 1;
    if (!isSuccess(response) || !isRecord(json) || resource.id === undefined) return;
    const id = json[resource.id.property];
    if (id === undefined) return;
    known?.ids.add(String(id));
    const sent = evidence.request.body;
    if (!isRecord(sent) || evidence.request.violations.length > 0) return;
    const parents = parentsOf(resource, exchange.input.path);
    put({
      resource,
      id,
      parents,
      sent,
      changed: sent,
      seen: undefined,
      before: undefined,
      last: 'created',
      written: 'created',
      listed: false,
      removed: false,
    });
  }

  function noteChange(evidence: Evidence, own: OwnRecord, action: 'replace' | 'update' | 'remove'): void {
    const { response, succeeded, request } = evidence;
    if (!isSuccess(response)) {
      if (response.status < 500 && own.seen) put({ ...own, last: 'change refused', before: own.seen });
      else if (response.status >= 500) forget(own.resource, own.id, own.parents);
      return;
    }
    for (const other of records.values()) {
      const isNeighbour = other.resource === own.resource && other !== own && other.seen && !other.removed;
      if (isNeighbour && other.last === 'other requests')
        put({ ...other, last: 'neighbour changed', before: other.seen });
    }
    const body = request.body;
    const isMerge = isMergePatch(evidence.exchange);
    const { resource, id, parents } = own;
    const written = { changed: isRecord(body) ? body : {}, listed: false, before: own.seen };
    if (action === 'remove') {
      forget(resource, id, parents);
      put({ ...own, removed: true });
    } else if (!succeeded || !isRecord(body) || request.violations.length > 0) forget(resource, id, parents);
    else if (action === 'replace')
      put({ ...own, ...written, sent: body, last: 'replaced', written: 'replaced' });
    else {
      const sent = isMerge ? mergePatch(own.sent, body) : withoutNulls({ ...own.sent, ...body });
      const nulled = isMerge ? Object.keys(body).filter((name) => body[name] === null) : [];
      put({ ...own, ...written, sent, nulled, last: 'updated', written: 'updated' });
    }
  }

  function forget(resource: Resource, id: unknown, parents: Data): void {
    records.delete(keyOf(resource, id, parents));
    const parameter = resource.id?.parameter ?? '';
    for (const [key, below] of records) {
      const isBelow =
        below.resource.path.startsWith(`${resource.path}/`) && below.parents[parameter] === String(id);
      if (isBelow) records.delete(key);
    }
  }

  return {
    get records() {
      return [...records.values()];
    },
    find: (resource, id, parents) => records.get(keyOf(resource, id, parents)),
    createsOf,
    wasRefused(resource, text) {
      const known = createsOf(resource, text);
      return known !== undefined && known.refused > 0 && known.ids.size === 0;
    },
    idsOf: (resource, parents) => ids.get(keyOf(resource, '', parents)) ?? new Set(),
    observe(evidence, settled) {
      const { role, page } = evidence;
      if (!role) return;
      const parents = parentsOf(role.resource, evidence.exchange.input.path);
      if (page) return settled ? seePage(page, parents) : undefined;
      if (role.action === 'create') noteCreate(evidence, role.resource);
      const record = recordOf(evidence);
      if (evidence.succeeded && record) seeIds(role.resource, parents, [record]);
      const own = ownRecordOf(evidence);
      if (!own || own.removed) return;
      if (role.action === 'read' && evidence.succeeded && record && settled)
        put({ ...own, sent: asShown(own.sent, record), seen: record, last: 'other requests' });
      if (role.action === 'replace' || role.action === 'update' || role.action === 'remove')
        noteChange(evidence, own, role.action);
    },
    noteLostCreate: (resource, body) => void countCreate(resource, body),
    forget,
  };
}

/** A deviation that has been told is not told again: from then on the record is what it is. */
function asShown(sent: Data, record: Data): Data {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, name in record ? record[name] : value]),
  );
}

function keyOf(resource: Resource, id: unknown, parents: Data): string {
  return [resource.path, ...Object.values(parents), String(id)].join('\n');
}

/** The text of a body that has a mark of this run: no other client can have sent the same. */
function markedText({ actions }: Resource, body: unknown): string | undefined {
  const shape = actions.create?.body?.content.find(({ isJson }) => isJson)?.shape;
  const member = shape && markMember(shape);
  const text = member === undefined || !isRecord(body) ? undefined : body[member];
  return isMarked(text) ? text : undefined;
}
