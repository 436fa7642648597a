import { isEqual, memberShape, placeOf, pointerTokens, type Shape, toPointer, writeMeaning } from '#spec';
import { isSuccess } from '../send/response.ts';
import type { Data } from '../send/wire.ts';
import {
  changedMembers,
  leftOverItems,
  leftOverMembers,
  notAsSent,
  shorten,
  withoutNulls,
} from './compare-records.ts';
import { type Evidence, mayShowLess, ownRecordOf, recordOf, shownShape } from './evidence.ts';
import { optionalExample } from './expect-status.ts';
import type { Breach, Broken, Judge, LawName } from './law.ts';
import { idProperty } from './list.ts';
import { keepsRest, type LastEvent, type OwnRecord } from './operation-role.ts';
import { isMergePatch, isPlace, mergePatch, owedMembers, sentMembers } from './sent-members.ts';

/** The rule for a record's state, by its last change. */
export const LAW_OF: Readonly<Record<LastEvent, LawName>> = {
  created: 'created-can-be-read',
  replaced: 'replaced-is-replaced',
  updated: 'merged-is-merged',
  'change refused': 'refused-changes-nothing',
  'neighbour changed': 'neighbours-untouched',
  'other requests': 'earlier-records-stay',
};

export const LAST_EVENTS = Object.keys(LAW_OF) as LastEvent[];

/** The differences between a shown record and its expected state. */
export function differences(record: OwnRecord, got: Data, law: LawName, shape: Shape): Breach[] {
  const { resource, changed, before, last, added, leftOut = [] } = record;
  const spot = resource.shape.spot;
  const sent = withoutPlaces(record.sent, shape);
  const kept = notAsSent(law, resource, shape, sent, got, spot);
  if (!before) return kept;
  if (last === 'replaced')
    return [
      ...kept,
      ...leftOverMembers(resource, before, leftOut, got),
      ...leftOverItems(resource, before, changed, got, added),
    ];
  if (last === 'updated')
    return [...kept, ...changedMembers(law, resource, before, got, spot, Object.keys(changed))];
  return last === 'created' || last === 'other requests'
    ? kept
    : [...kept, ...changedMembers(law, resource, before, got, spot, Object.keys(sent))];
}

/** Positions are certain only in the response to the write that sets them. */
function withoutPlaces(sent: Data, shape: Shape): Data {
  const isKept = ([name]: [string, unknown]) => {
    const member = memberShape(shape, name);
    return !member || !isPlace(name, member, shape);
  };
  return Object.fromEntries(Object.entries(sent).filter(isKept));
}

/** The client has the representation already, or cannot accept it: these statuses say nothing of the record. */
const SILENT: ReadonlySet<number> = new Set([304, 406]);

/** A read shows the run's record as its last change left it. */
export const standingRead =
  (event: LastEvent): Judge =>
  (evidence) => {
    const record = ownRecordRead(evidence);
    if (record?.last !== event) return undefined;
    const { response, operation } = evidence;
    const got = recordOf(evidence);
    if (isSuccess(response)) {
      const shownRecord = got && mayShowLess(evidence) ? shownIn(record, got) : record;
      return got ? differences(shownRecord, got, LAW_OF[event], record.resource.shape) : [];
    }
    if (SILENT.has(response.status)) return [];
    const received = `${response.status} for ${idProperty(record.resource)} ${shorten(record.id)}, which was made and not removed`;
    const law = event === 'replaced' || event === 'updated' ? 'created-can-be-read' : LAW_OF[event];
    const rests = optionalExample(evidence);
    return { law, kind: 'missing', received, documented: 'the record', at: placeOf(operation.spot), rests };
  };

/** The record, restricted to the members that are shown. */
function shownIn(record: OwnRecord, got: Data): OwnRecord {
  const pick = (data: Data) => Object.fromEntries(Object.entries(data).filter(([name]) => name in got));
  return { ...record, sent: pick(record.sent), before: record.before && pick(record.before) };
}

/** The run's record that a valid read request names. */
function ownRecordRead(evidence: Evidence): OwnRecord | undefined {
  const { role, exchange, request, response } = evidence;
  const { refused, provoked } = exchange.input;
  if (role?.action !== 'read' || refused || request.violations.length > 0) return undefined;
  if (provoked && !isSuccess(response)) return undefined;
  const record = ownRecordOf(evidence);
  return record && !record.removed ? record : undefined;
}

/** The rules for responses to writes. */
const ECHOES = {
  create: 'created-equals-sent',
  replace: 'replaced-is-replaced',
  update: 'merged-is-merged',
} as const;

