import {
  explicitStatuses,
  isEqual,
  longestPage,
  memberShape,
  oncePer,
  placeOf,
  type Resource,
  type Shape,
} from '#spec';
import { isSuccess } from '../send/response.ts';
import type { Data } from '../send/wire.ts';
import { isShownAsEnded, shorten } from './compare-records.ts';
import { type Evidence, itemShape, ownRecordOf, recordOf, showsWholeRecords } from './evidence.ts';
import type { Judge, LawName } from './law.ts';
import { idProperty, matches } from './list.ts';
import { isAskedFor, type Page, parametersOf } from './list-page.ts';
import { isMarked, markMember, recordInBody } from './mark.ts';
import { creatorOf, type OwnRecord, parentsOf } from './operation-role.ts';
import { differences, LAW_OF } from './own-records.ts';
import { createdIdOf, mayBeHiddenInLists } from './sent-members.ts';

/** Whether a record of the run belongs in a list: it has the same parents and matches the filters. */
function belongsIn(page: Page, { exchange }: Evidence): (record: OwnRecord) => boolean {
  const parents = parentsOf(page.resource, exchange.input.path);
  return (record) =>
    isEqual(record.parents, parents) &&
    isAskedFor(page.query, record.sent) &&
    page.filters.every(
      ({ filter: sentBy, value }) => sentBy.property in record.sent && matches(record.sent, sentBy, value),
    );
}

/** A record in a list. */
interface ListedRecord {
  readonly record: OwnRecord;
  readonly got: Data;
}

/** The run's records that belong in a list, and are in it. */
function listedRecords(page: Page, evidence: Evidence): readonly ListedRecord[] {
  const belongs = belongsIn(page, evidence);
  const parents = parentsOf(page.resource, evidence.exchange.input.path);
  const property = idProperty(page.resource);
  return [...recordsById(page).values()].flatMap((records) => {
    const record = evidence.model.find(page.resource, records[0]?.[property], parents);
    const got = record && records.find((one) => isEqual(one[property], record.id));
    return record && got && belongs(record) ? [{ record, got }] : [];
  });
}

function shownIn(page: Page, { resource, id }: OwnRecord): Data | undefined {
  const property = idProperty(resource);
  return recordsById(page)
    .get(idText(id))
    ?.find((record) => isEqual(record[property], id));
}

/** The records of a page by id, in their order, for fast comparison with each record of the run. */
const recordsById = oncePer(
  ({ records, resource }: Page): ReadonlyMap<string, readonly Data[]> =>
    Map.groupBy(records, (record) => idText(record[idProperty(resource)])),
);

/** A text that is equal for equal ids. */
function idText(id: unknown): string {
  return typeof id === 'object' ? '' : String(id);
}

/** A complete list has all records that were created and not removed. */
export const nothingMissing: Judge = (evidence) => {
  const { page, operation } = evidence;
  if (!page?.complete || page.resource.id === undefined) return undefined;
  const belongs = belongsIn(page, evidence);
  const isMissing = (record: OwnRecord) => !record.removed && !shownIn(page, record) && belongs(record);
  const [missing] = evidence.model.recordsOf(page.resource, isMissing);
  if (!missing || !showsIds(page)) return [];
  const received = `a complete list of ${page.records.length} without ${idProperty(missing.resource)} ${shorten(missing.id)}: ${shorten(missing.sent)}`;
  const [asked] = [...page.filters.map(({ filter }) => filter.parameter), ...parametersOf(page.query)];
  const at = placeOf(asked?.spot ?? operation.spot);
  const law = lawOfLack(page, missing);
  const { rests } = page;
  return { law, kind: 'missing', received, documented: 'every record that matches', at, rests };
};

/** Whether records can be identified: not where the document promises no id, and the records show none. */
function showsIds({ records, resource }: Page): boolean {
  return resource.id?.sign !== 'undeclared' || records.every((record) => idProperty(resource) in record);
}

function lawOfLack(page: Page, missing: OwnRecord): LawName {
  const { parameter, limit } = page.size ?? {};
  if (page.query.search) return 'search';
  if (page.query.bounds.length > 0) return 'bounds';
  if (page.filters.length > 0) return 'filter';
  if (parameter && limit !== longestPage(page.form)) return 'complete-list';
  return missing.listed ? 'earlier-records-stay' : 'created-is-listed';
}

/** A list shows the run's records as they were made, in the members that its items document. */
export const listedAsMade: Judge = (evidence) => {
  const { page } = evidence;
  const items = itemShape(evidence);
  if (!page) return undefined;
  if (!items) return [];
  const isWhole = showsWholeRecords(evidence);
  const living = listedRecords(page, evidence).filter(({ record }) => !record.removed);
  return living.flatMap(({ record, got }) => {
    const unseen = record.written === 'created' ? 'created-is-listed' : LAW_OF[record.written];
    const law = record.listed ? LAW_OF[record.last] : unseen;
    const isShown = (name: string) =>
      name in got || (isWhole && page.records.some((one) => one[name] != null));
    const listed = shownMembers(record, isShown, items);
    return differences(listed, got, law, items).map((breach) => ({ ...breach, about: [got] }));
  });
};

/** The record, restricted to the members that the list shows: a member that no record shows is hidden. */
function shownMembers(record: OwnRecord, isShown: (name: string) => boolean, items: Shape): OwnRecord {
  const isPromised = (name: string) => {
    const member = memberShape(items, name);
    return isShown(name) && !(member && mayBeHiddenInLists(name, member, items));
  };
  const pick = (data: Data) => Object.fromEntries(Object.entries(data).filter(([name]) => isPromised(name)));
  return { ...record, sent: pick(record.sent), before: record.before && pick(record.before) };
}

