import {
  type Ancestor,
  ancestorsOf,
  type Contract,
  explicitStatuses,
  isEqual,
  memberShape,
  type Operation,
  type Resource,
  tellingMembers,
  type UniqueKey,
  uniqueKeys,
} from '#spec';
import { greatestPage } from '../arrange/lists.ts';
import { freshId } from '../arrange/made-up.ts';
import { referringIn } from '../arrange/named-records.ts';
import { inRecord, isValidBody } from '../arrange/record-members.ts';
import { otherValue, readById } from '../arrange/requests.ts';
import { createRecord, ordinaryBody, pathTo, tryCreate } from '../arrange/target.ts';
import { isMarked, recordInBody, recordSent } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { labelOf } from '../laws/unique.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess } from '../send/response.ts';
import { ACCEPTED, CONFLICT, type Data } from '../send/wire.ts';
import { about, type Case, type Family, makeCase, slugOf } from './case.ts';

/** A unique value is rejected if another record of the run has it, and accepted if none has. */
export const uniqueValues: Family = (contract, settings) =>
  contract.resources.flatMap((resource) =>
    uniqueKeys(resource).flatMap((key) =>
      casesOf(contract, resource, key).map((one) => about(key, settings, one)),
    ),
  );

function casesOf(contract: Contract, resource: Resource, key: UniqueKey): Case[] {
  const { create, replace, update, remove } = resource.actions;
  const changes = [replace, update].flatMap((operation) =>
    operation && mayWrite(resource, operation, key) && resource.id?.parameter ? operation : [],
  );
  const refused = changes.filter((change) => key.refusedBy.includes(change));
  const isCreated = create && mayWrite(resource, create, key);
  const parent = key.isPerParent ? ancestorsOf(contract.resources, `${resource.path}/`).at(-1) : undefined;
  return [
    ...(isCreated && key.refusedBy.includes(create) ? [created(resource, create, key)] : []),
    ...refused.map((change) => changed(resource, change, key)),
    ...refused.map((change) => kept(resource, change, key)),
    ...(isCreated && key.properties.length > 1 ? [shared(resource, create, key)] : []),
    ...(isCreated && parent?.parent.actions.create ? [elsewhere(resource, create, key, parent)] : []),
    ...(isCreated && key.freed && remove ? [again(resource, create, remove, key)] : []),
  ];
}

/** Whether the operation's body can contain the values of a key. */
export function mayWrite(resource: Resource, operation: Operation, { properties }: UniqueKey): boolean {
  const { shape } = recordInBody(resource, operation);
  const isWritable = (name: string) => {
    const member = shape?.properties.get(name);
    return member !== undefined && !member.readOnly;
  };
  return successStatuses(operation)[0] !== undefined && properties.every(isWritable);
}

/**
 * The values of a record for a key.
 * @throws NotProvoked if one is missing
 */
export function valuesOf({ properties }: UniqueKey, record: Data): Data {
  const values = properties.map((name) => [name, record[name]] as const);
  if (values.some(([, value]) => value === undefined || value === null))
    throw new NotProvoked(`no record with ${properties.join(' and ')} could be created`);
  return Object.fromEntries(values);
}

/**
 * A body with the values of an accepted one, except marks and unique members: then only the tested key can cause an error.
 */
function asTaken(resource: Resource, names: readonly string[], body: Data, taken: Data): Data {
  const unique = new Set(uniqueKeys(resource).flatMap(({ properties }) => properties));
  const isOwn = (name: string) => isMarked(taken[name]) || taken[name] === undefined || unique.has(name);
  return Object.fromEntries(
    names.map((name) => [name, isOwn(name) ? (body[name] ?? taken[name]) : taken[name]]),
  );
}

/** The path parameters of the parents: the id in the path of a PUT belongs to one record only. */
function withoutId({ id }: Resource, path: Data = {}): Data {
  return Object.fromEntries(Object.entries(path).filter(([name]) => name !== id?.parameter));
}

/** A record of the run, and its values for the key. */
async function holderOf(trial: Trial, resource: Resource, key: UniqueKey, path?: Data) {
  const holder = await tryCreate(trial, resource, { expect: 'success', ...(path && { path }) });
  if (!holder.sound || !isSuccess(holder.response))
    throw new NotProvoked(`no record with ${labelOf(key)} could be created`);
  return { ...holder, values: valuesOf(key, { ...holder.sent, ...holder.record }) };
}

function caseOf(
  operation: Operation,
  status: number | undefined,
  key: UniqueKey,
  how: string,
  title: string,
  creates: number,
  drive: (trial: Trial) => Promise<unknown>,
): Case {
  const cell = status ?? successStatuses(operation)[0] ?? CONFLICT;
  return makeCase({ operation, status: cell }, `${slugOf(labelOf(key))}-${how}`, title, drive, { creates });
}

/** The documented error status; undefined: none. */
function refusalOf({ responses }: Operation): number | undefined {
  return explicitStatuses(responses).includes(CONFLICT) ? CONFLICT : undefined;
}

