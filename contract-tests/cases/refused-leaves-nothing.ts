import { isInteger, type Resource } from '#spec';
import { type Listed, listedResources } from '../arrange/lists.ts';
import { inRecord } from '../arrange/record-members.ts';
import { askLongList, ordinaryInput, readById } from '../arrange/requests.ts';
import { tryCreate } from '../arrange/target.ts';
import { markMember, recordInBody } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** A create that was refused, for its body or its credential, left no record: none with its mark is ever seen. */
export const refusedLeavesNothing: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { create } = listed.resource.actions;
    const shape = create && recordInBody(listed.resource, create).shape;
    const member = shape && markMember(shape);
    const success = create && successStatuses(create)[0];
    if (!create || !shape || member === undefined || success === undefined) return [];
    const missing = [...shape.required.keys()].find((name) => name !== member);
    const refused = (kind: string, send: (trial: Trial) => Promise<unknown>): Case => ({
      ...makeCase(
        create,
        success,
        `${kind}-leaves-nothing`,
        `an ${kind} create leaves no record behind`,
        (trial) => lookAfter(trial, listed, send),
      ),
      // It reads the records with the ids before.
      quiet: true,
      creates: 2,
    });
    const invalid = inRecord(listed.resource, create, ({ [missing ?? '']: _, ...others }) => others);
    return [
      ...(missing === undefined
        ? []
        : [refused('invalid', (trial) => tryCreate(trial, listed.resource, { change: invalid }))]),
      ...(needsKey(create)
        ? [
            refused('unauthorised', async (trial) =>
              trial.send(create, { ...(await ordinaryInput(trial, create)), refused: NO_CREDENTIAL }),
            ),
          ]
        : []),
    ];
  });

async function lookAfter(
  trial: Trial,
  listed: Listed,
  send: (trial: Trial) => Promise<unknown>,
): Promise<void> {
  await send(trial);
  // What is made after it stands behind it in any order: a list that shows the later record would show both.
  const later = await tryCreate(trial, listed.resource, { expect: 'success' });
  await askLongList(trial, listed);
  if (later.sound) await readIdsBefore(trial, listed.resource, later.id);
}

/** So many ids before the latest are read. */
const LOOKED_AT = 4;

/** Where ids are counted up, refused bodies that were stored have the ids just before; a long list would not show them. */
async function readIdsBefore(trial: Trial, resource: Resource, id: unknown): Promise<void> {
  if (!isInteger(id)) return;
  const before = Array.from({ length: LOOKED_AT }, (_, index) => BigInt(id) - BigInt(index + 1));
  await trial.together(before.map((earlier) => (part) => readById(part, resource, earlier)));
}
