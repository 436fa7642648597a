import { type Contract, conditionalOf, explicitStatuses, type Resource } from '#spec';
import { isRemoval, type On, onEach } from '../arrange/lists.ts';
import { anotherBody, readById } from '../arrange/requests.ts';
import { createdId, pathTo } from '../arrange/target.ts';
import { strongTag } from '../laws/conditional.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { Condition } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import type { Settings } from '../settings/settings.ts';
import { about, type Case, type Family, makeCase } from './case.ts';

const CURRENT: Condition = { header: 'If-Match', version: 'current' };
const FORMER: Condition = { header: 'If-Match', version: 'former' };

/** Conditional requests (RFC 9110 §13) for the run's records, as documented. */
export const conditionals: Family = (contract, settings) =>
  onEach(contract.resources, 'read').flatMap((on) => {
    const { resource, operation: read } = on;
    if (!resource.id?.parameter) return [];
    const { tag, notModified } = conditionalOf(contract, read);
    return [
      ...(tag?.certainty === 'promised' ? [sameTag(on)] : []),
      ...(notModified ? [about(notModified, settings, revalidated(on))] : []),
      ...onEach([resource], 'replace', 'update', 'remove').flatMap((change) =>
        ofChange(contract, settings, change),
      ),
    ];
  });

async function readVersion(trial: Trial, resource: Resource, id: unknown): Promise<string> {
  const judged = await readById(trial, resource, id);
  const tag = judged && strongTag(judged.response);
  if (tag === undefined) throw new NotProvoked('the target shows no strong ETag');
  return tag;
}

function sameTag(on: On): Case {
  const title = 'an ETag stays as long as nothing changes';
  const drive = async (trial: Trial) => {
    const id = await createdId(trial, on.resource);
    await readVersion(trial, on.resource, id);
    await readById(trial, on.resource, id);
  };
  return makeCase(on, 'same-etag', title, drive, { unsafe: true });
}

function revalidated({ resource, operation }: On): Case {
  const title = 'who has the current version gets no other one';
  const drive = async (trial: Trial) => {
    const id = await createdId(trial, resource);
    const path = await pathTo(trial, resource, operation, id);
    const tag = await readVersion(trial, resource, id);
    const condition = { header: 'If-None-Match', version: 'current' } as const;
    await trial.send(operation, { path, condition });
    if (!(await changed(trial, resource, id)) || (await readVersion(trial, resource, id)) === tag) return;
    await trial.send(operation, { path, condition: { ...condition, version: 'former' } });
  };
  return makeCase({ operation, status: 304 }, 'not-modified', title, drive, { unsafe: true });
}

/** Makes an ordinary change of the record. False: none is documented, or the target rejected it. */
async function changed(trial: Trial, resource: Resource, id: unknown): Promise<boolean> {
  const [on] = onEach([resource], resource.actions.update ? 'update' : 'replace');
  if (!on?.operation.body) return false;
  const { operation, status } = on;
  const path = await pathTo(trial, resource, operation, id);
  const body = await anotherBody(trial, operation);
  const { sound, response } = await trial.send(operation, { path, body, expected: { status } });
  return sound && isSuccess(response);
}

function ofChange(contract: Contract, settings: Settings, on: On): Case[] {
  const { operation, status } = on;
  if (!isRemoval(on) && !operation.body) return [];
  const { refusesStale, needsCondition } = conditionalOf(contract, operation);
  const stated = explicitStatuses(operation.responses).includes(412) ? 412 : status;
  return [
    ...(refusesStale ? [about(refusesStale, settings, stale({ ...on, status: stated }))] : []),
    ...(needsCondition ? [about(needsCondition, settings, unconditional({ ...on, status: 428 }))] : []),
  ];
}

/** Sends a change with or without an entity tag. */
async function attempt(trial: Trial, on: On, id: unknown, condition: Condition): Promise<Judged> {
  const { resource, operation } = on;
  const path = await pathTo(trial, resource, operation, id);
  if (isRemoval(on)) return trial.send(operation, { path, condition });
  return trial.send(operation, { path, body: await anotherBody(trial, operation), condition });
}

/** The record changes in between, so that a request with the earlier tag would undo that change. */
function stale(on: On): Case {
  const { resource } = on;
  const title =
    'a change that names a former version is refused, and one that names the current version is not';
  return makeCase(on, 'stale', title, async (trial) => {
    const id = await createdId(trial, resource);
    const first = await readVersion(trial, resource, id);
    if (isRemoval(on)) await changed(trial, resource, id);
    else await attempt(trial, on, id, CURRENT);
    if ((await readVersion(trial, resource, id)) === first)
      throw new NotProvoked('the record cannot be changed, or its ETag does not change with it');
    await attempt(trial, on, id, FORMER);
    await readById(trial, resource, id);
    if (!isRemoval(on)) return;
    const { response } = await attempt(trial, on, id, CURRENT);
    if (!isSuccess(response)) await readById(trial, resource, id);
  });
}

function unconditional(on: On): Case {
  const title = 'a change without a condition is refused, and changes nothing';
  return makeCase(on, 'unconditional', title, async (trial) => {
    const id = await createdId(trial, on.resource);
    await readById(trial, on.resource, id);
    await attempt(trial, on, id, 'none');
    await readById(trial, on.resource, id);
  });
}
