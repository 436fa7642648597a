import { isRecord, memberShape, type Operation, type Resource } from '#spec';
import { createRecord, pathTo } from '../../arrange/target.ts';
import { equalJson } from '../../laws/equal-json.ts';
import { parentsOf } from '../../laws/own-record.ts';
import type { RaceRequest } from '../../run/race.ts';
import type { Trial } from '../../run/trial.ts';
import type { Sent } from '../script.ts';
import { expectSuccess } from './requests.ts';

type Data = Readonly<Record<string, unknown>>;

/** A record of the run's own that requests at once are sent for. */
export interface RaceRecord {
  readonly resource: Resource;
  readonly id: unknown;
  readonly initial: Data;
  /** Those that the target returns as they were sent: what it makes of others is not known. */
  readonly members: readonly string[];
  /** The run knows the record again, as it was created. */
  relearn(): void;
}

export async function recordToRace(trial: Trial, resource: Resource, sent: Sent): Promise<RaceRecord> {
  const creation = await createRecord(trial, resource);
  const { operation, input, record, id } = creation;
  sent.push([{ operation, input, created: { resource, id } }]);
  const members = Object.entries(creation.sent).flatMap(([name, value]) => {
    const member = memberShape(resource.shape, name);
    const isKept = member && !member.readOnly && !member.writeOnly && equalJson(record[name], value);
    return isKept ? [name] : [];
  });
  // While its state is open, no other case may expect anything of it.
  trial.run.model.forget(resource, id, parentsOf(resource, input.path));
  return { resource, id, initial: record, members, relearn: () => void trial.learn(creation) };
}

export async function requestFor(
  trial: Trial,
  { resource, id }: RaceRecord,
  operation: Operation,
  body?: Data,
): Promise<RaceRequest> {
  const input = {
    path: await pathTo(trial, resource, operation, id),
    ...(isRecord(body) && { body }),
  };
  return { operation, input: { ...input, ...expectSuccess(operation) } };
}
