import { isInteger, type Operation, placeOf, type Resource } from '#spec';
import { makeBody } from '../arrange/body.ts';
import { tryCreate } from '../arrange/create.ts';
import { askList, type Listed, listedResources } from '../arrange/list.ts';
import { markMember } from '../arrange/mark.ts';
import { readById } from '../arrange/read.ts';
import type { Case } from '../case.ts';
import { shorten } from '../laws/shorten.ts';
import { successStatuses } from '../operation-role.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

/** A create that was refused, for its body or its credential, left no record: none with its mark is ever seen. */
export const refusedLeavesNothing: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { create } = listed.resource.actions;
    const shape = create?.body?.content.find(({ isJson }) => isJson)?.shape;
    const member = shape && markMember(shape);
    if (!create || !shape || member === undefined) return [];
    const [success] = successStatuses(create);
    if (success === undefined) return [];
    const other = [...shape.required.keys()].find((name) => name !== member);
    return [
      ...(other === undefined
        ? []
        : [
            refused(listed, create, success, member, 'invalid-leaves-nothing', 'invalid', (trial) =>
              sendInvalid(trial, listed.resource, other),
            ),
          ]),
      ...(needsKey(create)
        ? [
            refused(listed, create, success, member, 'unauthorised-leaves-nothing', 'unauthorised', (trial) =>
              sendUnauthorised(trial, create),
            ),
          ]
        : []),
    ];
  });

function refused(
  listed: Listed,
  create: Operation,
  success: number,
  member: string,
  slug: string,
  kind: string,
  send: (trial: Trial) => Promise<string | undefined>,
): Case {
  return makeCase(create, success, slug, `an ${kind} create leaves no record behind`, async (trial) => {
    const mark = await send(trial);
    if (mark === undefined) return;
    // What is made after it stands behind it in any order: a list that shows the later record would show both.
    const later = await tryCreate(trial, listed.resource);
    const { pageSize } = listed.form;
    const greatest = pageSize?.shape.range.high?.value;
    const { records } = await askList(
      trial,
      listed,
      pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {},
    );
    const left = records.find((record) => record[member] === mark);
    if (left) {
      const received = `${shorten(left)}, which a refused request was to create`;
      trial.blame([
        {
          law: 'refused-leaves-nothing',
          received,
          documented: 'no record of a refused request',
          at: placeOf(create.spot),
          about: [left],
        },
      ]);
    }
    if (trial.expectOf(create, later.answer, success))
      await lookBefore(trial, listed, create, member, later.id);
  });
}

/** So many ids before the latest are looked at. */
const LOOKED_AT = 4;

/** Where ids are counted up, refused bodies that were stored have the ids just before; a long list would not show them. */
async function lookBefore(
  trial: Trial,
  { resource }: Listed,
  create: Operation,
  member: string,
  id: unknown,
): Promise<void> {
  if (!isInteger(id)) return;
  for (let back = 1n; back <= LOOKED_AT; back++) {
    const before = await readById(trial, resource, BigInt(id) - back, () => true);
    if (!before?.record || !trial.run.memory.wasRefused(before.record[member])) continue;
    const received = `${shorten(before.record)}, which a refused request was to create`;
    const documented = 'no record of a refused request';
    trial.blame([{ law: 'refused-leaves-nothing', received, documented, at: placeOf(create.spot) }]);
    return;
  }
}

/** The mark of a body that lacks a required member; undefined where it was not refused (another case says so). */
async function sendInvalid(trial: Trial, resource: Resource, missing: string): Promise<string | undefined> {
  const change = ({ [missing]: _, ...others }: Record<string, unknown>) => others;
  const { answer, mark } = await tryCreate(trial, resource, { change });
  return answer.status >= 400 ? mark : undefined;
}

async function sendUnauthorised(trial: Trial, create: Operation): Promise<string | undefined> {
  const mark = trial.run.marks.next();
  const path = await trial.run.world.pathOf(trial, create);
  const answer = await trial.ask(create, {
    path,
    presented: NO_CREDENTIAL,
    body: await makeBody(trial, create, { mark }),
  });
  return answer.status >= 400 ? mark : undefined;
}
