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

/** What the run has made below one of its own records is not below another of them. */
export const apartByParent: Judge = (evidence) => {
  const { role, exchange, contract, succeeded } = evidence;
  if (!succeeded || !role || ownersOf(contract)(role.resource).length === 0) return undefined;
  const { resource } = role;
  // A PUT that is answered so has made another one.
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

/** What owns the records of a collection: below one they are not below another, and gone with it. */
export const ownersOf = oncePer(({ resources }: Contract) => {
  const byResource = new Map(resources.map((one) => [one, ownersIn(resources, one)]));
  return (resource: Resource) => byResource.get(resource) ?? ownersIn(resources, resource);
});

/** The record of the run that is shown, if it was made below another parent; both parents are the run's own. */
function strangerIn(
  evidence: Evidence,
  resource: Resource,
  parents: Data,
  record: Data,
): OwnRecord | undefined {
  const { contract, model } = evidence;
  const differs = (one: OwnRecord) =>
    Object.keys(parents).filter((name) => parents[name] !== one.parents[name]);
  const isSame = (one: OwnRecord) =>
    isShown(one, record) || (isAlike(one, record) && isEmptyBelow(evidence, parents, differs(one)));
  const same = [...model.recordsOf(resource, isSame)];
  if (same.some((one) => differs(one).length === 0)) return undefined;
  const apart = new Set(ownersOf(contract)(resource).map(({ parameter }) => parameter));
  const isOwn = (id: unknown) =>
    model.records.some((one) => one.resource !== resource && String(one.id) === id);
  return same.find((one) =>
    differs(one).every((name) => apart.has(name) && isOwn(parents[name]) && isOwn(one.parents[name])),
  );
}

/** Told by the run's mark, else by an id that no two records have by chance. */
function isShown({ resource, id, sent }: OwnRecord, record: Data): boolean {
  const mark = Object.entries(sent).find(([, value]) => isMarked(value));
  if (mark) return record[mark[0]] === mark[1];
  return isUnlikely(id) && record[resource.id?.property ?? ''] === id;
}

/** A small number may be the id of a record below each parent, and then another one has other members. */
function isAlike({ resource, id, sent }: OwnRecord, record: Data): boolean {
  const members = Object.entries(sent);
  return (
    record[resource.id?.property ?? ''] === id &&
    members.every(([name, value]) => sameValue(record[name], value))
  );
}

/** Whether the sequence itself has made these parents, and nothing below them. */
function isEmptyBelow({ contract, operation, earlier }: Evidence, parents: Data, names: readonly string[]) {
  const ancestors = ancestorsOf(contract.resources, operation.path);
  return names.every((name) => {
    const parent = ancestors.find(({ parameter }) => parameter === name)?.parent;
    const creates = earlier.filter(({ role, succeeded }) => succeeded && role?.action === 'create');
    const isMade = creates.some(
      ({ role, exchange }) =>
        role?.resource === parent && parent && String(createdIdOf(parent, exchange)) === parents[name],
    );
    const isUsed = creates.some((one) => namesParent(one, contract, parent, parents[name]));
    return isMade && !isUsed;
  });
}

/** Whether a request is below a record, by the place of its id in the path. */
function namesParent(
  { operation, exchange }: Evidence,
  { resources }: Contract,
  parent: Resource | undefined,
  id: unknown,
): boolean {
  return ancestorsOf(resources, operation.path).some(
    (one) => one.parent === parent && String(exchange.input.path?.[one.parameter]) === id,
  );
}

/** What the sequence has removed, and then not found, has nothing below it. */
export const goneWithParent: Judge = (evidence) => {
  const { role, contract, exchange, operation, succeeded } = evidence;
  if (!succeeded || (role?.action !== 'list' && role?.action !== 'read')) return undefined;
  const owners = ownersOf(contract)(role.resource);
  if (owners.length === 0) return undefined;
  // What was removed with its parent may be shown as over, as that is.
  const [record] = recordsShown(evidence).filter((one) => !isShownAsEnded(role.resource, {}, one));
  const removed = record && owners.find((one) => isRemoved(evidence, one));
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
  const about = earlier.filter((one) => String(one.exchange.input.path?.[name]) === id);
  const at = about.findIndex(({ operation, response }) => operation === remove && isDone(response.status));
  if (at < 0) return false;
  const isGone = ({ operation, response }: Evidence) => operation === read && ABSENT.has(response.status);
  return read === undefined || about.slice(at).some(isGone);
}

/** What is only accepted is done later (RFC 9110 §15.3.3). */
const isDone = (status: number) => isSuccess({ status }) && status !== 202;
