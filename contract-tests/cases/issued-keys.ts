import { type Contract, type IssuedKey, issuedKeysOf, type Operation, valueAt } from '#spec';
import { inRecord } from '../arrange/record-members.ts';
import { anyBody, createRecord, pathOf, pathTo } from '../arrange/target.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { needsKey, type Presented, present, theKey } from '../send/credentials.ts';
import { isSuccess } from '../send/response.ts';
import { UNAUTHORISED } from '../send/wire.ts';
import { type Case, type Family, makeCase } from './case.ts';

const HOUR = 3_600_000;

/** Keys that the run has made itself: a new one is let in, one that is revoked or expired is not. */
export const issuedKeys: Family = (contract, { writes }) =>
  (writes ? issuedKeysOf(contract) : []).flatMap((issued): Case[] => {
    const opened = openedBy(contract, issued);
    const [status] = successStatuses(issued.create);
    if (!opened || status === undefined) return [];
    const { end, expiry, resource, create } = issued;
    // The budget of records is that of the keys, whatever they open.
    const make = (slug: string, title: string, drive: (trial: Trial) => Promise<unknown>) =>
      makeCase({ operation: create, status }, slug, title, drive, { demands: false, creates: 1 });
    const refused = async (trial: Trial, key: Presented) =>
      trial.send(opened, { path: await pathOf(trial, opened), refused: key, issued });
    return [
      make('issued-key', 'a key of the run is let in', async (trial) => {
        const { presented } = await newKey(trial, issued);
        await trial.send(opened, { path: await pathOf(trial, opened), presented, issued });
      }),
      ...(end
        ? [
            make('ended-key', `a key is refused after ${end.id}`, async (trial) => {
              const { id, presented } = await newKey(trial, issued);
              const path = await pathOf(trial, opened);
              const { response } = await trial.send(opened, { path, presented, issued });
              const body = await anyBody(trial, end, { mark: trial.marks.next() });
              const { response: ended } = await trial.send(end, {
                path: await pathTo(trial, resource, end, id),
                body,
              });
              if (!isSuccess(response) || !isSuccess(ended))
                throw new NotProvoked('no key was let in, and ended');
              await refused(trial, presented);
            }),
          ]
        : []),
      ...(expiry === undefined
        ? []
        : [
            make('expired-key', `a key whose ${expiry} is past is refused`, async (trial) => {
              const past = new Date(Date.now() - HOUR).toISOString();
              const change = inRecord(resource, create, (record) => ({ ...record, [expiry]: past }));
              const { presented } = await newKey(trial, issued, change);
              await refused(trial, presented);
            }),
          ]),
    ];
  });

/** A list that can be asked for with the key alone. */
function openedBy(
  { operations, resources }: Contract,
  { credential, resource }: IssuedKey,
): Operation | undefined {
  const lists = resources.filter((one) => one !== resource).flatMap(({ actions }) => actions.list ?? []);
  return [...lists, ...operations].find(
    (one) =>
      one.method === 'GET' &&
      !one.path.includes('{') &&
      !one.parameters.some(({ required }) => required) &&
      needsKey(one) &&
      one.security.some(
        (requirement) => requirement.length === 1 && requirement[0]?.scheme === credential.scheme,
      ) &&
      one.responses.some(({ key }) => key === `${UNAUTHORISED}`),
  );
}

/** @throws NotProvoked where the response does not show it */
async function newKey(
  trial: Trial,
  { resource, path, credential }: IssuedKey,
  change?: ReturnType<typeof inRecord>,
) {
  const { id, evidence } = await createRecord(trial, resource, change && { change });
  const secret = valueAt(evidence.json, path);
  if (typeof secret !== 'string' || secret === '')
    throw new NotProvoked('the response to a create shows no key');
  return { id, presented: present(credential, theKey(secret, 'PADDOCK_ISSUED_KEY')) };
}
