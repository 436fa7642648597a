import { type Operation, type Resource, writeMeaning } from '#spec';
import { followCreation, readById } from '../arrange/requests.ts';
import { createdStatus, pathToNew } from '../arrange/send-create.ts';
import { ordinaryBody, pathOf } from '../arrange/target.ts';
import { describeStatus, documentedOf } from '../laws/expect-status.ts';
import { createsAtPath, successStatuses } from '../laws/operation-role.ts';
import { NotReached } from '../run/not-reached.ts';
import { isSuccess } from '../send/response.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** A PUT makes the record that its path names, and replaces it the second time (RFC 9110 §9.3.4). */
export const upserts: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { read, replace } = resource.actions;
    const status = replace && createdStatus(replace);
    if (!read || !replace?.body || status === undefined || !createsAtPath(replace)) return [];
    if (writeMeaning(replace).acts || resource.id?.parameter === undefined) return [];
    return [madeAndReplaced(resource, read, replace, status)];
  });

/** What may refuse a record of that path, whatever is written there. */
const REFUSALS = [403, 404, 405, 409, 422];

function madeAndReplaced(resource: Resource, read: Operation, put: Operation, status: number): Case {
  const title = 'what is put where nothing is is made, and is replaced the second time';
  const again = successStatuses(put).find((one) => one !== status) ?? status;
  return makeCase(put, status, 'creates', title, async (trial) => {
    // What the record is called may stand in the path and in the body.
    const mark = trial.marks.next();
    const path = await pathOf(trial, put, pathToNew(trial, resource, put, mark));
    const before = await trial.send(read, { path, unknownId: true, chosenId: true });
    if (isSuccess(before.response)) throw new NotReached('the path that it chose names a record');
    const or4xx = documentedOf(put, REFUSALS).length > 0;
    const made = await trial.send(put, {
      path,
      body: await ordinaryBody(trial, put, { mark }),
      creates: true,
      expected: { status, or4xx },
    });
    if (!made.sound) return;
    if (made.response.status !== status)
      return trial.leaveOpen(`a PUT where nothing is: ${describeStatus(made.response)}`);
    const id = path[resource.id?.parameter ?? ''];
    await followCreation(trial, resource, { ...made, sent: {}, mark: undefined, record: undefined, id });
    if (trial.findings.length > 0) return;
    const { sound } = await trial.send(put, {
      path,
      body: await ordinaryBody(trial, put, { mark, optional: false }),
      creates: false,
      expected: { status: again },
    });
    if (sound) await readById(trial, resource, id);
  });
}
