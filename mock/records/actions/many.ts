import {
  answerShape,
  bodyShape,
  type Data,
  foldedName,
  idIn,
  isRecord,
  type Job,
  jobOf,
  jobState,
  lastSegment,
  MAKER,
  madeByJob,
  manyItem,
  memberShape,
  namesIdOf,
  type Operation,
  parseJson,
  pathParameters,
  type Resource,
  recordName,
  resultsOf,
  sentMany,
  sentType,
  singularName,
  stringifyJson,
  valueAt,
  whereOf,
  withValueAt,
  wordsOf,
} from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import type { Outcome } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import type { Entry, Given, Id } from '../../store/port.ts';
import { meetsAll } from '../../store/table.ts';
import { idTaken } from '../fitting-record.ts';
import { isShown } from '../item.ts';
import { removeRecords } from '../links.ts';
import { idsOf } from '../relations.ts';
import type { Act, ActionContext, Task } from './action.ts';
import { compileComplete, compileLocation, noteMaker } from './create.ts';
import { compileInitial } from './initial.ts';
import { compileMaker } from './linked.ts';
import { compileNamedChange } from './named-change.ts';
import { compileSample, sampleBody } from './sample.ts';
import { compileWritableMembers } from './writable-members.ts';

/**
 * Creates a record for each item of the body: all, or none if an id is taken, unless the response has a result for each.
 * Work that is only accepted (202) is done at once, and its job says so.
 */
export function compileCreateMany(context: ActionContext): Act | undefined {
  const { operation, collection, contract } = context;
  const { resource } = collection;
  const one = ofItems(operation);
  const membersOf = compileWritableMembers(one, resource.shape, contract);
  if (!membersOf) return undefined;
  const path = sentMany(operation) ?? [];
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const showsAll = answerShape(operation)?.mainType === 'array';
  const showsRecord = isShown(operation, resource);
  const sampled = sampleBody(context);
  const complete = onFirstCall(() => compileComplete({ ...context, operation: one }));
  const results = compileResults(operation, resource);
  const isApart = resultsOf(operation, resource)?.apart !== undefined;
  const job = jobOf(operation, contract);
  const start = job && compileJob(context, job);

  /** Creates each record independently of the others. */
  async function createEach({ store }: Task, inputs: readonly Given[], refused: Map<number, string>) {
    const made = new Map<number, Entry>();
    for (const [place, one] of inputs.entries()) {
      if (refused.has(place)) continue;
      const entry = await store.create(collection, one);
      if (entry === 'taken') refused.set(place, idTaken(collection, one.id).message ?? 'It is there already');
      else made.set(place, entry);
    }
    return made;
  }

  return async (task): Promise<Outcome> => {
    const { values, store } = task;
    const scope = collection.scopeFrom(values.parameters.path);
    const refused = new Map(task.refused);
    // An absent body creates nothing; a body of another media type may hold one record.
    const inputs = [valueAt(values.body, path) ?? []].flat().map((item): Given => {
      const members = complete(membersOf(item), task);
      const id = resource.id && (idIn(resource.id, members) as Id | undefined);
      return { id, members, scope };
    });
    if (start && refused.size > 0) return start(task, [], [...refused.values()][0]);
    const all = isApart ? undefined : await store.createAll(collection, inputs);
    if (all && 'taken' in all) return idTaken(collection, inputs[all.taken]?.id);
    const made = all ? new Map(all.entries()) : await createEach(task, inputs, refused);
    const entries = [...made.values()];
    for (const entry of entries) await noteMaker(task, collection, entry);
    if (start) return start(task, entries);
    const lastRecord = showsRecord ? entries.at(-1)?.text : undefined;
    const other = () => results?.(sampled().body, inputs.length, made, refused) ?? sampled().body;
    const body =
      showsAll && !isApart ? `[${entries.map(({ text }) => text).join()}]` : (lastRecord ?? other());
    return { status, type, body: type ? body : '' };
  };
}

/**
 * Changes all records as the path says: `/notifications/read-all`. Undefined: the document does not say what changes, or
 * where.
 */
export function compileUpdateMany(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const change = operation.body ? undefined : compileNamedChange(context);
  if (!change) return undefined;
  const sampled = compileSample(context);
  return async (task): Promise<Outcome> => {
    const scope = collection.scopeFrom(task.values.parameters.path);
    for (const id of await idsOf(task.store, collection, scope)) {
      const made = await change(task, id);
      if (made)
        await task.store.change(collection, id, scope, (old) => {
          return { id, scope, members: made.edit(parseJson(old) as Data) };
        });
    }
    return sampled(task);
  };
}

/** Compiles one result for each record sent. Undefined: the response has no results. */
function compileResults(operation: Operation, resource: Resource) {
  const results = resultsOf(operation, resource);
  if (!results) return undefined;
  const { path, record, error, index } = results;
  return (
    sampled: string | Uint8Array,
    count: number,
    made: ReadonlyMap<number, Entry>,
    refused: ReadonlyMap<number, string>,
  ) => {
    const body = parseJson(String(sampled));
    const [first] = [valueAt(body, path)].flat();
    const resultOf = (place: number): unknown => {
      const entry = made.get(place);
      if (record === undefined) return entry && parseJson(entry.text);
      const { [record]: _, ...around } = (isRecord(first) ? first : {}) as Data;
      const { [error ?? '']: why, ...rest } = around;
      return {
        ...rest,
        ...(index && { [index.member]: place + index.first }),
        ...(entry && { [record]: parseJson(entry.text) }),
        ...(!entry && error !== undefined && { [error]: isRecord(why) ? why : refused.get(place) }),
      };
    };
    return stringifyJson(
      withValueAt(body, path, () => Array.from({ length: count }, (_, place) => resultOf(place))),
    );
  };
}

