import type { Operation, Resource } from '#spec';
import { successStatuses } from '../../laws/operation-role.ts';
import type { Trial } from '../../run/trial.ts';
import { type Family, makeCase } from '../family.ts';
import { type Sent, scriptOf } from '../script.ts';
import { raceReplaces, raceUpdates } from './changes.ts';
import { raceCreates } from './creates.ts';
import { raceNeighbours, raceRemoval } from './removals.ts';

/** A race makes so many records at most. */
const MOST_CREATES = 4;

type Race = (trial: Trial, resource: Resource, sent: Sent) => Promise<void>;

/** Requests at once for the run's own records: at most 40 for a resource. */
export const races: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create, read, replace, update, remove } = resource.actions;
    if (!settings.races || !create?.body || !read || resource.id?.parameter === undefined) return [];
    return [
      ...race(resource, create, 'race-creates', 'records that are created at once are all kept', raceCreates),
      ...race(resource, replace, 'race-replaces', 'of replacements at once one is kept whole', raceReplaces),
      ...race(
        resource,
        update,
        'race-updates',
        'updates of different members at once are all kept',
        raceUpdates,
      ),
      ...race(
        resource,
        remove,
        'race-removal',
        'a record that is removed while it is changed is gone',
        raceRemoval,
      ),
      ...race(
        resource,
        remove,
        'race-neighbours',
        'changes of different records at once are all kept',
        raceNeighbours,
      ),
    ];
  });

function race(resource: Resource, operation: Operation | undefined, slug: string, title: string, run: Race) {
  const success = operation && successStatuses(operation)[0];
  if (!operation || success === undefined) return [];
  const one = makeCase(operation, success, slug, title, async (trial) => {
    const sent: Sent = [];
    await run(trial, resource, sent);
    if (trial.findings.length === 0) return;
    const steps = await scriptOf(trial, sent);
    trial.findings.splice(0, trial.findings.length, ...trial.findings.map((one) => ({ ...one, steps })));
  });
  return [{ ...one, creates: MOST_CREATES, elastic: true }];
}
