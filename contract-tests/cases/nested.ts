import {
  type Ancestor,
  ancestorsOf,
  type Basis,
  type Contract,
  explicitStatuses,
  familiesOf,
  type Operation,
  type Resource,
} from '#spec';
import type { Variation } from '../arrange/creation.ts';
import { greatestPage, type On, onEach } from '../arrange/lists.ts';
import { inRecord } from '../arrange/record-members.ts';
import { readById } from '../arrange/requests.ts';
import { anyBody, createRecord, pathOf, pathTo } from '../arrange/target.ts';
import { ownersOf } from '../laws/nested.ts';
import { parentsOf, successStatuses } from '../laws/operation-role.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess } from '../send/response.ts';
import { CONFLICT, CREATED, type Data, NOT_FOUND } from '../send/wire.ts';
import { about, type Case, type Family, makeCase, slugOf } from './case.ts';

/** Records below one parent are not below another, and disappear with it: checked with the run's records. */
export const nested: Family = (contract, { writes }) =>
  contract.resources.flatMap((resource) => {
    const { create, list } = resource.actions;
    const [subject] = onEach([resource], list ? 'list' : 'read');
    if (!writes || !create || !subject) return [];
    const owning = new Set(ownersOf(contract)(resource).map(({ parameter }) => parameter));
    return madeAncestors(contract, resource).flatMap((ancestor, index) => {
      const about = { ...subject, contract, ancestor };
      const level = index === 0 ? 'parent' : index === 1 ? 'grandparent' : `ancestor-${index + 1}`;
      if (!owning.has(ancestor.parameter)) return [];
      const isRemoved = ancestor.parent.actions.remove && !isHeld(about);
      return [apart(about, level), ...(isRemoved ? [gone(about, level)] : [])];
    });
  });

/** Whether the document says that children keep the record from being removed. */
function isHeld({ contract, resource, ancestor }: About): boolean {
  const families = familiesOf(contract.resources);
  const between = ancestorsOf(contract.resources, `${resource.path}/`).map(({ parent }) => parent);
  const held = families.get(ancestor.parent)?.heldBy ?? [];
  return held.some(({ child }) => child === resource || between.includes(child));
}

/** A record with children cannot be removed, where the document says so. */
export const heldRecords: Family = (contract, settings) =>
  [...familiesOf(contract.resources)].flatMap(([resource, { heldBy }]) => {
    const { remove, create } = resource.actions;
    if (!settings.writes || !remove || !create) return [];
    return heldBy.flatMap((fact) => {
      const { address, parameter, property } = fact.kin;
      const below = address ? address.resource : fact.child;
      const { create: make } = below?.actions ?? {};
      // A child that a run cannot remove would keep the parent for good.
      if (!below || !make || !below.actions.remove) return [];
      const naming = (id: unknown): Variation =>
        parameter === undefined
          ? { change: inRecord(below, make, (record) => ({ ...record, [property ?? '']: id })) }
          : { path: { [parameter]: id } };
      return parameter === undefined && (property === undefined || address)
        ? []
        : [about(fact, settings, held(resource, remove, below, fact, naming))];
    });
  });

function held(
  resource: Resource,
  remove: Operation,
  below: Resource,
  fact: Basis,
  naming: (id: unknown) => Variation,
): Case {
  const title = 'what other records belong to is not removed';
  const slug = `held-by-${slugOf(below.path.split('/').at(-1) ?? '')}`;
  const drive = async (trial: Trial) => {
    const { id } = await createRecord(trial, resource);
    await createRecord(trial, below, naming(id));
    const path = await pathTo(trial, resource, remove, id);
    await trial.send(remove, { path, expected: { status: CONFLICT, rests: [fact] } });
    await readById(trial, resource, id);
  };
  const more = { quiet: true, creates: 2 + resource.parents.length };
  return makeCase({ operation: remove, status: CONFLICT }, slug, title, drive, more);
}

/** The ancestors that a run can create, with all that is between; the nearest first. */
function madeAncestors(contract: Contract, resource: Resource): Ancestor[] {
  const all = ancestorsOf(contract.resources, `${resource.path}/`).toReversed();
  const first = all.findIndex(({ parent }) => !parent.actions.create);
  return first < 0 ? all : all.slice(0, first);
}

interface About extends On {
  readonly contract: Contract;
  readonly ancestor: Ancestor;
}

const DISTURBED = { unsafe: true, quiet: true, createsAbove: true };

function apart(about: About, level: string): Case {
  const { resource, ancestor } = about;
  const title = 'what is made below one record is not below another';
  const drive = async (trial: Trial) => {
    const { parent, parameter } = ancestor;
    const { path, others } = await makeAbove(trial, about);
    const { id: there } = await createRecord(trial, parent, { path: others });
    const { id } = await createRecord(trial, resource, { path });
    await look(trial, resource, path, id);
    const elsewhere = { ...path, [parameter]: there };
    await look(trial, resource, elsewhere, id);
    await change(trial, resource, elsewhere, id);
    await look(trial, resource, path, id);
  };
  const more = { ...DISTURBED, creates: 2 + resource.parents.length };
  return makeCase(about, `apart-by-${level}`, title, drive, more);
}

