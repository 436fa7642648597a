import {
  type Bound,
  boundValue,
  compareOrdered,
  type Filter,
  type ListForm,
  mayPage,
  memberShape,
  type Operation,
  type OrderChoice,
  type Parameter,
  type Resource,
  type Search,
  searchesIn,
} from '#spec';
import { type Listed, listedResources, type On, onEach, queryFor } from '../arrange/lists.ts';
import { inRecord, isValidBody } from '../arrange/record-members.ts';
import { askList, askLongList, readById, seenValue } from '../arrange/requests.ts';
import { createRecord, ordinaryBody, pathOf, pathTo, targetRecords } from '../arrange/target.ts';
import { shorten } from '../laws/compare-records.ts';
import { isHeld } from '../laws/finding.ts';
import { firstPosition, positionParameter } from '../laws/list-page.ts';
import { recordInBody } from '../laws/mark.ts';
import { comparePlaces } from '../laws/operation-role.ts';
import { isId } from '../laws/sent-members.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';
import { sizeRange } from './pages.ts';

/** Lists with an order, bounds or a search. */
export const queries: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { order, bounds, search } = listed.form;
    const creates = settings.writes && listed.resource.actions.create !== undefined;
    return [
      ...(order?.choices ?? []).map((choice) => ordered(listed, choice)),
      ...bounds.map((bound) => bounded(listed, bound)),
      ...bounds.flatMap((low) => {
        const high = bounds.find(({ property, side }) => property === low.property && side === 'most');
        return low.side === 'least' && high ? [bothBounded(listed, low, high)] : [];
      }),
      ...(search && creates ? search.members.map((name) => searchHit(listed, search, name)) : []),
    ];
  });

