import { type Filter, mayPage, memberShape, type Operation, type Resource } from '#spec';
import { type Listed, listedResources } from '../arrange/lists.ts';
import { inRecord, isValidBody } from '../arrange/record-members.ts';
import { askList, askLongList, seenValue } from '../arrange/requests.ts';
import { createRecord, ordinaryBody } from '../arrange/target.ts';
import { isHeld } from '../laws/finding.ts';
import { recordInBody } from '../laws/mark.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

type Data = Readonly<Record<string, unknown>>;

/** A filter lets through only what it names, and of a complete list all of it. */
export const filters: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) =>
    listed.form.filters.flatMap((filter) => {
      if (mayPage(filter.parameter)) return [];
      const { shape } = filter.parameter;
      const values = shape.values ?? shape.items?.values ?? [];
      if (values.length === 0) return [asSeen(listed, filter)];
      const create =
        settings.writes &&
        isHeld(filter, settings) &&
        listed.resource.actions.create &&
        isScalar(listed, filter);
      return values.flatMap((value) => [
        onlyThese(listed, filter, value),
        ...(create ? [finds(listed, filter, value)] : []),
      ]);
    }),
  );

function isScalar({ resource }: Listed, { property, inner }: Filter): boolean {
  return inner === undefined && memberShape(resource.shape, property)?.mainType !== 'array';
}

/** Whether several values mean any of them or all is not documented: a list of values is asked for one. */
function queryFor({ parameter }: Filter, value: unknown): Data {
  return { [parameter.name]: parameter.shape.mainType === 'array' ? [value] : value };
}

function onlyThese(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}`;
  return makeCase(
    listed.operation,
    listed.success,
    slug,
    `${name}=${value} gives only such records`,
    (trial) => askList(trial, listed, queryFor(filter, value)),
  );
}

/** Without an enumeration the values that the target's own records have are asked for. */
function asSeen(listed: Listed, filter: Filter): Case {
  const { name } = filter.parameter;
  const title = `${name} gives only such records`;
  return makeCase(listed.operation, listed.success, slugOf(name), title, async (trial) => {
    const value = await seenValue(trial, listed.resource, filter);
    if (value === undefined) return trial.leaveOpen(`no record has a ${filter.property} to filter by`);
    // Between two whole lists, which show what it must have.
    await trial.settle(async () => {
      await askLongList(trial, listed);
      await askLongList(trial, listed, queryFor(filter, value));
      await askLongList(trial, listed);
    });
  });
}

/** Only a complete list can lack a record. */
function finds(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}-finds`;
  const title = `${name}=${value} finds a record created with it`;
  const { resource } = listed;
  const { create } = resource.actions;
  const change = create && inRecord(resource, create, (record) => ({ ...record, [filter.property]: value }));
  const run: Case['run'] = async (trial) => {
    if (!create || !change || !isWritable(resource, create, filter)) return;
    const body = change(await ordinaryBody(trial, create), undefined);
    // The value may tell forms of a record apart: then it fits none of the other members that were made.
    if (!isValidBody(trial, create, body)) return;
    await createRecord(trial, resource, { change });
    await askLongList(trial, listed, queryFor(filter, value));
  };
  return makeCase(listed.operation, listed.success, slug, title, run, true);
}

/** What a create does not describe, it need not take. */
function isWritable(resource: Resource, create: Operation, { property }: Filter): boolean {
  const { shape } = recordInBody(resource, create);
  const member = shape && memberShape(shape, property);
  return member !== undefined && !member.readOnly;
}