function gone(about: About, level: string): Case {
  const { resource, ancestor } = about;
  const title = 'what is made below a record is gone with it, and what is made below others stays';
  const drive = async (trial: Trial) => {
    const { parent, parameter } = ancestor;
    const remove = parent.actions.remove as Operation;
    const kept = await makeAbove(trial, about);
    const { id: keptId } = await createRecord(trial, resource, { path: kept.path });
    const { path } = await makeAbove(trial, about);
    const { id } = await createRecord(trial, resource, { path });
    await look(trial, resource, path, id);
    const item = await pathTo(trial, parent, remove, path[parameter]);
    const [status] = successStatuses(remove);
    if (status === undefined) return;
    const removed = await trial.send(remove, { path: { ...path, ...item }, expected: { status } });
    if (!removed.sound) return;
    const above = await readById(trial, parent, path[parameter]);
    // A service that archives the parent may still show its children, and accept new ones.
    if (above && isSuccess(above.response)) return;
    await look(trial, resource, path, id, true);
    const { create } = resource.actions;
    if (create && documentsNotFound(create)) await sendTo(trial, resource, create, path, undefined);
    await look(trial, resource, kept.path, keptId);
  };
  const more = { ...DISTURBED, creates: 3 + 2 * resource.parents.length };
  return makeCase(about, `gone-with-${level}`, title, drive, more);
}

/**
 * Creates a record of an ancestor, and one of each collection between that and the resource.
 * @returns the path parameters of the resource, and those of the ancestor itself
 */
async function makeAbove(
  trial: Trial,
  { contract, resource, ancestor }: About,
): Promise<{ path: Data; others: Data }> {
  // A parameter may have several names in paths: its position counts.
  const names = resource.parents.map((parent) => parent.parameter);
  const ancestors = ancestorsOf(contract.resources, `${resource.path}/`);
  const from = ancestors.findIndex(({ parameter }) => parameter === ancestor.parameter);
  let path: Data = {};
  let others: Data = {};
  for (const [index, { parent, parameter }] of ancestors.slice(from).entries()) {
    const pairs = parent.parents.map((one, at) => [one.parameter, names[at] ?? ''] as const);
    const parentPath = Object.fromEntries(pairs.map(([name, here]) => [name, path[here]]));
    const { id, input } = await createRecord(trial, parent, index === 0 ? {} : { path: parentPath });
    if (index === 0) {
      others = Object.fromEntries(pairs.map(([name]) => [name, input.path?.[name]]));
      path = Object.fromEntries(pairs.map(([name, here]) => [here, input.path?.[name]]));
    }
    path = { ...path, [parameter]: id };
  }
  return { path, others };
}

async function look(
  trial: Trial,
  resource: Resource,
  parents: Data,
  id: unknown,
  mayBeRefused = false,
): Promise<void> {
  const { list, read } = resource.actions;
  if (list && resource.list) {
    const query = greatestPage(resource.list);
    const [status = 200] = successStatuses(list);
    const expected = mayBeRefused && { expected: { status, or4xx: true } };
    await trial.send(list, { path: await pathOf(trial, list, parents), query, ...expected });
  }
  if (read && (!mayBeRefused || documentsNotFound(read))) await sendTo(trial, resource, read, parents, id);
}

/**
 * Changes of a record under another parent's path must not find it. A PUT may create one there (RFC 9110 §9.3.4) unless
 * the document has 404 and no 201 for it; later changes then concern the created one.
 */
async function change(trial: Trial, resource: Resource, parents: Data, id: unknown): Promise<void> {
  const { replace, update, remove } = resource.actions;
  const mayMake = replace && (!documentsNotFound(replace) || documents(replace, CREATED));
  for (const operation of [mayMake ? undefined : replace, update, remove]) {
    const judged = operation && (await sendTo(trial, resource, operation, parents, id));
    if (judged && isSuccess(judged.response)) return;
  }
}

const documents = ({ responses }: Operation, status: number) => explicitStatuses(responses).includes(status);
const documentsNotFound = (operation: Operation) => documents(operation, NOT_FOUND);

async function sendTo(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  parents: Data,
  id: unknown,
): Promise<Judged | undefined> {
  const parameter = resource.id?.parameter;
  if (parameter === undefined) return undefined;
  const itemPath = id === undefined ? {} : { [parameter]: id };
  const path = await pathOf(trial, operation, { ...parents, ...itemPath });
  const isOwn = trial.session.model.find(resource, id, parentsOf(resource, path)) !== undefined;
  const unknownId = !isOwn && documentsNotFound(operation);
  const body = await anyBody(trial, operation, { mark: trial.marks.next() });
  return trial.send(operation, { path, body, unknownId });
}
