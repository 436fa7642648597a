import { type Action, answerShape, isRecord, type Operation, placeOf, type Resource } from '#spec';
import { makeBody } from '../arrange/body.ts';
import { type Creation, createRecord } from '../arrange/create.ts';
import { askCompleteList, listedResources } from '../arrange/list.ts';
import { readById } from '../arrange/read.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { jsonOf } from '../laws/answer.ts';
import { judgeForgotten, judgeUnchanged } from '../laws/change.ts';
import type { Breach } from '../laws/law.ts';
import { equalJson, judgeKept } from '../laws/record.ts';
import { successStatuses } from '../operation-role.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

type Data = Record<string, unknown>;

/** Replacing, updating: on records of the run's own only, with a neighbour that must stay as it is. */
export const changes: Family = (contract) =>
  contract.resources.flatMap((resource) =>
    (['replace', 'update'] as const).flatMap((action) => {
      const operation = resource.actions[action];
      const success = operation && successStatuses(operation)[0];
      if (!operation?.body || success === undefined || !resource.id?.parameter) return [];
      return [
        changed(resource, operation, success, action),
        neighbour(resource, operation, success),
        refused(resource, operation, success, 'invalid', { rawBody: '[]' }),
        ...(needsKey(operation)
          ? [refused(resource, operation, success, 'unauthorised', { presented: NO_CREDENTIAL })]
          : []),
      ];
    }),
  );

function changed(resource: Resource, operation: Operation, success: number, action: Action): Case {
  const title =
    action === 'replace'
      ? 'a replaced record is what was sent'
      : 'an updated record has what was sent, and keeps the rest';
  return makeCase(operation, success, 'is-kept', title, async (trial) => {
    const creation = await createRecord(trial, resource);
    const before = await current(trial, resource, creation);
    const sent = await changeBody(trial, operation, action);
    const answer = await trial.ask(operation, {
      path: await pathTo(trial, resource, operation, creation.id),
      body: sent,
    });
    if (!trial.expect(answer, success)) return;
    const judge = (after: Data): Breach[] =>
      action === 'replace'
        ? [
            ...judgeKept('replaced-is-replaced', resource.shape, sent, after, operation.spot),
            ...judgeForgotten(resource, before, sent, after),
          ]
        : [
            ...judgeKept('merged-is-merged', resource.shape, sent, after, operation.spot),
            ...judgeUnchanged('merged-is-merged', resource, before, after, operation.spot, Object.keys(sent)),
          ];
    // A documented answer that is the record itself is the record as it is now.
    const shown = jsonOf(answer);
    const isRecordItself = answerShape(operation)?.spot.value === resource.shape.spot.value;
    if (isRecordItself && isRecord(shown)) trial.blame(judge(shown));
    if (trial.findings.length > 0) return;
    await judgeLater(trial, resource, creation.id, judge);
    if (trial.findings.length === 0) await judgeListed(trial, resource, creation.id, judge);
  });
}

/** A replacing body without its optional members tells a replacement from a merge; an update sends one member. */
async function changeBody(trial: Trial, operation: Operation, action: Action): Promise<Data> {
  const mark = trial.run.marks.next();
  const body = await makeBody(trial, operation, { mark, optional: action !== 'replace' });
  if (action === 'replace') return body;
  const required = operation.body?.content.find(({ isJson }) => isJson)?.shape?.required;
  const [marked] = Object.entries(body).find(([, value]) => value === mark) ?? Object.entries(body)[0] ?? [];
  return Object.fromEntries(Object.entries(body).filter(([name]) => name === marked || required?.has(name)));
}

function neighbour(resource: Resource, operation: Operation, success: number): Case {
  return makeCase(operation, success, 'neighbour', 'the record beside it stays as it was', async (trial) => {
    const creation = await createRecord(trial, resource);
    const beside = await createRecord(trial, resource);
    const before = await current(trial, resource, beside);
    const body = await makeBody(trial, operation, { mark: trial.run.marks.next() });
    const answer = await trial.ask(operation, {
      path: await pathTo(trial, resource, operation, creation.id),
      body,
    });
    if (!trial.expect(answer, success)) return;
    await judgeLater(trial, resource, beside.id, (after) =>
      judgeUnchanged('neighbours-untouched', resource, before, after, operation.spot),
    );
  });
}

function refused(
  resource: Resource,
  operation: Operation,
  success: number,
  slug: string,
  how: { rawBody?: string; presented?: typeof NO_CREDENTIAL },
): Case {
  return makeCase(
    operation,
    success,
    `${slug}-changes-nothing`,
    `an ${slug} change changes nothing`,
    async (trial) => {
      const creation = await createRecord(trial, resource);
      const before = await current(trial, resource, creation);
      const body = await makeBody(trial, operation, { mark: trial.run.marks.next() });
      const path = await pathTo(trial, resource, operation, creation.id);
      const answer = await trial.ask(operation, { path, body, ...how });
      // Where it was not refused, the cases of the refusal say so.
      if (answer.status < 400) return;
      await judgeLater(trial, resource, creation.id, (after) =>
        judgeUnchanged('refused-changes-nothing', resource, before, after, operation.spot),
      );
    },
  );
}

/** The record as the service shows it after its creation: what it adds by itself is then known. */
async function current(trial: Trial, resource: Resource, creation: Creation): Promise<Data> {
  const read = await readById(trial, resource, creation.id, ({ record }) => record !== undefined);
  return read?.record ?? creation.record ?? creation.sent;
}

async function judgeLater(
  trial: Trial,
  resource: Resource,
  id: unknown,
  judge: (after: Data) => Breach[],
): Promise<void> {
  const read = await readById(
    trial,
    resource,
    id,
    ({ record }) => record !== undefined && judge(record).length === 0,
  );
  if (!read) return;
  if (read.record) return trial.blame(judge(read.record));
  const received = `${read.answer.status} for a record that was not removed`;
  trial.blame([
    { law: 'created-can-be-read', received, documented: `${read.success}`, at: placeOf(read.operation.spot) },
  ]);
}

/** The list tells of the change, too, where it shows the record at all. */
async function judgeListed(
  trial: Trial,
  resource: Resource,
  id: unknown,
  judge: (after: Data) => Breach[],
): Promise<void> {
  const [listed] = listedResources([resource]);
  // A list may show less of a record than the record itself does.
  const sameForm = answerShape(listed?.operation)?.items?.spot.value === resource.shape.spot.value;
  if (!listed || !sameForm) return;
  const find = async () =>
    (await askCompleteList(trial, listed))?.find((one) => equalJson(one[resource.id?.property ?? ''], id));
  const record = await untilSettled(
    trial.run.settings.settle,
    find,
    (seen) => seen === undefined || judge(seen).length === 0,
  );
  if (record) trial.blame(judge(record));
}

export async function pathTo(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  id: unknown,
): Promise<Data> {
  const own = { [resource.id?.parameter ?? '']: id };
  return { ...(await trial.run.world.pathOf(trial, operation, own)), ...own };
}
