import { type Contract, conditionalOf, explicitStatuses, type Operation, type Resource } from '#spec';
import { anotherBody, readById } from '../arrange/requests.ts';
import { createdId, pathTo } from '../arrange/target.ts';
import { strongTag } from '../laws/conditional.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { Condition } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import type { Settings } from '../settings/settings.ts';
import { about, type Case, type Family, makeCase } from './case.ts';

const CURRENT: Condition = { header: 'If-Match', version: 'current' };
const FORMER: Condition = { header: 'If-Match', version: 'former' };

/** What the document says of versions (RFC 9110 §13), on records of the run's own. */
export const conditionals: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { read, replace, update, remove } = resource.actions;
    const success = read && successStatuses(read)[0];
    if (!read || success === undefined || !resource.id?.parameter) return [];
    const { tag, notModified } = conditionalOf(contract, read);
    return [
      ...(tag?.certainty === 'promised' ? [sameTag(resource, read, success)] : []),
      ...(notModified ? [about(notModified, settings, revalidated(resource, read))] : []),
      ...[replace, update, remove].flatMap((one) => (one ? ofChange(contract, settings, resource, one) : [])),
    ];
  });

/** The version that a read shows. */
async function readVersion(trial: Trial, resource: Resource, id: unknown): Promise<string> {
  const shown = await readById(trial, resource, id);
  const tag = shown && strongTag(shown.response);
  if (tag === undefined) throw new NotProvoked('the target shows no strong ETag');
  return tag;
}

function sameTag(resource: Resource, read: Operation, success: number): Case {
  const title = 'an ETag stays as long as nothing changes';
  const drive = async (trial: Trial) => {
    const id = await createdId(trial, resource);
    await readVersion(trial, resource, id);
    await readById(trial, resource, id);
  };
  return makeCase(read, success, 'same-etag', title, drive, true);
}

function revalidated(resource: Resource, read: Operation): Case {
  const title = 'who has the current version gets no other one';
  const drive = async (trial: Trial) => {
    const id = await createdId(trial, resource);
    const path = await pathTo(trial, resource, read, id);
    const tag = await readVersion(trial, resource, id);
    const condition = { header: 'If-None-Match', version: 'current' } as const;
    await trial.send(read, { path, condition });
    if (!(await changed(trial, resource, id)) || (await readVersion(trial, resource, id)) === tag) return;
    await trial.send(read, { path, condition: { ...condition, version: 'former' } });
  };
  return makeCase(read, 304, 'not-modified', title, drive, true);
}

/** Changes the record in an ordinary way. False: the document has none, or the target did not take it. */
async function changed(trial: Trial, resource: Resource, id: unknown): Promise<boolean> {
  const operation = resource.actions.update ?? resource.actions.replace;
  const status = operation && successStatuses(operation)[0];
  if (!operation?.body || status === undefined) return false;
  const path = await pathTo(trial, resource, operation, id);
  const body = await anotherBody(trial, operation);
  const { sound, response } = await trial.send(operation, { path, body, expected: { status } });
  return sound && isSuccess(response);
}

function ofChange(contract: Contract, settings: Settings, resource: Resource, operation: Operation): Case[] {
  const [success] = successStatuses(operation);
  const isRemoval = operation === resource.actions.remove;
  if (success === undefined || !(isRemoval || operation.body)) return [];
  const { refusesStale, needsCondition } = conditionalOf(contract, operation);
  const documented = explicitStatuses(operation.responses);
  return [
    ...(refusesStale
      ? [about(refusesStale, settings, stale(resource, operation, documented.includes(412) ? 412 : success))]
      : []),
    ...(needsCondition ? [about(needsCondition, settings, unconditional(resource, operation))] : []),
  ];
}

/** A change that names a version, or none. */
async function attempt(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  id: unknown,
  condition: Condition,
): Promise<Judged> {
  const path = await pathTo(trial, resource, operation, id);
  if (operation === resource.actions.remove) return trial.send(operation, { path, condition });
  return trial.send(operation, { path, body: await anotherBody(trial, operation), condition });
}

/** The record changes in between, so that a request that names the version before would undo the change. */
function stale(resource: Resource, operation: Operation, status: number): Case {
  const title =
    'a change that names a former version is refused, and one that names the current version is not';
  return makeCase(operation, status, 'stale', title, async (trial) => {
    const isRemoval = operation === resource.actions.remove;
    const id = await createdId(trial, resource);
    const first = await readVersion(trial, resource, id);
    if (isRemoval) await changed(trial, resource, id);
    else await attempt(trial, resource, operation, id, CURRENT);
    if ((await readVersion(trial, resource, id)) === first)
      throw new NotProvoked('the record cannot be changed, or its ETag does not change with it');
    await attempt(trial, resource, operation, id, FORMER);
    await readById(trial, resource, id);
    if (!isRemoval) return;
    const { response } = await attempt(trial, resource, operation, id, CURRENT);
    if (!isSuccess(response)) await readById(trial, resource, id);
  });
}

function unconditional(resource: Resource, operation: Operation): Case {
  const title = 'a change without a condition is refused, and changes nothing';
  return makeCase(operation, 428, 'unconditional', title, async (trial) => {
    const id = await createdId(trial, resource);
    await readById(trial, resource, id);
    await attempt(trial, resource, operation, id, 'none');
    await readById(trial, resource, id);
  });
}
