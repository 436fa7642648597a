import { bodyMedia, isRecord, type Operation, type Resource } from '#spec';
import { readById } from '../arrange/ask.ts';
import { createRecord, ordinaryBody, pathTo } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Case } from './case.ts';
import { type Family, makeCase, slugOf } from './family.ts';

/** Null in a merge patch removes a member (RFC 7396), where the schema of the patch has null. */
export const mergePatches: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { update } = resource.actions;
    const success = update && successStatuses(update)[0];
    const media = bodyMedia(update?.body);
    const isMerge = media && /^application\/merge-patch\+json\b/i.test(media.type);
    if (!update || success === undefined || !isMerge || !media.shape || !resource.id?.parameter) return [];
    return [...media.shape.properties]
      .filter(([name, member]) => member.nullable && !resource.shape.required.has(name) && !member.readOnly)
      .map(([name]) => nullRemoves(resource, update, success, name));
  });

function nullRemoves(resource: Resource, update: Operation, success: number, name: string): Case {
  const title = `null for ${name} in a merge patch removes it`;
  return makeCase(update, success, `${slugOf(name)}-null`, title, async (trial) => {
    const { id, sent } = await createRecord(trial, resource);
    if (sent[name] === undefined || sent[name] === null)
      throw new NotReached(`no record can be created with a ${name}`);
    await readById(trial, resource, id);
    const path = await pathTo(trial, resource, update, id);
    const ordinary = await ordinaryBody(trial, update);
    const { required } = bodyMedia(update.body)?.shape ?? {};
    const kept = Object.entries(isRecord(ordinary) ? ordinary : {}).filter(([other]) => required?.has(other));
    const { sound, response } = await trial.send(update, {
      path,
      body: { ...Object.fromEntries(kept), [name]: null },
      expected: { status: success, or4xx: true },
    });
    if (sound && response.status === success) await readById(trial, resource, id);
    else if (sound) trial.leaveOpen(`${name} null in a merge patch: ${describeStatus(response)}`);
  });
}
