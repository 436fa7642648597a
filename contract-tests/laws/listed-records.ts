import { bodyMedia, explicitStatuses, placeOf } from '#spec';
import { isSuccess } from '../send/response.ts';
import { equalJson, shorten } from './compare-records.ts';
import { type Evidence, itemShape, ownRecordOf, recordOf, showsWholeRecords } from './evidence.ts';
import type { Breach, Law, LawName } from './law.ts';
import { idProperty, matches } from './list.ts';
import type { Page } from './list-page.ts';
import { isMarked, markMember } from './mark.ts';
import { type OwnRecord, parentsOf } from './own-record.ts';
import { differences, LAW_OF } from './own-records.ts';

type Data = Readonly<Record<string, unknown>>;

/** The run's records that belong in a list: of the same parents, and with the values that it is filtered by. */
function belonging({ page, exchange, model }: Evidence): OwnRecord[] {
  if (!page) return [];
  const parents = parentsOf(page.resource, exchange.input.path);
  return model.records.filter(
    ({ resource, parents: own, sent }) =>
      resource === page.resource &&
      equalJson(own, parents) &&
      page.filters.every(
        ({ filter: { property }, value }) => property in sent && matches(sent, property, value),
      ),
  );
}

function shownIn(page: Page | undefined, { resource, id }: OwnRecord): Data | undefined {
  return page?.records.find((record) => equalJson(record[idProperty(resource)], id));
}

/** A complete list has all records that were made and not removed. */
const nothingMissing: Law = {
  name: 'created-is-listed',
  settles: 'request',
  applies: ({ page }) => page?.complete === true && page.resource.id !== undefined,
  judge(evidence) {
    const { page, operation } = evidence;
    const missing = belonging(evidence).find((own) => !own.removed && !shownIn(page, own));
    if (!missing || !page) return [];
    const received = `a complete list of ${page.records.length} without ${idProperty(missing.resource)} ${shorten(missing.id)}: ${shorten(missing.sent)}`;
    const [filter] = page.filters;
    const at = placeOf(filter?.filter.parameter.spot ?? operation.spot);
    const law = lawOfLack(page, missing);
    return [{ law, kind: 'missing', received, documented: 'every record that matches', at }];
  },
};

function lawOfLack(page: Page, missing: OwnRecord): LawName {
  const { parameter, limit } = page.size ?? {};
  if (page.filters.length > 0) return 'filter';
  if (parameter && limit !== Number(parameter.shape.range.high?.value)) return 'complete-list';
  return missing.listed ? 'earlier-records-stay' : 'created-is-listed';
}

/** What a list shows of the run's own records, in the members that its items document. */
const listedAsMade: Law = {
  name: 'created-is-listed',
  settles: 'request',
  applies: ({ page }) => page !== undefined,
  judge(evidence) {
    const { page } = evidence;
    const items = itemShape(evidence);
    if (!items || !page) return [];
    const isWhole = showsWholeRecords(evidence);
    return belonging(evidence).flatMap((own) => {
      const got = own.removed ? undefined : shownIn(page, own);
      const unseen = own.written === 'created' ? 'created-is-listed' : LAW_OF[own.written];
      const law = own.listed ? LAW_OF[own.last] : unseen;
      if (!got) return [];
      const listed = isWhole ? own : shownMembers(own, got);
      return differences(listed, got, law, items).map((breach) => ({ ...breach, about: [got] }));
    });
  },
};

/** The record with those of its members alone that a list shows. */
function shownMembers(own: OwnRecord, got: Data): OwnRecord {
  const shown = (data: Data) => Object.fromEntries(Object.entries(data).filter(([name]) => name in got));
  return { ...own, sent: shown(own.sent), before: own.before && shown(own.before) };
}

const removedIsGone: Law = {
  name: 'removed-is-gone',
  settles: 'request',
  applies: (evidence) =>
    evidence.page !== undefined || (ownRecordOf(evidence)?.removed === true && mustExist(evidence)),
  judge(evidence) {
    const { page, role, response, operation, exchange } = evidence;
    const at = placeOf(role?.resource.actions.remove?.spot ?? operation.spot);
    const breach = (received: string, documented: string, about?: Data): Breach[] => [
      { law: 'removed-is-gone', received, documented, at, ...(about && { about: [about] }) },
    ];
    if (page) {
      const shown = belonging(evidence)
        .filter(({ removed }) => removed)
        .map((own) => ({ own, got: shownIn(page, own) }))
        .find(({ own, got }) => got && isSameRecord(own, got))?.got;
      return shown
        ? breach(`${shorten(shown)}, in the list`, 'nothing of a record that was removed', shown)
        : [];
    }
    if (!isSuccess(response) || exchange.input.refused) return [];
    const own = ownRecordOf(evidence);
    const got = role?.action === 'read' ? recordOf(evidence) : undefined;
    if (own && got && !isSameRecord(own, got)) return [];
    const received =
      role?.action === 'read' ? `${shorten(recordOf(evidence))}, read by its id` : `${response.status}`;
    return breach(received, 'nothing of a record that was removed');
  },
};

/** False: a record with the id and another text of its own. A service may use the id of a removed record again. */
function isSameRecord({ resource, sent, before }: OwnRecord, got: Data): boolean {
  const create = bodyMedia(resource.actions.create?.body)?.shape;
  const member = create && markMember(create);
  if (member === undefined || !isMarked(sent[member]) || got[member] === undefined) return true;
  return got[member] === sent[member] || got[member] === before?.[member];
}

/** A PUT may make the record anew, and a DELETE may be repeated, unless the document has a 404 for it. */
function mustExist({ role, operation }: Evidence): boolean {
  return role?.action === 'read' || explicitStatuses(operation.responses).includes(404);
}

/** What a list shows of the run's own records, and what is left of those that were removed. */
export const LISTED_RECORD_LAWS: readonly Law[] = [nothingMissing, listedAsMade, removedIsGone];