/** The response to a write shows the current record. */
export const echoOf =
  (action: keyof typeof ECHOES): Judge =>
  (evidence) => {
    const { role, documented, operation, succeeded, request } = evidence;
    if (role?.action !== action || !succeeded || request.violations.length > 0) return undefined;
    if (writeMeaning(operation).acts || !showsRecord(evidence)) return undefined;
    const name = ECHOES[action];
    const got = recordOf(evidence);
    const shape = shownShape(evidence);
    const body = sentMembers(evidence);
    const owed = owedMembers(evidence);
    if (!got || !shape || !body || !owed) return [];
    const { resource } = role;
    const isMerge = isMergePatch(evidence.exchange);
    const sent = isMerge ? mergePatch({}, owed) : action === 'update' ? withoutNulls(owed) : owed;
    const kept = notAsSent(name, resource, shape, sent, got, documented?.spot ?? operation.spot);
    const { seen: before, added, writtenMembers = [] } = ownRecordOf(evidence) ?? {};
    if (!before || (action === 'update' && !keepsRest(operation))) return kept;
    return action === 'replace'
      ? [
          ...kept,
          ...leftOverMembers(
            resource,
            before,
            writtenMembers.filter((name) => !(name in body)),
            got,
          ),
          ...leftOverItems(resource, before, body, got, added),
        ]
      : [...kept, ...changedMembers(name, resource, before, got, operation.spot, Object.keys(body))];
  };

/** Only an old value that remains is evidence: a service may fill in a default, or show null. */
export const nullRemoves: Judge = (evidence) => {
  const nulled = nulledIn(evidence);
  if (nulled.length === 0 || !showsRecord(evidence)) return undefined;
  const record = ownRecordOf(evidence);
  const got = recordOf(evidence);
  const before = evidence.role?.action === 'update' ? record?.seen : record?.before;
  if (!record || !got || !before) return [];
  return nulled.flatMap((name): Broken | [] => {
    const member = memberShape(record.resource.shape, name);
    const old = before[name];
    if (!member || old === undefined || old === null || !isEqual(old, got[name])) return [];
    if (isEqual(member.find('default')?.value, old)) return [];
    const received = `${name} ${shorten(old)}, as before`;
    const documented = `no ${name}, since null in a merge patch removes a member (RFC 7396)`;
    return { received, documented, at: placeOf(evidence.operation.spot), part: toPointer([name]) };
  });
};

/** The members that null in a merge patch removed from the shown record. */
function nulledIn(evidence: Evidence): readonly string[] {
  const { role, exchange, request, succeeded } = evidence;
  if (role?.action === 'read' && succeeded) {
    const record = ownRecordOf(evidence);
    return record?.last === 'updated' ? (record.nulled ?? []) : [];
  }
  if (role?.action !== 'update' || !succeeded || request.violations.length > 0 || !isMergePatch(exchange))
    return [];
  const owed = Object.entries(owedMembers(evidence) ?? {});
  return owed.flatMap(([name, value]) => (value === null ? [name] : []));
}

/** Whether a response shows the record: a documented one to a create does, one to a change only with its schema. */
function showsRecord(evidence: Evidence): boolean {
  const { role } = evidence;
  if (!recordOf(evidence) || !role) return false;
  const isWhole = role.action === 'create' || role.action === 'read';
  return isWhole || shownShape(evidence)?.spot.value === role.resource.shape.spot.value;
}

/** The minimum number of reads that shows a direction. */
export const LOOKS = 3;

/**
 * The numeric members of an unchanged record that move in one direction from read to read: an age, a time left, a decaying
 * value. No request causes their change.
 */
export function driftingMembers(looks: readonly Data[]): string[] {
  if (looks.length < LOOKS) return [];
  return Object.keys(looks[0] ?? {}).filter((name) => isDrift(looks.map((look) => look[name])));
}

function isDrift(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === 'number')) return false;
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0));
  const isOneWay = steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
  return isOneWay && steps.filter((step) => step !== 0).length >= LOOKS - 1;
}

/** Rules that compare a member with an expected value. */
const OF_VALUES: ReadonlySet<LawName> = new Set<LawName>([
  'created-equals-sent',
  'exact-integers',
  'created-can-be-read',
  'created-is-listed',
  'list-and-read-agree',
  'replaced-is-replaced',
  'merged-is-merged',
  'neighbours-untouched',
  'refused-changes-nothing',
  'earlier-records-stay',
]);

export function isAboutDrift(breach: Pick<Breach, 'law' | 'part'>, drifting: ReadonlySet<string>): boolean {
  const member = memberOf(breach);
  return member !== undefined && drifting.has(member);
}

/** The member whose value a breach is about. */
export function memberOf({ law, part }: Pick<Breach, 'law' | 'part'>): string | undefined {
  return OF_VALUES.has(law) ? pointerTokens(part ?? '')[0] : undefined;
}
