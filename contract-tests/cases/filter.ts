import { type Filter, memberShape, placeOf } from '#spec';
import { makeBody } from '../arrange/body.ts';
import { createRecord } from '../arrange/create.ts';
import { askCompleteList, askList, type Listed, listedResources } from '../arrange/list.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { judgeFilter } from '../laws/list.ts';
import { shorten } from '../laws/shorten.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase, slugOf } from './family.ts';

/** A filter lets through only what it names, and of a complete list all of it. */
export const filters: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) =>
    listed.form.filters.flatMap((filter) => {
      const { shape } = filter.parameter;
      const values = shape.values ?? shape.items?.values ?? [];
      if (values.length === 0) return [seenValue(listed, filter)];
      const create = settings.writes && listed.resource.actions.create && isScalar(listed, filter);
      return values.flatMap((value) => [
        onlyThese(listed, filter, value),
        ...(create ? [finds(listed, filter, value)] : []),
      ]);
    }),
  );

function isScalar({ resource }: Listed, { property }: Filter): boolean {
  return memberShape(resource.shape, property)?.mainType !== 'array';
}

/** Whether several values mean any of them or all is nobody's promise: a list of values is asked for one. */
function asking({ parameter }: Filter, value: unknown): Record<string, unknown> {
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
    async (trial) => {
      const { records } = await askList(trial, listed, asking(filter, value));
      trial.blame(judgeFilter(filter, value, records));
      trial.covered ||= trial.findings.length === 0;
    },
  );
}

/** Without an enumeration the values that the target's own records bear are asked for. */
function seenValue(listed: Listed, filter: Filter): Case {
  const { name } = filter.parameter;
  return makeCase(
    listed.operation,
    listed.success,
    slugOf(name),
    `${name} gives only such records`,
    async (trial) => {
      const records = await trial.run.world.records(trial, listed.resource);
      const value = records
        .flatMap((record) => record[filter.property])
        .find((seen) => seen !== undefined && seen !== null);
      if (value === undefined) return trial.leaveOpen(`no record bears a ${filter.property} to filter by`);
      const { records: filtered } = await askList(trial, listed, asking(filter, value));
      trial.blame(judgeFilter(filter, value, filtered));
      trial.covered ||= trial.findings.length === 0;
    },
  );
}

/** Only a complete list can lack a record. */
function finds(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}-finds`;
  const title = `${name}=${value} finds a record created with it`;
  const run: Case['run'] = async (trial) => {
    const change = (body: Record<string, unknown>) => ({ ...body, [filter.property]: value });
    if (!(await mayBear(trial, listed, change))) return;
    const { id, record } = await createRecord(trial, listed.resource, { change });
    const property = listed.resource.id?.property ?? '';
    const has = (records: readonly Record<string, unknown>[]) => records.some((one) => one[property] === id);
    const found = await untilSettled(
      trial.run.settings.settle,
      () => askCompleteList(trial, listed, asking(filter, value)),
      (records) => records === undefined || has(records),
    );
    if (found && !has(found)) {
      const received = `a complete list of ${found.length} without ${shorten(record)}`;
      trial.blame([
        {
          law: 'filter',
          received,
          documented: `every record whose ${filter.property} is ${shorten(value)}`,
          at: placeOf(filter.parameter.spot),
        },
      ]);
    }
  };
  return makeCase(listed.operation, listed.success, slug, title, run, true);
}

/** The value may tell forms of a record apart: then it fits none of the other members that were made. */
async function mayBear(
  trial: Trial,
  { resource }: Listed,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): Promise<boolean> {
  const { create } = resource.actions;
  const schema = create?.body?.content.find(({ isJson }) => isJson)?.schema;
  if (!create || !schema) return false;
  const validate = trial.run.contract.validators.compile(schema, 'request');
  return validate(change(await makeBody(trial, create, {}))).length === 0;
}