export const removedIsGone: Judge = (evidence) => {
  const { page, role, response, operation, exchange } = evidence;
  const ownRecord = ownRecordOf(evidence);
  const isRemoved = ownRecord?.removed && mustExist(evidence);
  if (!page && !isRemoved && !isReadAfterRemoval(evidence)) return undefined;
  const at = placeOf(role?.resource.actions.remove?.spot ?? operation.spot);
  const documented = 'nothing of a record that was removed';
  const isLeft = ({ record, got }: ListedRecord) =>
    isSameRecord(record, got) && !isShownAsEnded(record.resource, record.before ?? record.sent, got);
  if (page) {
    const left = listedRecords(page, evidence).find(
      (listedRecord) => listedRecord.record.removed && isLeft(listedRecord),
    );
    if (!left) return [];
    return { received: `${shorten(left.got)}, in the list`, documented, at, about: [left.got] };
  }
  if (!isSuccess(response) || exchange.input.refused) return [];
  const got = recordOf(evidence);
  if (ownRecord && got && !isLeft({ record: ownRecord, got })) return [];
  const isRead = role?.action === 'read';
  return { received: isRead ? `${shorten(got)}, read by its id` : `${response.status}`, documented, at };
};

/** Whether a read follows the removal of a record from another operation, which the record model does not track. */
function isReadAfterRemoval({ role, exchange, earlier }: Evidence): boolean {
  const { resource, action } = role ?? {};
  const parameter = resource?.id?.parameter;
  if (!resource || action !== 'read' || parameter === undefined || resource.actions.create) return false;
  const creator = creatorOf(resource);
  const id = exchange.input.path?.[parameter];
  const made = earlier.findLastIndex(
    (evidence) =>
      evidence.operation === creator &&
      isSuccess(evidence.response) &&
      String(createdIdOf(resource, evidence.exchange)) === String(id),
  );
  const isRemoval = (evidence: Evidence) =>
    evidence.role?.action === 'remove' &&
    evidence.role.resource === resource &&
    evidence.succeeded &&
    evidence.exchange.input.path?.[parameter] === id;
  return made >= 0 && earlier.slice(made).some(isRemoval);
}

/** False: a record with the same id and another text. A service may reuse the id of a removed record. */
function isSameRecord({ resource, sent, before }: OwnRecord, got: Data): boolean {
  const { create } = resource.actions;
  const shape = create && recordInBody(resource, create).shape;
  const member = shape && markMember(shape);
  if (member === undefined || !isMarked(sent[member]) || got[member] === undefined) return true;
  return got[member] === sent[member] || got[member] === before?.[member];
}

/** Whether the record must exist: DELETE may be repeated (RFC 9110 §9.2.2), and PUT may create unless 404 is documented. */
function mustExist({ role, operation }: Evidence): boolean {
  if (role?.action === 'remove') return false;
  return role?.action === 'read' || explicitStatuses(operation.responses).includes(404);
}

export const refusedLeavesNothing: Judge = (evidence) => {
  const { role, model } = evidence;
  const records = shownRecords(evidence);
  if (records.length === 0) return undefined;
  const create = role?.resource.actions.create;
  const left = records.find((record) =>
    Object.values(record).some((text) => role && model.wasRefused(role.resource, text)),
  );
  if (!left || !create) return [];
  const received = `${shorten(left)}, which a refused request was to create`;
  const documented = 'no record of a refused request';
  return { received, documented, at: placeOf(create.spot), about: [left] };
};

/** A list has at most as many records with a unique text of the run as there were create requests with it. */
export const createdOnce: Judge = (evidence) => {
  if (shownRecords(evidence).length === 0) return undefined;
  const { role, model } = evidence;
  const property = role?.resource.id?.property;
  const create = role?.resource.actions.create;
  if (!role || property === undefined || !create) return [];
  for (const [name, text, records] of byMarkedText(evidence, role.resource)) {
    const { sent, ids } = model.createsOf(role.resource, text) ?? { sent: 0, ids: new Set<string>() };
    // A record without its id, as in a map by id, may be any of them.
    const shownIds = records.flatMap((record) => (property in record ? [String(record[property])] : []));
    const all = new Set([...ids, ...shownIds]);
    if (all.size <= sent) continue;
    const received = `the records ${[...all].join(', ')}, all with ${name} ${shorten(text)}`;
    const at = placeOf(create.spot);
    return { received, documented: 'one record for one create', at, about: records };
  }
  return [];
};

function byMarkedText(
  evidence: Evidence,
  resource: Resource,
): [name: string, text: unknown, records: Data[]][] {
  const byText = new Map<unknown, [name: string, text: unknown, records: Data[]]>();
  for (const record of shownRecords(evidence)) {
    const marked = Object.entries(record).find(([, value]) => evidence.model.createsOf(resource, value));
    if (!marked) continue;
    const entry = byText.get(marked[1]) ?? [...marked, []];
    entry[2].push(record);
    byText.set(marked[1], entry);
  }
  return [...byText.values()];
}

function shownRecords(evidence: Evidence): readonly Data[] {
  const { page, model, exchange } = evidence;
  if (page) {
    const parents = parentsOf(page.resource, exchange.input.path);
    return page.records.filter((record) => !model.isOfOthers(page.resource, record, parents));
  }
  const record = evidence.succeeded && evidence.role?.action === 'read' ? recordOf(evidence) : undefined;
  return record ? [record] : [];
}
