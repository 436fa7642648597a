import { answerShape, bodyMedia, type Contract, explicitStatuses, memberShape, type Operation } from '#spec';
import { isRemoval, listedResources, type On, onEach } from '../arrange/lists.ts';
import { inRecord } from '../arrange/record-members.ts';
import { askLongList, readById } from '../arrange/requests.ts';
import { createdId, createRecord, ordinaryBody, pathTo } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { bears, recordInBody, recordSent } from '../laws/mark.ts';
import { isMergePatchType } from '../laws/sent-members.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { type Data, NOT_FOUND } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';
import { brokenBodies } from './broken-bodies.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Replacing and updating the run's records, beside a neighbour that must not change. */
export const changes: Family = (contract, settings) =>
  onEach(contract.resources, 'replace', 'update').flatMap((on) => {
    const { operation, resource } = on;
    if (!operation.body || !resource.id?.parameter) return [];
    return [
      changed(on),
      neighbour(on),
      ...invalidInputs(contract, settings, operation).map((how) => refused(on, 'invalid', how)),
      ...unauthorised(on),
    ];
  });

const unauthorised = (on: On) =>
  needsKey(on.operation) ? [refused(on, 'unauthorised', { refused: NO_CREDENTIAL })] : [];

/** At most one: a list instead of an object or, where bytes cannot distinguish these, a violated keyword. */
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

const isReplacement = ({ resource, operation }: On) => operation === resource.actions.replace;

function changed(on: On): Case {
  const title = isReplacement(on)
    ? 'a replaced record is what was sent'
    : 'an updated record has what was sent, and keeps the rest';
  return makeCase(on, 'is-kept', title, async (trial) => {
    const { resource, operation, status } = on;
    const id = await createdId(trial, resource);
    // Reads what the service added by itself.
    await readById(trial, resource, id);
    const path = await pathTo(trial, resource, operation, id);
    const body = await changeBody(trial, on);
    const sent = await trial.send(operation, { path, body, expected: { status } });
    if (!sent.sound) return;
    await readById(trial, resource, id);
    const [listed] = listedResources([resource]);
    // A list may show fewer members than the record has.
    const hasSameSchema = answerShape(listed?.operation)?.items?.spot.value === resource.shape.spot.value;
    if (listed && hasSameSchema && trial.findings.length === 0) await askLongList(trial, listed);
  });
}

/** The body of a change: all members but the optional ones for a replacement, one member for an update. */
async function changeBody(trial: Trial, on: On): Promise<Data> {
  const { operation, resource } = on;
  const mark = trial.marks.next();
  const body = await ordinaryBody(trial, operation, { mark, optional: !isReplacement(on) });
  if (isReplacement(on)) return body;
  const required = recordInBody(resource, operation).shape?.required;
  const sent = Object.entries(recordSent(resource, operation, body));
  const [marked] = sent.find(([, value]) => bears(value, mark)) ?? sent[0] ?? [];
  const kept = sent.filter(([name]) => name === marked || required?.has(name));
  return inRecord(resource, operation, () => Object.fromEntries(kept))(body, undefined);
}

/** Sends a change or the removal of a record. */
async function sendTo(trial: Trial, on: On, id: unknown, how: Partial<RequestInput> = {}): Promise<Judged> {
  const { resource, operation } = on;
  const path = await pathTo(trial, resource, operation, id);
  if (isRemoval(on)) return trial.send(operation, { path, ...how });
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  return trial.send(operation, { path, body, ...how });
}

function neighbour(on: On): Case {
  const { resource, status } = on;
  const title = isRemoval(on)
    ? 'the record beside a removed one stays'
    : 'the record beside it stays as it was';
  const drive = async (trial: Trial) => {
    const id = await createdId(trial, resource);
    const beside = await createRecord(trial, resource);
    await readById(trial, resource, beside.id);
    const sent = await sendTo(trial, on, id, { expected: { status } });
    if (sent.sound) await readById(trial, resource, beside.id);
  };
  return makeCase(on, 'neighbour', title, drive, { quiet: true, creates: 2 });
}

