import { type Listed, listedResources } from '../arrange/lists.ts';
import { askLongList, readById } from '../arrange/requests.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { comparePlaces } from '../laws/own-record.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** What has become of the run's records, and of the bodies that were refused, when all other cases are over. */
export const inTheEnd: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { create } = listed.resource.actions;
    const success = create && successStatuses(create)[0];
    if (!create || success === undefined) return [];
    const one = (slug: string, title: string, run: Case['run']): Case => ({
      ...makeCase(create, success, slug, title, run),
      demands: false,
    });
    return [
      one('earlier-records', 'records made early in the run are as they were', (trial) =>
        readEarlierRecords(trial, listed),
      ),
      one('refused-are-nowhere', 'no body that was refused has become a record', (trial) =>
        listEverywhere(trial, listed),
      ),
    ];
  });

const LOOKED_AT = 4;

async function readEarlierRecords(trial: Trial, listed: Listed): Promise<void> {
  // In the order of the cases, whichever was faster.
  const own = trial.run.model.records
    .filter(({ resource, removed }) => resource === listed.resource && !removed)
    .toSorted((one, other) => comparePlaces(one.maker ?? [], other.maker ?? []));
  const chosen = own.filter((_, index) => index % Math.ceil(own.length / LOOKED_AT) === 0);
  await trial.together([
    ...chosen.map(
      ({ id }) =>
        (part: Trial) =>
          readById(part, listed.resource, id),
    ),
    (part) => askLongList(part, listed),
  ]);
}

async function listEverywhere(trial: Trial, listed: Listed): Promise<void> {
  const filtered = listed.form.filters.flatMap(({ parameter }) =>
    (parameter.shape.values ?? []).map((value) => ({ [parameter.name]: value })),
  );
  await trial.together([{}, ...filtered].map((query) => (part) => askLongList(part, listed, query)));
}
