import { placeOf, type Resource } from '#spec';
import { askCompleteList, askList, type Listed, listedResources } from '../arrange/list.ts';
import { markMember } from '../arrange/mark.ts';
import type { Kept } from '../arrange/memory.ts';
import { readById } from '../arrange/read.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { judgeDistinct } from '../laws/identity.ts';
import type { Breach } from '../laws/law.ts';
import { equalJson, judgeKept } from '../laws/record.ts';
import { shorten } from '../laws/shorten.ts';
import { successStatuses } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

type Data = Record<string, unknown>;

/** What has become of the run's records, and of the bodies that were refused, when all other cases are over. */
export const inTheEnd: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { create } = listed.resource.actions;
    const success = create && successStatuses(create)[0];
    if (!create || success === undefined) return [];
    const one = (slug: string, title: string, run: Case['run']) =>
      makeCase(create, success, slug, title, run);
    return [
      one('earlier-records', 'records made early in the run are as they were', (trial) =>
        earlierRecords(trial, listed),
      ),
      one('all-ids-differ', 'all records of the run have ids of their own', (trial) =>
        allIdsDiffer(trial, listed),
      ),
      one('refused-are-nowhere', 'no body that was refused has become a record', (trial) =>
        refusedAreNowhere(trial, listed),
      ),
    ];
  });

const LOOKED_AT = 4;

function keptOf(trial: Trial, resource: Resource): Kept[] {
  return trial.run.memory.kept.filter((kept) => kept.resource === resource);
}

async function earlierRecords(trial: Trial, listed: Listed): Promise<void> {
  const { resource } = listed;
  const kept = keptOf(trial, resource);
  const chosen = kept.filter((_, index) => index % Math.ceil(kept.length / LOOKED_AT) === 0);
  for (const { id, sent } of chosen) await expectAsSent(trial, resource, id, sent);
  const property = resource.id?.property ?? '';
  const lost = (records: readonly Data[]) =>
    kept.find(({ id }) => !records.some((record) => equalJson(record[property], id)));
  const records = await untilSettled(
    trial.run.settings.settle,
    () => askCompleteList(trial, listed),
    (seen) => seen === undefined || lost(seen) === undefined,
  );
  const missing = records && lost(records);
  if (records && missing)
    blame(trial, listed, `a complete list of ${records.length} without ${property} ${shorten(missing.id)}`);
}

async function expectAsSent(trial: Trial, resource: Resource, id: unknown, sent: Data): Promise<void> {
  const judge = (record: Data | undefined): Breach[] =>
    judgeKept('earlier-records-stay', resource.shape, sent, record, resource.shape.spot);
  const read = await readById(
    trial,
    resource,
    id,
    ({ record }) => record !== undefined && judge(record).length === 0,
  );
  if (!read) return;
  if (read.record) return trial.blame(judge(read.record));
  const received = `${read.answer.status} for ${resource.id?.property} ${shorten(id)}, which could be read before`;
  trial.blame([
    {
      law: 'earlier-records-stay',
      received,
      documented: `${read.success}`,
      at: placeOf(read.operation.spot),
    },
  ]);
}

function blame(trial: Trial, { operation }: Listed, received: string): void {
  trial.blame([
    {
      law: 'earlier-records-stay',
      received,
      documented: 'every record that was made',
      at: placeOf(operation.spot),
    },
  ]);
}

/** Among themselves, and from those that the list showed at first, unless others may have removed these. */
async function allIdsDiffer(trial: Trial, listed: Listed): Promise<void> {
  const { resource } = listed;
  const ids = keptOf(trial, resource).map(({ id }) => id);
  const property = resource.id?.property;
  if (property === undefined) return;
  const first = resource.actions.remove ? [] : await trial.run.world.records(trial, resource);
  const breaches = judgeDistinct(resource, [...ids, ...first.map((record) => record[property])]);
  if (breaches.length === 0) return;
  await askList(trial, listed, {});
  trial.blame(breaches);
}

async function refusedAreNowhere(trial: Trial, listed: Listed): Promise<void> {
  const create = listed.resource.actions.create;
  const shape = create?.body?.content.find(({ isJson }) => isJson)?.shape;
  const member = shape && markMember(shape);
  if (!create || member === undefined) return;
  const { pageSize, filters } = listed.form;
  const greatest = pageSize?.shape.range.high?.value;
  const page: Data = pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {};
  const filtered = filters.flatMap(({ parameter }) =>
    (parameter.shape.values ?? []).map((value): Data => ({ ...page, [parameter.name]: value })),
  );
  for (const query of [page, ...filtered]) {
    const { records } = await askList(trial, listed, query);
    const left = records.find((record) => trial.run.memory.wasRefused(record[member]));
    if (!left) continue;
    const received = `${shorten(left)}, which a refused request was to create`;
    const documented = 'no record of a refused request';
    const at = placeOf(create.spot);
    trial.blame([{ law: 'refused-leaves-nothing', received, documented, at, about: [left] }]);
    return;
  }
}
