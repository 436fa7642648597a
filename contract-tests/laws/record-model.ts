import { isRecord, type Operation, type Resource } from '#spec';
import { isSuccess } from '../send/response.ts';
import { type Evidence, ownRecordOf, recordOf } from './evidence.ts';
import type { Page } from './list-page.ts';
import { markMember } from './mark.ts';
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
  noteLostCreate(operation: Operation, body: unknown): void;
  /** The run has removed the record, or its fate is unknown: nothing is promised of it any more. */
  forget(resource: Resource, id: unknown, parents: Data): void;
}

export function createRecordModel(): RecordModel {
  const records = new Map<string, OwnRecord>();
  const creates = new Map<unknown, { sent: number; ids: Set<string> }>();
  const refused = new Set<unknown>();
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

  function countCreate(operation: Operation, body: unknown): string | undefined {
    const text = markedText(operation, body);
    if (text === undefined) return undefined;
    const known = creates.get(text) ?? { sent: 0, ids: new Set() };
    known.sent += 1;
    creates.set(text, known);
    return text;
  }

  function noteCreate(evidence: Evidence, resource: Resource): void {
    const { operation, response, json, exchange } = evidence;
    const text = countCreate(operation, evidence.request.body ?? exchange.input.body);
    if (text !== undefined && response.status >= 400 && response.status < 500) refused.add(text);
    if (!isSuccess(response) || !isRecord(json) || resource.id === undefined) return;
    const id = json[resource.id.property];
    if (id === undefined) return;
    creates.get(text)?.ids.add(String(id));
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
      else if (response.status >= 500) records.delete(keyOf(own.resource, own.id, own.parents));
      return;
    }
    for (const other of records.values()) {
      const isNeighbour = other.resource === own.resource && other !== own && other.seen && !other.removed;
      if (isNeighbour && other.last === 'other requests')
        put({ ...other, last: 'neighbour changed', before: other.seen });
    }
    const body = request.body;
    if (action === 'remove') put({ ...own, removed: true });
    else if (!succeeded || !isRecord(body) || request.violations.length > 0)
      records.delete(keyOf(own.resource, own.id, own.parents));
    else {
      const written = action === 'replace' ? 'replaced' : 'updated';
      const sent = action === 'replace' ? body : { ...own.sent, ...body };
      // What was read before is no longer the record that the next change begins with.
      const { seen: before } = own;
      put({ ...own, sent, changed: body, last: written, written, listed: false, before, seen: undefined });
    }
  }

  return {
    get records() {
      return [...records.values()];
    },
    find: (resource, id, parents) => records.get(keyOf(resource, id, parents)),
    createsOf: (text) => creates.get(text),
    wasRefused: (text) => refused.has(text) && (creates.get(text)?.ids.size ?? 0) === 0,
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
    noteLostCreate: (operation, body) => void countCreate(operation, body),
    forget: (resource, id, parents) => void records.delete(keyOf(resource, id, parents)),
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
function markedText(operation: Operation, body: unknown): string | undefined {
  const shape = operation.body?.content.find(({ isJson }) => isJson)?.shape;
  const member = shape && markMember(shape);
  const text = member === undefined || !isRecord(body) ? undefined : body[member];
  return typeof text === 'string' && text.includes('paddock-') ? text : undefined;
}
