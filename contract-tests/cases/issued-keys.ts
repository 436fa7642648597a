import { type Contract, explicitStatuses, type IssuedKey, issuedKeysOf, valueAt } from '#spec';
import type { Variation } from '../arrange/creation.ts';
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

/** Keys that the run created: a new one grants access, a revoked or expired one does not. */
export const issuedKeys: Family = (contract, { writes }) =>
  (writes ? issuedKeysOf(contract) : []).flatMap((issued): Case[] => {
    const opened = openedBy(contract, issued);
    const [status] = successStatuses(issued.create);
    if (!opened || status === undefined) return [];
    const { end, expiry, resource, create } = issued;
    // The budget of records is that of the keys, whatever they grant access to.
    const make = (slug: string, title: string, drive: (trial: Trial) => Promise<unknown>) =>
      makeCase({ operation: create, status }, slug, title, drive, { demands: false, creates: 1 });
    const open = async (trial: Trial, key: { presented: Presented } | { refused: Presented }) =>
      trial.send(opened, { path: await pathOf(trial, opened), ...key, issued });
    const cases = [
      make('issued-key', 'a key of the run is let in', async (trial) =>
        open(trial, { presented: (await newKey(trial, issued)).key }),
      ),
    ];
    if (end)
      cases.push(
        make('ended-key', `a key is refused after ${end.id}`, async (trial) => {
          const { id, key } = await newKey(trial, issued);
          const { response } = await open(trial, { presented: key });
          const body = await anyBody(trial, end, { mark: trial.marks.next() });
          const ended = await trial.send(end, { path: await pathTo(trial, resource, end, id), body });
          if (!isSuccess(response) || !isSuccess(ended.response))
            throw new NotProvoked('no key was let in, and ended');
          await open(trial, { refused: key });
        }),
      );
    if (expiry !== undefined)
      cases.push(
        make('expired-key', `a key whose ${expiry} is past is refused`, async (trial) => {
          const past = new Date(Date.now() - HOUR).toISOString();
          const change = inRecord(resource, create, (record) => ({ ...record, [expiry]: past }));
          await open(trial, { refused: (await newKey(trial, issued, { change })).key });
        }),
      );
    return cases;
  });

/** An operation, preferably a list, that needs nothing but the key. */
function openedBy({ operations, resources }: Contract, { credential, resource }: IssuedKey) {
  const lists = resources.filter((one) => one !== resource).flatMap(({ actions }) => actions.list ?? []);
  return [...lists, ...operations].find(
    (list) =>
      list.method === 'GET' &&
      !list.path.includes('{') &&
      !list.parameters.some(({ required }) => required) &&
      needsKey(list) &&
      list.security.some(([first, ...more]) => first?.scheme === credential.scheme && more.length === 0) &&
      explicitStatuses(list.responses).includes(UNAUTHORISED),
  );
}

/** @throws NotProvoked if the response does not show the key */
async function newKey(trial: Trial, { resource, path, credential }: IssuedKey, variation?: Variation) {
  const { id, evidence } = await createRecord(trial, resource, variation);
  const secret = valueAt(evidence.json, path);
  if (typeof secret !== 'string' || secret === '')
    throw new NotProvoked('the response to a create shows no key');
  return { id, key: present(credential, theKey(secret, 'PADDOCK_ISSUED_KEY')) };
}
