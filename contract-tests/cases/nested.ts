import { type Contract, explicitStatuses, type Operation, type Resource } from '#spec';
import { greatestPage } from '../arrange/lists.ts';
import { anyBody, createRecord, pathOf } from '../arrange/target.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { parentsOf } from '../laws/own-record.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeQuietCase } from './case.ts';

type Data = Readonly<Record<string, unknown>>;

/** Records below one record are no records below another: two parents of the run's own show it. */
export const nested: Family = (contract, { writes }) =>
  contract.resources.flatMap((resource) => {
    const parent = parentOf(contract, resource);
    const { create, list, read } = resource.actions;
    const shown = list ?? read;
    const success = shown && successStatuses(shown)[0];
    if (!writes || !parent?.actions.create || !create || !shown || success === undefined) return [];
    return [apart(resource, parent, shown, success)];
  });

/** The resource whose id is the last parameter before the collection. */
export function parentOf({ resources }: Contract, { path, parents }: Resource): Resource | undefined {
  const parameter = parents.at(-1)?.parameter;
  return resources.find(
    (one) => one.id && one.id.parameter === parameter && path.startsWith(`${one.path}/{${parameter}}/`),
  );
}

function apart(resource: Resource, parent: Resource, shown: Operation, success: number): Case {
  const title = 'what is made below one record is not below another';
  const one = makeQuietCase(
    shown,
    success,
    'apart-by-parent',
    title,
    async (trial) => {
      const parameter = parent.id?.parameter ?? '';
      const [here, there] = [await createRecord(trial, parent), await createRecord(trial, parent)];
      const path = { [parameter]: here.id };
      const { id } = await createRecord(trial, resource, { path });
      await look(trial, resource, { ...path }, id);
      const elsewhere = { [parameter]: there.id };
      await look(trial, resource, elsewhere, id);
      await change(trial, resource, elsewhere, id);
      await look(trial, resource, path, id);
    },
    true,
  );
  return { ...one, creates: 3 };
}

async function look(trial: Trial, resource: Resource, parents: Data, id: unknown): Promise<void> {
  const { list, read } = resource.actions;
  if (list && resource.list) {
    const query = greatestPage(resource.list);
    await trial.send(list, { path: await pathOf(trial, list, parents), query });
  }
  if (read) await sendTo(trial, resource, read, parents, id);
}

/** What would change a record below its own parent must not find it below another. */
async function change(trial: Trial, resource: Resource, parents: Data, id: unknown): Promise<void> {
  const { replace, update, remove } = resource.actions;
  for (const operation of [replace, update, remove])
    if (operation) await sendTo(trial, resource, operation, parents, id);
}

const NOT_FOUND = 404;

async function sendTo(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  parents: Data,
  id: unknown,
): Promise<void> {
  const parameter = resource.id?.parameter;
  if (parameter === undefined) return;
  const path = await pathOf(trial, operation, { ...parents, [parameter]: id });
  const isOwn = trial.run.model.find(resource, id, parentsOf(resource, path)) !== undefined;
  const unknownId = !isOwn && explicitStatuses(operation.responses).includes(NOT_FOUND);
  const mark = trial.marks.next();
  const body = await anyBody(trial, operation, { mark });
  await trial.send(operation, { path, ...(body !== undefined && { body }), ...(unknownId && { unknownId }) });
}