/** Compiles starting a job that is complete when it is first read. */
function compileJob(context: ActionContext, job: Job) {
  const { operation, collection, collections } = context;
  const jobs = [...collections].find(([{ actions }]) => actions.read === job.read)?.[1];
  if (!jobs) return undefined;
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const initial = onFirstCall(() => compileInitial({ collection: jobs, operation }));
  const locationOf = onFirstCall(() => compileLocation({ ...context, collection: jobs }));
  const { ids, counts } = madeByJob(operation, job, collection.resource);
  const states = (memberShape(jobs.resource.shape, job.state)?.values ?? []).map(String);
  const first = states.find((state) => jobState(state) === 'under way') ?? states[0];
  const sampled = sampleBody(context);
  const property = collection.resource.id?.property ?? '';

  return async (task: Task, made: readonly Entry[], error?: string): Promise<Outcome> => {
    const { [job.result?.member ?? '']: result } = parseJson(String(sampled().body)) as Record<
      string,
      unknown
    >;
    const jobResult = {
      ...(isRecord(result) && result),
      ...Object.fromEntries(counts.map((name) => [name, made.length])),
      ...(ids !== undefined && { [ids]: made.map(({ text }) => valueAt(parseJson(text), [property])) }),
    };
    const members = {
      ...initial(task),
      [job.state]: error === undefined ? job.done[0] : job.failed[0],
      ...(error === undefined && job.result && { [job.result.member]: jobResult }),
      ...(error !== undefined && job.error && { [job.error.member]: error }),
    };
    const entry = await task.store.create(jobs, { id: undefined, members, scope: [] });
    if (entry === 'taken') return idTaken(jobs, undefined);
    const kept = parseJson(entry.text) as Data;
    const { [job.result?.member ?? '']: _, [job.error?.member ?? '']: __, ...started } = kept;
    const location = locationOf(entry.id, task.values.parameters.path);
    return {
      status,
      type,
      body: stringifyJson({ ...started, [job.state]: first }),
      ...(location !== undefined && { headers: { Location: location } }),
    };
  };
}

/** The operation with the schema of one record in place of the list's. */
function ofItems(operation: Operation): Operation {
  const { body } = operation;
  const shape = manyItem(operation);
  if (!body) return operation;
  const content = body.content.map((media) => ({
    ...media,
    shape: media.shape?.mainType === 'array' ? media.shape.items : shape,
  }));
  return { ...operation, body: { ...body, content } };
}

/**
 * Removes the records whose ids the query or body lists, or that filters select; all, if nothing can select or a flag `all`
 * is set. Undefined: the meaning of a parameter is unknown.
 */
export function compileRemoveMany(context: ActionContext): Act | undefined {
  const { operation, collection, contract } = context;
  const { scopeFrom, resource, idFrom } = collection;
  const { shape, id: identity, path, actions } = resource;
  if (scopeFrom({}).length < pathParameters(operation.path).length) return undefined;
  const inQuery = operation.parameters.filter(({ in: place }) => place === 'query');
  const named = [...inQuery.map(({ name }) => name), ...(bodyShape(operation)?.properties.keys() ?? [])];
  const idNames = ['id', identity?.property ?? 'id', identity?.parameter ?? 'id'].map(singularName);
  const isOfIds = (name: string) => idNames.includes(singularName(name)) || namesIdOf(name, recordName(path));
  const [ids, others] = [named.filter(isOfIds), named.filter((name) => !isOfIds(name))];
  const filters = others.filter((name) => shape.properties.has(name));
  if (others.some((name) => foldedName(name) !== 'all' && !filters.includes(name))) return undefined;
  const { status } = successForm(operation);
  const sampled = sampleBody(context);
  // `/cart/delete-all`
  const isOfAll = wordsOf(lastSegment(operation.path) ?? '').includes('all');
  const where = actions.list && whereOf(actions.list, resource, contract);
  const maker = where?.[MAKER] === undefined ? undefined : compileMaker(collection);
  return async (task) => {
    const { values, store } = task;
    const isOwn = await maker?.(task);
    const parameters = { ...(isRecord(values.body) && values.body), ...values.parameters.query };
    const listed = Array.isArray(values.body) ? values.body : ids.flatMap((name) => parameters[name] ?? []);
    const idOf = (one: unknown) => (isRecord(one) ? one[identity?.property ?? 'id'] : one);
    const wanted = new Set(listed.flatMap(idsIn).map((one) => String(idFrom(idOf(one)))));
    const asked = filters.filter((name) => parameters[name] !== undefined);
    const selects = ids.length + filters.length > 0 || Array.isArray(values.body);
    const isAll =
      isOfAll || !selects || others.some((name) => !filters.includes(name) && parameters[name] === true);
    const scope = scopeFrom(values.parameters.path);
    const isMeant = ({ id, text }: Entry) => {
      const record = parseJson(text) as Data;
      const isAsked = asked.length > 0 && asked.every((name) => isOneOf(record[name], parameters[name]));
      return (isAll || wanted.has(String(id)) || isAsked) && isOwn?.(record) !== false;
    };
    const { entries } = await store.contents(collection);
    const below = entries.filter((entry) => meetsAll(collection, entry, scope));
    const meant = below.filter(isMeant).map(({ id }) => id);
    await removeRecords(store, collection, meant, scope);
    return { status, ...sampled() };
  };
}

/** A list of ids may be one text: `1,2`. */
const idsIn = (value: unknown): unknown[] => (typeof value === 'string' ? value.split(',') : [value].flat());

const isOneOf = (value: unknown, wanted: unknown) => [wanted].flat().map(String).includes(String(value));
