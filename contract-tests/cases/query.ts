import type { Bound, OrderChoice, Parameter, Search } from '#spec';
import { boundValue, compareOrdered } from '#spec';
import { type Listed, listedResources } from '../arrange/lists.ts';
import { askLongList } from '../arrange/requests.ts';
import { createRecord, pathOf } from '../arrange/target.ts';
import { firstPosition, positionParameter } from '../laws/list-page.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

type Data = Readonly<Record<string, unknown>>;

/** Lists in an order, within bounds and by a search. */
export const queries: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { order, bounds, search } = listed.form;
    const creates = settings.writes && listed.resource.actions.create !== undefined;
    return [
      ...(order?.choices ?? []).map((choice) => ordered(listed, choice)),
      ...bounds.map((bound) => bounded(listed, bound)),
      ...(search && creates ? search.members.map((name) => found(listed, search, name)) : []),
    ];
  });

/** One long list, then two pages of it, and the first of them again: a service may order each page by itself. */
function ordered(listed: Listed, { query, isListed }: OrderChoice): Case {
  const { operation, success, resource, form } = listed;
  const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const slug = Object.entries(query).map(([name, value]) => `${slugOf(name)}-${directed(value)}`);
  return makeCase(operation, success, slug.join('-'), `${asked.join('&')} orders the list`, async (trial) => {
    const path = await pathOf(trial, operation);
    const ask = async (more: Data) => {
      const expected = { status: success, or4xx: !isListed };
      const { evidence } = await trial.send(operation, { path, query: { ...query, ...more }, expected });
      return evidence.page?.records.length ?? 0;
    };
    const position = positionParameter(resource);
    const count = await ask({});
    const size = form.pageSize && pageOf(form.pageSize, count);
    if (!position || !form.pageSize || size === undefined || size >= count) return;
    const first = firstPosition(position, form);
    if (first === undefined) return;
    const second = first + (position === form.page ? 1 : size);
    for (const at of [first, second, first]) await ask({ [form.pageSize.name]: size, [position.name]: at });
  });
}

/** `-name` and `name` are two cases. */
function directed(value: string): string {
  return value.startsWith('-') ? `${slugOf(value)}-down` : slugOf(value);
}

/** The size of a page that leaves a second one. */
function pageOf({ shape }: Parameter, count: number): number | undefined {
  const { low, high } = shape.range;
  const size = Math.max(Number(low?.value ?? 1), Math.ceil(count / 2));
  return size <= Number(high?.value ?? size) ? size : undefined;
}

/** The value in the middle of those that are listed is asked for: there are records on both sides of it. */
function bounded(listed: Listed, bound: Bound): Case {
  const { parameter, key, property, side } = bound;
  const name = key === undefined ? parameter.name : `${parameter.name}[${key}]`;
  const title = `${name} gives only records whose ${property} is at ${side} that`;
  return makeCase(listed.operation, listed.success, slugOf(name), title, async (trial) => {
    const values = (await askLongList(trial, listed)).map((record) => record[property]);
    const known = values.filter(
      (value) => compareOrdered(value, value) === 0 && mayBeAsked(trial, bound, value),
    );
    const [middle] = known
      .sort((one, other) => compareOrdered(one, other) ?? 0)
      .slice(Math.floor(known.length / 2));
    if (middle === undefined) return trial.leaveOpen(`no record has a ${property} to be bound by`);
    // Between two whole lists, which show what it must have.
    await trial.settle(async () => {
      await askLongList(trial, listed);
      await askLongList(trial, listed, queryFor(bound, middle));
      await askLongList(trial, listed);
    });
  });
}

function queryFor({ parameter, key }: Bound, value: unknown): Data {
  return { [parameter.name]: key === undefined ? value : { [key]: value } };
}

function mayBeAsked({ run }: Trial, bound: Bound, value: unknown): boolean {
  const { schema } = bound.parameter;
  const query = queryFor(bound, value);
  if (!schema) return boundValue(bound, query) !== undefined;
  return run.contract.validators.compile(schema, 'request')(query[bound.parameter.name]).length === 0;
}

/** The whole text of a member is in that member, whatever else a search looks at. */
function found(listed: Listed, { parameter }: Search, property: string): Case {
  const { operation, success, resource } = listed;
  const slug = `${slugOf(parameter.name)}-finds-${slugOf(property)}`;
  const title = `${parameter.name} finds a record by its ${property}`;
  const run: Case['run'] = async (trial) => {
    const { sent } = await createRecord(trial, resource);
    const text = sent[property];
    if (typeof text !== 'string') return trial.leaveOpen(`no record has a ${property} to look for`);
    await askLongList(trial, listed, { [parameter.name]: text });
  };
  return makeCase(operation, success, slug, title, run, true);
}
