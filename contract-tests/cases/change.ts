import {
  answerShape,
  bodyMedia,
  type Contract,
  explicitStatuses,
  isRecord,
  type Operation,
  type Resource,
} from '#spec';
import { listedResources } from '../arrange/lists.ts';
import { inRecord } from '../arrange/record-members.ts';
import { askLongList, readById } from '../arrange/requests.ts';
import { createdId, createRecord, ordinaryBody, pathTo } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { bears, recordInBody, recordSent } from '../laws/mark.ts';
import { resourceOf, successStatuses } from '../laws/operation-role.ts';
import { isMergePatchType } from '../laws/sent-members.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Settings } from '../settings/settings.ts';
import { brokenBodies } from './broken-bodies.ts';
import { type Case, type Family, makeCase, makeQuietCase, slugOf } from './case.ts';

type Data = Readonly<Record<string, unknown>>;
type Change = 'replace' | 'update';

/** Replacing and updating: on records of the run's own only, with a neighbour that must stay as it is. */
export const changes: Family = (contract, settings) =>
  contract.resources.flatMap((resource) =>
    (['replace', 'update'] as const).flatMap((action) => {
      const operation = resource.actions[action];
      const success = operation && successStatuses(operation)[0];
      if (!operation?.body || success === undefined || !resource.id?.parameter) return [];
      return [
        changed(resource, operation, success, action),
        neighbour(resource, operation, success),
        ...invalidInputs(contract, settings, operation).map((how) =>
          refused(resource, operation, success, 'invalid', how),
        ),
        ...(needsKey(operation)
          ? [refused(resource, operation, success, 'unauthorised', { refused: NO_CREDENTIAL })]
          : []),
      ];
    }),
  );

/** At most one: a list in the place of an object, and where bytes cannot tell these apart, a broken keyword. */
function invalidInputs(
  contract: Contract,
  settings: Settings,
  operation: Operation,
): Pick<RequestInput, 'rawBody' | 'body'>[] {
  const media = bodyMedia(operation.body);
  if (!media || media.isJson || media.type.includes('*')) return [{ rawBody: '[]' }];
  return brokenBodies(contract, settings, operation)
    .slice(0, 1)
    .map(({ value }) => ({ body: value }));
}

const TITLES: Readonly<Record<Change, string>> = {
  replace: 'a replaced record is what was sent',
  update: 'an updated record has what was sent, and keeps the rest',
};

function changed(resource: Resource, operation: Operation, success: number, action: Change): Case {
  return makeCase(operation, success, 'is-kept', TITLES[action], async (trial) => {
    const id = await createdId(trial, resource);
    // What the service adds by itself is known from then on.
    await readById(trial, resource, id);
    const path = await pathTo(trial, resource, operation, id);
    const sent = await trial.send(operation, {
      path,
      body: await changeBody(trial, operation, action),
      expected: { status: success },
    });
    if (!sent.sound) return;
    await readById(trial, resource, id);
    const [listed] = listedResources([resource]);
    // A list may show less of a record than the record itself does.
    const hasSameSchema = answerShape(listed?.operation)?.items?.spot.value === resource.shape.spot.value;
    if (listed && hasSameSchema && trial.findings.length === 0) await askLongList(trial, listed);
  });
}

/** A replacing body without its optional members tells a replacement from a merge; an update sends one member. */
async function changeBody(trial: Trial, operation: Operation, action: Change): Promise<Data> {
  const mark = trial.marks.next();
  const body = await ordinaryBody(trial, operation, { mark, optional: action !== 'replace' });
  if (action === 'replace') return body;
  const resource = resourceOf(trial.run.contract, operation);
  const required = recordInBody(resource, operation).shape?.required;
  const sent = Object.entries(recordSent(resource, operation, body));
  const [marked] = sent.find(([, value]) => bears(value, mark)) ?? sent[0] ?? [];
  const kept = sent.filter(([name]) => name === marked || required?.has(name));
  return inRecord(resource, operation, () => Object.fromEntries(kept))(body, undefined);
}

/** Sends a change, or the removal, of a record. */
async function sendTo(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  id: unknown,
  how: Partial<RequestInput>,
): Promise<Judged> {
  const path = await pathTo(trial, resource, operation, id);
  if (operation === resource.actions.remove) return trial.send(operation, { path, ...how });
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  return trial.send(operation, { path, body, ...how });
}

function neighbour(resource: Resource, operation: Operation, success: number): Case {
  const isRemoval = operation === resource.actions.remove;
  const title = isRemoval ? 'the record beside a removed one stays' : 'the record beside it stays as it was';
  const one = makeCase(operation, success, 'neighbour', title, async (trial) => {
    const id = await createdId(trial, resource);
    const beside = await createRecord(trial, resource);
    await readById(trial, resource, beside.id);
    const sent = await sendTo(trial, resource, operation, id, { expected: { status: success } });
    if (sent.sound) await readById(trial, resource, beside.id);
  });
  return { ...one, creates: 2 };
}

function refused(
  resource: Resource,
  operation: Operation,
  success: number,
  slug: string,
  how: Pick<RequestInput, 'rawBody' | 'refused' | 'body'>,
): Case {
  const isRemoval = operation === resource.actions.remove;
  const title = isRemoval ? 'without a credential nothing is removed' : `an ${slug} change changes nothing`;
  return makeCase(operation, success, `${slug}-changes-nothing`, title, async (trial) => {
    const id = await createdId(trial, resource);
    await readById(trial, resource, id);
    await sendTo(trial, resource, operation, id, how);
    await readById(trial, resource, id);
  });
}

/** Null in a merge patch removes a member (RFC 7396), where the schema of the patch has null. */
export const mergePatches: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { update } = resource.actions;
    const success = update && successStatuses(update)[0];
    const media = bodyMedia(update?.body);
    const isMerge = media && isMergePatchType(media.type);
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

const NOT_FOUND = 404;

/** Removing: records of the run's own only. */
export const removals: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { remove } = resource.actions;
    const success = remove && successStatuses(remove)[0];
    if (!remove || success === undefined || !resource.id?.parameter) return [];
    return [
      gone(resource, remove, success),
      neighbour(resource, remove, success),
      ...(explicitStatuses(remove.responses).includes(NOT_FOUND) ? [twice(resource, remove, success)] : []),
      ...(needsKey(remove)
        ? [refused(resource, remove, success, 'unauthorised', { refused: NO_CREDENTIAL })]
        : []),
    ];
  });

function gone(resource: Resource, remove: Operation, success: number): Case {
  const title = 'a removed record is neither read nor listed';
  return makeQuietCase(remove, success, 'is-gone', title, async (trial) => {
    const id = await createdId(trial, resource);
    const { sound } = await sendTo(trial, resource, remove, id, { expected: { status: success } });
    if (!sound) return;
    await readById(trial, resource, id);
    const [listed] = listedResources([resource]);
    if (listed) await askLongList(trial, listed);
  });
}

function twice(resource: Resource, remove: Operation, success: number): Case {
  const title = 'what was removed is removed again, or not found';
  const one = makeQuietCase(remove, NOT_FOUND, 'twice', title, async (trial) => {
    const id = await createdId(trial, resource);
    const { sound, input } = await sendTo(trial, resource, remove, id, { expected: { status: success } });
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