/** One long list, then two pages of it, and the first of them again: a service may order each page separately. */
function ordered(listed: Listed, { query, isListed }: OrderChoice): Case {
  const { operation, status, resource, form } = listed;
  const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const slug = Object.entries(query).map(([name, value]) => `${slugOf(name)}-${directed(value)}`);
  return makeCase(listed, slug.join('-'), `${asked.join('&')} orders the list`, async (trial) => {
    const path = await pathOf(trial, operation);
    const ask = async (more: Data) => {
      const expected = { status, or4xx: !isListed };
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

/** Distinguishes `-name` from `name` in case ids. */
function directed(value: string): string {
  return value.startsWith('-') ? `${slugOf(value)}-down` : slugOf(value);
}

/** A page size that leaves a second page. */
function pageOf(parameter: Parameter, count: number): number | undefined {
  const [least, greatest] = sizeRange(parameter);
  const size = Math.max(least, Math.ceil(count / 2));
  return size <= greatest ? size : undefined;
}

/** From the least of the listed values to the middle: there are records outside. */
function bothBounded(listed: Listed, low: Bound, high: Bound): Case {
  const title = `${low.property} within two bounds`;
  const drive = async (trial: Trial) => {
    const values = [...new Set(await valuesFor(trial, listed, low))];
    const middle = values[Math.floor((values.length - 1) / 2)];
    if (middle === undefined || !mayBeAsked(trial, high, middle)) return;
    const [from, to] = [queryWithin(low, values[0]), queryWithin(high, middle)];
    const isOne = low.parameter === high.parameter;
    const joined = Object.assign({}, from[low.parameter.name], to[high.parameter.name]);
    await betweenWhole(trial, listed, isOne ? { [low.parameter.name]: joined } : { ...from, ...to });
  };
  return makeCase(listed, slugOf(title), title, drive, { demands: false });
}

/** The listed values of a bounded member that a request may send, in ascending order. */
async function valuesFor(trial: Trial, listed: Listed, bound: Bound): Promise<unknown[]> {
  const values = (await askLongList(trial, listed)).map((record) => record[bound.property]);
  const candidates = values.filter(
    (value) => compareOrdered(value, value) === 0 && mayBeAsked(trial, bound, value),
  );
  return candidates.sort((left, right) => compareOrdered(left, right) ?? 0);
}

/** Requests the middle of the listed values: there are records on both sides. */
function bounded(listed: Listed, bound: Bound): Case {
  const { parameter, key, property, side } = bound;
  const name = key === undefined ? parameter.name : `${parameter.name}[${key}]`;
  const title = `${name} gives only records whose ${property} is at ${side} that`;
  return makeCase(listed, slugOf(name), title, async (trial) => {
    const values = await valuesFor(trial, listed, bound);
    const middle = values[Math.floor(values.length / 2)];
    if (middle === undefined) return trial.leaveOpen(`no record has a ${property} to be bound by`);
    await betweenWhole(trial, listed, queryWithin(bound, middle));
  });
}

function queryWithin({ parameter, key }: Bound, value: unknown): Data {
  return { [parameter.name]: key === undefined ? value : { [key]: value } };
}

function mayBeAsked({ plan }: Trial, bound: Bound, value: unknown): boolean {
  const { schema } = bound.parameter;
  const query = queryWithin(bound, value);
  if (!schema) return boundValue(bound, query) !== undefined;
  return plan.contract.validators.compile(schema, 'request')(query[bound.parameter.name]).length === 0;
}

/** A search for the whole text of a member finds its record, whatever else it looks at. */
function searchHit(listed: Listed, { parameter }: Search, property: string): Case {
  const { resource } = listed;
  const slug = `${slugOf(parameter.name)}-finds-${slugOf(property)}`;
  const title = `${parameter.name} finds a record by its ${property}`;
  const drive = async (trial: Trial) => {
    const { sent } = await createRecord(trial, resource);
    const text = sent[property];
    if (typeof text !== 'string') return trial.leaveOpen(`no record has a ${property} to look for`);
    const { parts, cases } = searchesIn(parameter);
    const others = [
      ...(cases ? [text.toUpperCase(), text.toLowerCase()] : []),
      ...(parts && text.length > SHORTEST ? [text.slice(1)] : []),
    ];
    for (const one of [text, ...others]) await askLongList(trial, listed, { [parameter.name]: one });
  };
  return makeCase(listed, slug, title, drive, { unsafe: true });
}

/** A search may ignore shorter texts. */
const SHORTEST = 4;

/** A filter returns only matching records, and in a complete list all of them. */
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

function onlyThese(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}`;
  return makeCase(listed, slug, `${name}=${value} gives only such records`, (trial) =>
    askList(trial, listed, queryFor(filter, value)),
  );
}

/** Without an enumeration, the filter takes the values of existing records. */
function asSeen(listed: Listed, filter: Filter): Case {
  const { name } = filter.parameter;
  const title = `${name} gives only such records`;
  return makeCase(listed, slugOf(name), title, async (trial) => {
    const value = await seenValue(trial, listed.resource, filter);
    if (value === undefined) return trial.leaveOpen(`no record has a ${filter.property} to filter by`);
    await betweenWhole(trial, listed, queryFor(filter, value));
  });
}

/** Only a complete list proves that a record is missing. */
function finds(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}-finds`;
  const title = `${name}=${value} finds a record created with it`;
  const { resource } = listed;
  const { create } = resource.actions;
  const change = create && inRecord(resource, create, (record) => ({ ...record, [filter.property]: value }));
  const drive = async (trial: Trial) => {
    if (!create || !change || !isWritable(resource, create, filter)) return;
    const body = change(await ordinaryBody(trial, create), undefined);
    // If the value selects a form of the record, the other members may not fit it.
    if (!isValidBody(trial, create, body)) return;
    await createRecord(trial, resource, { change });
    await askLongList(trial, listed, queryFor(filter, value));
  };
  return makeCase(listed, slug, title, drive, { unsafe: true });
}

/** Whether the body of a create has the member: a create need not accept others. */
function isWritable(resource: Resource, create: Operation, { property }: Filter): boolean {
  const { shape } = recordInBody(resource, create);
  const member = shape && memberShape(shape, property);
  return member !== undefined && !member.readOnly;
}

/** A list that is shorter than the requested page size contains every existing record. */
export const completeLists: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => [
    ...(settings.writes && listed.resource.actions.create ? shortPages(listed) : []),
    ...listed.form.filters.flatMap((filter) =>
      (isHeld(filter, settings) ? (filter.parameter.shape.values ?? []) : []).map((value) =>
        filteredAndWhole(listed, filter, value),
      ),
    ),
  ]);

/** The smallest pages, filtered and not: records are lost where a page is cut before it is filtered, or too short. */
function shortPages(listed: Listed): Case[] {
  const { pageSize } = listed.form;
  if (!pageSize || listed.resource.id === undefined) return [];
  const [least] = sizeRange(pageSize);
  return [least, least + 1].map((limit) => {
    const slug = `${slugOf(pageSize.name)}-${limit}-lacks-nothing`;
    const title = `a list shorter than ${pageSize.name}=${limit} lacks no record`;
    const drive = async (trial: Trial) => {
      await createRecord(trial, listed.resource);
      await trial.together(
        [{}, ...selections(listed.form)].map(
          (query) => (part) => askList(part, listed, { ...query, [pageSize.name]: limit }),
        ),
      );
    };
    return makeCase(listed, slug, title, drive, { unsafe: true });
  });
}

/** The list by a value has exactly the records that the whole list shows with that value. */
function filteredAndWhole(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}-complete`;
  const title = `${name}=${value} gives every record that the whole list shows so`;
  return makeCase(listed, slug, title, (trial) => betweenWhole(trial, listed, { [name]: value }));
}

/** A list between two whole ones, which show what it must contain. */
async function betweenWhole(trial: Trial, listed: Listed, query: Data): Promise<void> {
  await trial.settle(async () => {
    await askLongList(trial, listed);
    await askLongList(trial, listed, query);
    await askLongList(trial, listed);
  });
}

/** The queries by one filter with enumerated values. */
function selections({ filters }: ListForm): Data[] {
  return filters.flatMap(({ parameter }) =>
    (parameter.shape.values ?? []).map((value) => ({ [parameter.name]: value })),
  );
}

/** A record that is read by id has that id, and equals the one in the list. */
export const reads: Family = (contract) => [
  ...onEach(contract.resources, 'read').flatMap((on) =>
    on.resource.id?.parameter ? [sameAsListed(on)] : [],
  ),
  ...listedResources(contract.resources).flatMap((listed) =>
    listed.resource.id
      ? [
          makeCase(listed, 'distinct-ids', 'no id is in the list twice', (trial) =>
            askLongList(trial, listed),
          ),
        ]
      : [],
  ),
];

function sameAsListed(on: On): Case {
  const { resource } = on;
  const title = 'a record read by id is the one that the list shows';
  return makeCase(on, 'as-listed', title, async (trial) => {
    const [listed] = listedResources([resource]);
    if (!listed) throw new NotProvoked('the document has no list of these records');
    const records = await targetRecords(trial, resource);
    const chosen = [records[0], records[Math.floor(records.length / 2)], records.at(-1)];
    const ids = new Set(chosen.map((record) => record?.[resource.id?.property ?? '']).filter(isId));
    await trial.together(
      [...ids].map((id) => (part) => part.settle(() => listAndRead(part, listed, on, id))),
    );
    if (ids.size === 0) trial.leaveOpen('the list is empty: nothing to compare with');
  });
}

/** Others may have changed or removed the record: it is read right after a list that shows it. */
async function listAndRead(trial: Trial, listed: Listed, read: On, id: unknown): Promise<void> {
  const { resource, operation, status } = read;
  const path = await pathTo(trial, resource, operation, id);
  const records = await askLongList(trial, listed);
  const isListed = records.some((record) => String(record[resource.id?.property ?? '']) === String(id));
  if (isListed) await trial.send(operation, { path, expected: { status } });
  else trial.leaveOpen(`the record ${shorten(id)} is not listed any more`);
}

/** The state of the run's records, and of rejected bodies, after all other cases. */
export const inTheEnd: Family = (contract) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const [listed] = listedResources([on.resource]);
    if (!listed) return [];
    const one = (slug: string, title: string, drive: (trial: Trial, listed: Listed) => Promise<void>) =>
      makeCase(on, slug, title, (trial) => drive(trial, listed), { demands: false });
    return [
      one('earlier-records', 'records made early in the run are as they were', readEarlierRecords),
      one('refused-are-nowhere', 'no body that was refused has become a record', listEverywhere),
    ];
  });

const LOOKED_AT = 4;

async function readEarlierRecords(trial: Trial, listed: Listed): Promise<void> {
  // In the order of the cases, whichever was faster.
  const records = trial.session.model.records
    .filter(({ resource, removed }) => resource === listed.resource && !removed)
    .toSorted((left, right) => comparePlaces(left.maker ?? [], right.maker ?? []));
  const chosen = records.filter((_, index) => index % Math.ceil(records.length / LOOKED_AT) === 0);
  await trial.together([
    ...chosen.map(
      ({ id }) =>
        (part: Trial) =>
          readById(part, listed.resource, id),
    ),
    (part) => askLongList(part, listed),
  ]);
}

async function listEverywhere(trial: Trial, listed: Listed): Promise<void> {
  const queries = [{}, ...selections(listed.form)];
  await trial.together(queries.map((query) => (part) => askLongList(part, listed, query)));
}