function created(resource: Resource, create: Operation, key: UniqueKey): Case {
  const label = labelOf(key);
  const title = `a second record with one ${label} is refused, and none is left of it`;
  return caseOf(create, refusalOf(create), key, 'taken', title, 1, async (trial) => {
    const { input, sent, values } = await holderOf(trial, resource, key);
    const { path = {} } = input;
    const names = Object.keys(sent);
    const change = inRecord(resource, create, (record) => ({
      ...asTaken(resource, names, record, sent),
      ...values,
    }));
    await tryCreate(trial, resource, { path, duplicated: label, change });
    const { list } = resource.actions;
    if (!list || !resource.list) return;
    await trial.send(list, { path, query: greatestPage(resource.list) });
  });
}

function changed(resource: Resource, change: Operation, key: UniqueKey): Case {
  const label = labelOf(key);
  const title = `a record is not given the ${label} of another one`;
  return caseOf(change, refusalOf(change), key, 'taken', title, 2, async (trial) => {
    const { input, sent, values } = await holderOf(trial, resource, key);
    const parents = withoutId(resource, input.path);
    const other = await createRecord(trial, resource, { path: parents });
    const ordinary = await ordinaryBody(trial, change, { mark: trial.marks.next() });
    const take = inRecord(resource, change, (record) => ({
      ...asTaken(resource, Object.keys(record), record, sent),
      ...values,
    }));
    const body = take(ordinary, undefined);
    if (!isValidBody(trial, change, body)) throw new NotProvoked(`no record with ${label} could be created`);
    const path = { ...(await pathTo(trial, resource, change, other.id)), ...parents };
    await trial.send(change, { path, body, duplicated: label });
    await readById(trial, resource, other.id);
  });
}

/** That a change with other values was accepted shows that the record can be changed at all. */
function kept(resource: Resource, change: Operation, key: UniqueKey): Case {
  const label = labelOf(key);
  const title = `a record keeps its own ${label} in a change`;
  return caseOf(change, undefined, key, 'kept', title, 1, async (trial) => {
    const { id, input } = await createRecord(trial, resource);
    const path = { ...(await pathTo(trial, resource, change, id)), ...input.path };
    const body = await ordinaryBody(trial, change, { mark: trial.marks.next() });
    const { response } = await trial.send(change, { path, body });
    if (!isSuccess(response)) throw new NotProvoked('the record cannot be changed');
    const values = valuesOf(key, recordSent(resource, change, body));
    const other = await ordinaryBody(trial, change, { mark: trial.marks.next() });
    const free = { label, since: `the record itself has this ${label}` };
    const withValues = inRecord(resource, change, (record) => ({ ...record, ...values }));
    await trial.send(change, { path, body: withValues(other, undefined), free });
  });
}

/** Another record may have a part of a composite key. */
function shared(resource: Resource, create: Operation, key: UniqueKey): Case {
  const label = labelOf(key);
  const title = `records may share a part of their ${label}`;
  return caseOf(create, undefined, key, 'in-part', title, 2, async (trial) => {
    const { input, values } = await holderOf(trial, resource, key);
    const { shape } = recordInBody(resource, create);
    const telling = tellingMembers(resource);
    const isReferring = referringIn(trial.plan.contract, create);
    const other = key.properties.flatMap((name) => {
      const member = shape && memberShape(shape, name);
      if (!member || telling.includes(name) || isReferring(name, member)) return [];
      const value = otherValue(member, values[name]) ?? freshId(member, `${name} ${trial.marks.next()}`);
      return isEqual(value, values[name]) ? [] : [[name, value] as const];
    });
    if (other.length === 0) throw new NotProvoked(`no part of ${label} can differ`);
    const change = inRecord(resource, create, (record) => ({
      ...record,
      ...values,
      ...Object.fromEntries(other),
    }));
    const free = { label, since: `no other record has this ${label} together` };
    await tryCreate(trial, resource, { path: input.path ?? {}, free, change });
  });
}

function elsewhere(
  resource: Resource,
  create: Operation,
  key: UniqueKey,
  { parent, parameter }: Ancestor,
): Case {
  const label = labelOf(key);
  const title = `records below two parents may have one ${label}`;
  return caseOf(create, undefined, key, 'elsewhere', title, 4, async (trial) => {
    const [here, there] = [await createRecord(trial, parent), await createRecord(trial, parent)];
    const { values } = await holderOf(trial, resource, key, { [parameter]: here.id });
    const free = { label, since: `no record below the same ${parameter} has this ${label}` };
    const change = inRecord(resource, create, (record) => ({ ...record, ...values }));
    await tryCreate(trial, resource, { path: { [parameter]: there.id }, free, change });
  });
}

function again(resource: Resource, create: Operation, remove: Operation, key: UniqueKey): Case {
  const label = labelOf(key);
  const title = `the ${label} of a removed record is free again`;
  return caseOf(create, undefined, key, 'free-again', title, 2, async (trial) => {
    const { id, input, values } = await holderOf(trial, resource, key);
    const path = { ...(await pathTo(trial, resource, remove, id)), ...input.path };
    const { response } = await trial.send(remove, { path });
    if (!isSuccess(response) || response.status === ACCEPTED)
      throw new NotProvoked('the record cannot be removed');
    const left = await readById(trial, resource, id);
    if (left && isSuccess(left.response)) throw new NotProvoked('the service keeps what was removed');
    const free = { label, since: `the record with this ${label} is removed`, isFreed: true };
    const change = inRecord(resource, create, (record) => ({ ...record, ...values }));
    await tryCreate(trial, resource, { path: input.path ?? {}, free, change });
  });
}
