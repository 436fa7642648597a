import {
  type Ancestor,
  ancestorsOf,
  type Contract,
  oncePer,
  ownersOf as ownersIn,
  placeOf,
  type Resource,
} from '#spec';
import { isSuccess } from '../send/response.ts';
import { ABSENT, CREATED, type Data } from '../send/wire.ts';
import { isShownAsEnded, shorten } from './compare-records.ts';
import { type Evidence, recordsShown } from './evidence.ts';
import type { Judge } from './law.ts';
import { isMarked } from './mark.ts';
import { type OwnRecord, parentsOf } from './operation-role.ts';
import { isUnlikely } from './records.ts';
import { sameValue } from './same-value.ts';
import { createdIdOf } from './sent-members.ts';

/** Records that the run created below one of its records do not appear below another. */
export const apartByParent: Judge = (evidence) => {
  const { role, exchange, contract, succeeded } = evidence;
  if (!succeeded || !role || ownersOf(contract)(role.resource).length === 0) return undefined;
  const { resource } = role;
  // A PUT with a 201 created another record.
  if (role.action === 'create' || evidence.response.status === CREATED) return [];
  const parents = parentsOf(resource, exchange.input.path);
  for (const record of recordsShown(evidence)) {
    const stranger = strangerIn(evidence, resource, parents, record);
    if (!stranger) continue;
    const at = placeOf(exchange.operation.spot);
    const received = `${shorten(record)} below ${shorten(parents)}`;
    const documented = `it below ${shorten(stranger.parents)} only, where it was made`;
    return { received, documented, at, about: [record] };
  }
  return [];
};

/** The parents that own the records of a collection: they appear below one parent only, and are removed with it. */
export const ownersOf = oncePer(({ resources }: Contract) => {
  const byResource = new Map(resources.map((resource) => [resource, ownersIn(resources, resource)]));
  return (resource: Resource) => byResource.get(resource) ?? ownersIn(resources, resource);
});

/** The run's record in the response, if it was created below another parent; both parents are the run's. */
function strangerIn(
  evidence: Evidence,
  resource: Resource,
  parents: Data,
  record: Data,
): OwnRecord | undefined {
  const { contract, model } = evidence;
  const differs = (ownRecord: OwnRecord) =>
    Object.keys(parents).filter((name) => parents[name] !== ownRecord.parents[name]);
  const isSame = (ownRecord: OwnRecord) =>
    isShown(ownRecord, record) ||
    (isAlike(ownRecord, record) && isEmptyBelow(evidence, parents, differs(ownRecord)));
  const same = [...model.recordsOf(resource, isSame)];
  if (same.some((ownRecord) => differs(ownRecord).length === 0)) return undefined;
  const apart = new Set(ownersOf(contract)(resource).map(({ parameter }) => parameter));
  const isOwn = (id: unknown) =>
    model.records.some((ownRecord) => ownRecord.resource !== resource && String(ownRecord.id) === id);
  return same.find((ownRecord) =>
    differs(ownRecord).every(
      (name) => apart.has(name) && isOwn(parents[name]) && isOwn(ownRecord.parents[name]),
    ),
  );
}

/** Identified by the run's mark, else by an id that no two records have by chance. */
function isShown({ resource, id, sent }: OwnRecord, record: Data): boolean {
  const mark = Object.entries(sent).find(([, value]) => isMarked(value));
  if (mark) return record[mark[0]] === mark[1];
  return isUnlikely(id) && record[resource.id?.property ?? ''] === id;
}

/** Small ids may repeat below each parent; then other members differ. */
function isAlike({ resource, id, sent }: OwnRecord, record: Data): boolean {
  const members = Object.entries(sent);
  return (
    record[resource.id?.property ?? ''] === id &&
    members.every(([name, value]) => sameValue(record[name], value))
  );
}

/** Whether the sequence itself created these parents, and nothing below them. */
function isEmptyBelow({ contract, operation, earlier }: Evidence, parents: Data, names: readonly string[]) {
  const ancestors = ancestorsOf(contract.resources, operation.path);
  return names.every((name) => {
    const parent = ancestors.find(({ parameter }) => parameter === name)?.parent;
    const creates = earlier.filter(({ role, succeeded }) => succeeded && role?.action === 'create');
    const isMade = creates.some(
      ({ role, exchange }) =>
        role?.resource === parent && parent && String(createdIdOf(parent, exchange)) === parents[name],
    );
    const isUsed = creates.some((create) => namesParent(create, contract, parent, parents[name]));
    return isMade && !isUsed;
  });
}

/** Whether a request is below a record, by the position of its id in the path. */
function namesParent(
  { operation, exchange }: Evidence,
  { resources }: Contract,
  parent: Resource | undefined,
  id: unknown,
): boolean {
  return ancestorsOf(resources, operation.path).some(
    (ancestor) => ancestor.parent === parent && String(exchange.input.path?.[ancestor.parameter]) === id,
  );
}

/** A parent that the sequence removed, and then did not find, has nothing below it. */
export const goneWithParent: Judge = (evidence) => {
  const { role, contract, exchange, operation, succeeded } = evidence;
  if (!succeeded || (role?.action !== 'list' && role?.action !== 'read')) return undefined;
  const owners = ownersOf(contract)(role.resource);
  if (owners.length === 0) return undefined;
  // A record that was removed with its parent may be shown as ended.
  const [record] = recordsShown(evidence).filter((one) => !isShownAsEnded(role.resource, {}, one));
  const removed = record && owners.find((owner) => isRemoved(evidence, owner));
  if (!removed) return [];
  const { parent, parameter } = removed;
  const received = `${shorten(record)} below ${parameter} ${exchange.input.path?.[parameter]}, which was removed`;
  const at = placeOf(parent.actions.remove?.spot ?? operation.spot);
  return { received, documented: 'nothing below it', at, about: [record] };
};

function isRemoved({ earlier, exchange }: Evidence, { parent, parameter }: Ancestor): boolean {
  const id = String(exchange.input.path?.[parameter]);
  const { remove, read } = parent.actions;
  const name = parent.id?.parameter ?? '';
  const about = earlier.filter((evidence) => String(evidence.exchange.input.path?.[name]) === id);
  const at = about.findIndex(({ operation, response }) => operation === remove && isDone(response.status));
  if (at < 0) return false;
  const isGone = ({ operation, response }: Evidence) => operation === read && ABSENT.has(response.status);
  return read === undefined || about.slice(at).some(isGone);
}

/** An accepted request is carried out later (RFC 9110 §15.3.3). */
const isDone = (status: number) => isSuccess({ status }) && status !== 202;
