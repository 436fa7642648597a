import { explicitStatuses, type Operation, type Resource } from '#spec';
import { listedResources } from '../arrange/lists.ts';
import { askLongList, readById } from '../arrange/requests.ts';
import { createdId, createRecord, pathTo } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import { type Case, type Family, makeCase, makeQuietCase } from './case.ts';

const NOT_FOUND = 404;

/** Removing: records of the run's own only. */
export const removals: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { remove } = resource.actions;
    const success = remove && successStatuses(remove)[0];
    if (!remove || success === undefined || !resource.id?.parameter) return [];
    return [
      gone(resource, remove, success),
      neighbourStays(resource, remove, success),
      ...(explicitStatuses(remove.responses).includes(NOT_FOUND) ? [twice(resource, remove, success)] : []),
      ...(needsKey(remove) ? [unauthorisedStays(resource, remove, success)] : []),
    ];
  });

async function removeOne(
  trial: Trial,
  resource: Resource,
  remove: Operation,
  success: number,
): Promise<Judged & { id: unknown }> {
  const id = await createdId(trial, resource);
  const path = await pathTo(trial, resource, remove, id);
  return { ...(await trial.send(remove, { path, expected: { status: success } })), id };
}

function gone(resource: Resource, remove: Operation, success: number): Case {
  const title = 'a removed record is neither read nor listed';
  return makeQuietCase(remove, success, 'is-gone', title, async (trial) => {
    const { sound, id } = await removeOne(trial, resource, remove, success);
    if (!sound) return;
    await readById(trial, resource, id);
    const [listed] = listedResources([resource]);
    if (listed) await askLongList(trial, listed);
  });
}

function twice(resource: Resource, remove: Operation, success: number): Case {
  const title = 'what was removed is removed again, or not found';
  const one = makeQuietCase(remove, NOT_FOUND, 'twice', title, async (trial) => {
    const { sound, input } = await removeOne(trial, resource, remove, success);
    const { path = {} } = input;
    if (!sound) return;
    // DELETE is idempotent (RFC 9110 §9.2.2): that there is nothing left to remove may be said by either status.
    const again = await trial.send(remove, { path, expected: { status: success, or4xx: true } });
    const about = { question: 'a removal of what was removed', answer: `${again.response.status}` };
    if (again.sound && again.response.status !== NOT_FOUND)
      trial.leaveOpen(`the second time: ${describeStatus(again.response)}`, about);
  });
  return { ...one, demands: false };
}

function neighbourStays(resource: Resource, remove: Operation, success: number): Case {
  const one = makeCase(
    remove,
    success,
    'neighbour',
    'the record beside a removed one stays',
    async (trial) => {
      const beside = await createRecord(trial, resource);
      await readById(trial, resource, beside.id);
      await removeOne(trial, resource, remove, success);
      await readById(trial, resource, beside.id);
    },
  );
  return { ...one, creates: 2 };
}

function unauthorisedStays(resource: Resource, remove: Operation, success: number): Case {
  const title = 'without a credential nothing is removed';
  return makeCase(remove, success, 'unauthorised-changes-nothing', title, async (trial) => {
    const id = await createdId(trial, resource);
    await readById(trial, resource, id);
    await trial.send(remove, {
      path: await pathTo(trial, resource, remove, id),
      refused: NO_CREDENTIAL,
    });
    await readById(trial, resource, id);
  });
}