function refused(on: On, slug: string, how: Pick<RequestInput, 'rawBody' | 'refused' | 'body'>): Case {
  const title = isRemoval(on)
    ? 'without a credential nothing is removed'
    : `an ${slug} change changes nothing`;
  return makeCase(on, `${slug}-changes-nothing`, title, async (trial) => {
    const id = await createdId(trial, on.resource);
    await readById(trial, on.resource, id);
    await sendTo(trial, on, id, how);
    await readById(trial, on.resource, id);
  });
}

/** Null in a merge patch removes a member (RFC 7396), where the schema of the patch allows null. */
export const mergePatches: Family = (contract) =>
  onEach(contract.resources, 'update').flatMap((on) => {
    const { resource, operation } = on;
    const media = bodyMedia(operation.body);
    if (!media?.shape || !isMergePatchType(media.type) || !resource.id?.parameter) return [];
    const mayLack = (name: string) =>
      !resource.shape.required.has(name) || memberShape(resource.shape, name)?.nullable;
    return [...media.shape.properties]
      .filter(([name, member]) => member.nullable && mayLack(name) && !member.readOnly)
      .map(([name]) => nullRemoves(on, name));
  });

function nullRemoves(on: On, name: string): Case {
  const title = `null for ${name} in a merge patch removes it`;
  return makeCase(on, `${slugOf(name)}-null`, title, async (trial) => {
    const { resource, operation: update, status } = on;
    const { id, sent } = await createRecord(trial, resource);
    if (sent[name] === undefined || sent[name] === null)
      throw new NotReached(`no record can be created with a ${name}`);
    await readById(trial, resource, id);
    const path = await pathTo(trial, resource, update, id);
    const ordinary = await ordinaryBody(trial, update);
    const { required } = bodyMedia(update.body)?.shape ?? {};
    const kept = Object.entries(ordinary).filter(([other]) => required?.has(other));
    const body = { ...Object.fromEntries(kept), [name]: null };
    const { sound, response } = await trial.send(update, { path, body, expected: { status, or4xx: true } });
    if (sound && response.status === status) await readById(trial, resource, id);
    else if (sound) trial.leaveOpen(`${name} null in a merge patch: ${describeStatus(response)}`);
  });
}

/** Removing the run's records. */
export const removals: Family = (contract) =>
  onEach(contract.resources, 'remove').flatMap((on) => {
    if (!on.resource.id?.parameter) return [];
    const isMissed = explicitStatuses(on.operation.responses).includes(NOT_FOUND);
    return [gone(on), neighbour(on), ...(isMissed ? [twice(on)] : []), ...unauthorised(on)];
  });

function gone(on: On): Case {
  const title = 'a removed record is neither read nor listed';
  const drive = async (trial: Trial) => {
    const { resource, status } = on;
    const id = await createdId(trial, resource);
    const { sound } = await sendTo(trial, on, id, { expected: { status } });
    if (!sound) return;
    await readById(trial, resource, id);
    const [listed] = listedResources([resource]);
    if (listed) await askLongList(trial, listed);
  };
  return makeCase(on, 'is-gone', title, drive, { quiet: true });
}

function twice(on: On): Case {
  const { operation: remove, status } = on;
  const title = 'what was removed is removed again, or not found';
  const drive = async (trial: Trial) => {
    const id = await createdId(trial, on.resource);
    const { sound, input } = await sendTo(trial, on, id, { expected: { status } });
    const { path = {} } = input;
    if (!sound) return;
    // DELETE is idempotent (RFC 9110 §9.2.2): success or an error may say that nothing is left to remove.
    const again = await trial.send(remove, { path, expected: { status, or4xx: true } });
    const about = { question: 'a removal of what was removed', answer: `${again.response.status}` };
    if (again.sound && again.response.status !== NOT_FOUND)
      trial.leaveOpen(`the second time: ${describeStatus(again.response)}`, about);
  };
  const cell = { operation: remove, status: NOT_FOUND };
  return makeCase(cell, 'twice', title, drive, { quiet: true, demands: false });
}
