import { explicitStatuses, isRecord, memberShape, placeOf, type Shape } from '#spec';
import { isSuccess } from '../send/response.ts';
import { changedMembers, leftOverMembers, notAsSent, withoutNulls } from './compare-records.ts';
import { equalJson } from './equal-json.ts';
import { type Evidence, itemShape, jsonShape, ownRecordOf, recordOf, showsWholeRecords } from './evidence.ts';
import type { Breach, Law, LawName } from './law.ts';
import { idProperty, matches } from './list.ts';
import type { Page } from './list-page.ts';
import { isMarked, markMember } from './mark.ts';
import { MARKED_RECORD_LAWS } from './marked-records.ts';
import { isMergePatch, mergePatch } from './merge-patch.ts';
import { type LastEvent, type OwnRecord, parentsOf } from './own-record.ts';
import { shorten } from './shorten.ts';

type Data = Readonly<Record<string, unknown>>;

/** The law that a record's state is under, by what happened to it last. */
const LAW_OF: Readonly<Record<LastEvent, LawName>> = {
  created: 'created-can-be-read',
  replaced: 'replaced-is-replaced',
  updated: 'merged-is-merged',
  'change refused': 'refused-changes-nothing',
  'neighbour changed': 'neighbours-untouched',
  'other requests': 'earlier-records-stay',
};

/** How a record that is shown differs from what the run has made of it. */
function differences(own: OwnRecord, got: Data, law: LawName, shape: Shape): Breach[] {
  const { resource, sent, changed, before, last } = own;
  const spot = resource.shape.spot;
  const kept = notAsSent(law, shape, sent, got, spot);
  if (!before) return kept;
  if (last === 'replaced') return [...kept, ...leftOverMembers(resource, before, changed, got)];
  if (last === 'updated')
    return [...kept, ...changedMembers(law, resource, before, got, spot, Object.keys(changed))];
  return last === 'created' || last === 'other requests'
    ? kept
    : [...kept, ...changedMembers(law, resource, before, got, spot, Object.keys(sent))];
}

/** A read of a record that the run has made, under one law for each thing that may have happened to it last. */
const readLaws: readonly Law[] = Object.entries(LAW_OF).map(
  ([event, name]): Law => ({
    name,
    settles: 'request',
    applies: (evidence) => standingRead(evidence)?.last === event,
    judge(evidence) {
      const own = standingRead(evidence);
      if (!own) return [];
      const { response, operation } = evidence;
      const got = recordOf(evidence);
      if (isSuccess(response)) return got ? differences(own, got, name, own.resource.shape) : [];
      const received = `${response.status} for ${idProperty(own.resource)} ${shorten(own.id)}, which was made and not removed`;
      const law = own.last === 'replaced' || own.last === 'updated' ? 'created-can-be-read' : name;
      return [{ law, received, documented: 'the record', at: placeOf(operation.spot) }];
    },
  }),
);

/** The run's own record that a valid read request names. */
function standingRead(evidence: Evidence): OwnRecord | undefined {
  const { role, exchange, request, response } = evidence;
  const { refused, provoked } = exchange.input;
  if (role?.action !== 'read' || refused || request.violations.length > 0) return undefined;
  if (provoked && !isSuccess(response)) return undefined;
  const own = ownRecordOf(evidence);
  return own && !own.removed ? own : undefined;
}

/** The record in the response to a write is the record as it is now. */
const echoLaws: readonly Law[] = (
  [
    ['create', 'created-equals-sent'],
    ['replace', 'replaced-is-replaced'],
    ['update', 'merged-is-merged'],
  ] as const
).map(
  ([action, name]): Law => ({
    name,
    applies: (evidence) =>
      evidence.role?.action === action &&
      evidence.succeeded &&
      evidence.request.violations.length === 0 &&
      showsRecord(evidence),
    judge(evidence) {
      const { role, request, documented, operation } = evidence;
      const got = recordOf(evidence);
      const shape = jsonShape(documented);
      if (!role || !got || !shape || !isRecord(request.body)) return [];
      const { resource } = role;
      const { body } = request;
      const isMerge = isMergePatch(evidence.exchange);
      const values = isMerge ? mergePatch({}, body) : action === 'update' ? withoutNulls(body) : body;
      const sent = Object.fromEntries(
        Object.entries(values).filter(([member]) => !memberShape(resource.shape, member)?.readOnly),
      );
      const kept = notAsSent(name, shape, sent, got, documented?.spot ?? operation.spot);
      const before = ownRecordOf(evidence)?.seen;
      if (!before) return kept;
      return action === 'replace'
        ? [...kept, ...leftOverMembers(resource, before, sent, got)]
        : [
            ...kept,
            ...changedMembers(name, resource, before, got, operation.spot, Object.keys(request.body)),
          ];
    },
  }),
);

/** Only that the old value is still there is evidence: a service may have a default, or show null. */
const nullRemoves: Law = {
  name: 'null-removes',
  settles: 'request',
  applies: (evidence) => nulledIn(evidence).length > 0 && showsRecord(evidence),
  judge(evidence) {
    const own = ownRecordOf(evidence);
    const got = recordOf(evidence);
    const before = evidence.role?.action === 'update' ? own?.seen : own?.before;
    if (!own || !got || !before) return [];
    return nulledIn(evidence).flatMap((name) => {
      const member = memberShape(own.resource.shape, name);
      const old = before[name];
      if (!member || old === undefined || old === null || !equalJson(old, got[name])) return [];
      if (equalJson(member.find('default')?.value, old)) return [];
      const received = `${name} ${shorten(old)}, as before`;
      const documented = `no ${name}, since null in a merge patch removes a member (RFC 7396)`;
      return [{ law: 'null-removes', received, documented, at: placeOf(evidence.operation.spot) }];
    });
  },
};

/** The members of the record shown that null in a merge patch has removed. */
function nulledIn(evidence: Evidence): readonly string[] {
  const { role, exchange, request, succeeded } = evidence;
  if (role?.action === 'read' && succeeded) {
    const own = ownRecordOf(evidence);
    return own?.last === 'updated' ? (own.nulled ?? []) : [];
  }
  if (role?.action !== 'update' || !succeeded || request.violations.length > 0 || !isMergePatch(exchange))
    return [];
  return Object.entries(request.body ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
}

/** The documented response to a create is taken for the record; that to a change only where it has its schema. */
function showsRecord(evidence: Evidence): boolean {
  const { role, documented } = evidence;
  if (!recordOf(evidence) || !role) return false;
  const isWhole = role.action === 'create' || role.action === 'read';
  return isWhole || jsonShape(documented)?.spot.value === role.resource.shape.spot.value;
}

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
    return [{ law: lawOfLack(page, missing), received, documented: 'every record that matches', at }];
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
  const create = resource.actions.create?.body?.content.find(({ isJson }) => isJson)?.shape;
  const member = create && markMember(create);
  if (member === undefined || !isMarked(sent[member]) || got[member] === undefined) return true;
  return got[member] === sent[member] || got[member] === before?.[member];
}

/** A PUT may make the record anew, and a DELETE may be repeated, unless the document has a 404 for it. */
function mustExist({ role, operation }: Evidence): boolean {
  return role?.action === 'read' || explicitStatuses(operation.responses).includes(404);
}

/** What the run's own records are after each of its requests. */
export const OWN_RECORD_LAWS: readonly Law[] = [
  ...echoLaws,
  nullRemoves,
  ...readLaws,
  nothingMissing,
  listedAsMade,
  removedIsGone,
  ...MARKED_RECORD_LAWS,
];
