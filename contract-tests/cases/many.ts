import {
  absentAs,
  type Job,
  jobOf,
  madeByJob,
  type Operation,
  type Resource,
  resultsOf,
  sentMany,
  valueAt,
  withValueAt,
} from '#spec';
import { untilOver } from '../arrange/jobs.ts';
import { unknownId } from '../arrange/made-up.ts';
import { referencesIn } from '../arrange/named-records.ts';
import { readById } from '../arrange/requests.ts';
import { anyBody, createRecord, ordinaryBody, pathOf } from '../arrange/target.ts';
import { recordInBody } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess } from '../send/response.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** The number of records in one body. */
const SEVERAL = 3;

/** Several records in one request: all valid, and with one to be rejected. A job is followed until it ends. */
export const several: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create } = resource.actions;
    return resource.further.flatMap(({ role, operation }): Case[] => {
      const [status] = successStatuses(operation);
      const isKnown = resultsOf(operation, resource) ?? jobOf(operation, contract);
      if (role !== 'createMany' || !settings.writes || !create || !isKnown || status === undefined) return [];
      const on: Making = { resource, create, operation, status, job: jobOf(operation, contract) };
      const [naming] = referencesIn(contract, create).filter(({ isList }) => !isList);
      const isRefused =
        absentAs(create) !== undefined &&
        (on.job ? madeByJob(operation, on.job, resource).fails : resultsOf(operation, resource)?.apart);
      const more = { demands: false, creates: SEVERAL };
      const title = 'what is sent is made, each by itself';
      const all = makeCase(on, 'several', title, (trial) => send(trial, on), more);
      if (!naming || !isRefused) return [all];
      const { property, parent } = naming;
      const drive = (trial: Trial) => {
        const none = parent.id && unknownId(parent.id.shape, `${property} ${trial.plan.settings.seed}`);
        return send(trial, on, { property, none });
      };
      return [all, makeCase(on, 'one-of-several', 'one that names nothing is not made', drive, more)];
    });
  });

/** The job of an accepted create is followed until it ends. */
export const jobs: Family = (contract, { writes }) =>
  contract.resources.flatMap((resource): Case[] => {
    const { create } = resource.actions;
    const job = create && jobOf(create, contract);
    const [status] = create ? successStatuses(create) : [];
    if (!writes || !create || !job || status === undefined) return [];
    const drive = async (trial: Trial) =>
      void (await untilOver(trial, job, await createRecord(trial, resource)));
    return [
      makeCase({ operation: create, status }, 'ends', 'the job ends', drive, { demands: false, creates: 1 }),
    ];
  });

interface Making {
  readonly resource: Resource;
  readonly create: Operation;
  readonly operation: Operation;
  readonly status: number;
  readonly job: Job | undefined;
}

/** @param bad the second record refers to a missing one */
async function send(trial: Trial, on: Making, bad?: { property: string; none: unknown }): Promise<void> {
  const { resource, create, operation, status, job } = on;
  const place = recordInBody(resource, create).path;
  const records: unknown[] = [];
  while (records.length < SEVERAL) {
    const body = await ordinaryBody(trial, create, { mark: trial.marks.next() });
    const record = valueAt(body, place) as object;
    records.push(bad && records.length === 1 ? { ...record, [bad.property]: bad.none } : record);
  }
  const around = await anyBody(trial, operation);
  const results = resultsOf(operation, resource);
  const fact = job ?? results?.apart ?? results?.each;
  const rests = fact && { rests: [fact] };
  const start = await trial.send(operation, {
    path: await pathOf(trial, operation),
    body: withValueAt(around, sentMany(operation) ?? [], () => records),
    ...(bad && { refusedRecords: [1] }),
    expected: { status, ...rests },
  });
  if (!isSuccess(start.response)) return;
  const over = job && (await untilOver(trial, job, start));
  const entries = job
    ? valueAt(over?.evidence.json, [job.result?.member ?? '', madeByJob(operation, job, resource).ids ?? ''])
    : results && valueAt(start.evidence.json, results.path);
  const inResult = [results?.record, resource.id?.property ?? ''].filter((name) => name !== undefined);
  for (const one of Array.isArray(entries) ? entries.slice(0, SEVERAL) : []) {
    const id = job ? one : valueAt(one, inResult);
    if (typeof id === 'string' || typeof id === 'number')
      await readById(trial, resource, id, { status: 200, ...rests });
  }
}
