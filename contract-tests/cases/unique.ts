import { bodyMedia, explicitStatuses, type Operation, type Resource, uniqueMembers } from '#spec';
import { isValidBody } from '../arrange/record-members.ts';
import { createRecord, ordinaryBody, pathTo, tryCreate } from '../arrange/target.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

const CONFLICT = 409;

/** What the document states to be unique (`x-unique`) is refused when another record of the run has it. */
export const uniqueValues: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { create, replace, update } = resource.actions;
    const names = uniqueMembers(resource).flatMap(({ property, sign }) =>
      sign === 'x-unique' ? property : [],
    );
    return names.flatMap((name) => [
      ...(create && isWritable(create, name) ? [created(resource, create, name)] : []),
      ...[replace, update].flatMap((change) =>
        change && isWritable(change, name) && isRefused(change) && resource.id?.parameter
          ? [changed(resource, change, name)]
          : [],
      ),
    ]);
  });

function isWritable(operation: Operation, name: string): boolean {
  const member = bodyMedia(operation.body)?.shape?.properties.get(name);
  return member !== undefined && !member.readOnly && successStatuses(operation)[0] !== undefined;
}

function isRefused({ responses }: Operation): boolean {
  return explicitStatuses(responses).includes(CONFLICT);
}

const cellOf = (operation: Operation) =>
  isRefused(operation) ? CONFLICT : (successStatuses(operation)[0] ?? CONFLICT);

function created(resource: Resource, create: Operation, name: string): Case {
  const title = `a second record with one ${name} is refused`;
  const one = makeCase(create, cellOf(create), `${slugOf(name)}-taken`, title, async (trial) => {
    const first = await tryCreate(trial, resource, { expect: 'success' });
    const value = first.record?.[name] ?? first.sent[name];
    if (!first.sound || value === undefined || value === null)
      throw new NotProvoked(`no record with ${name} could be created`);
    await tryCreate(trial, resource, { duplicated: name, change: (body) => ({ ...body, [name]: value }) });
  });
  return { ...one, creates: 1 };
}

function changed(resource: Resource, operation: Operation, name: string): Case {
  const title = `a record is not given the ${name} of another one`;
  const one = makeCase(operation, cellOf(operation), `${slugOf(name)}-taken`, title, async (trial) => {
    const [first, other] = [await createRecord(trial, resource), await createRecord(trial, resource)];
    const value = first.record?.[name] ?? first.sent[name];
    const ordinary = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
    const body = { ...ordinary, [name]: value };
    if (value === undefined || value === null || !isValidBody(trial, operation, body))
      throw new NotProvoked(`no record with ${name} could be created`);
    const path = await pathTo(trial, resource, operation, other.id);
    await trial.send(operation, { path, body, duplicated: name });
  });
  return { ...one, creates: 2 };
}
