import {
  bodyMedia,
  familiesOf,
  manyItem,
  memberShape,
  type Operation,
  type Parameter,
  pathParameters,
  type Resource,
  roughlyFits,
  SAFE_METHODS,
  sample,
  schemaKey,
  sentMany,
  valueAt,
  withValueAt,
} from '#spec';
import { parameterExamples } from '#test-values';
import { recordOf } from '../laws/evidence.ts';
import { recordsOf } from '../laws/list-page.ts';
import { recordInBody, recordsIn } from '../laws/mark.ts';
import { creatorOf, furtherRoleOf, ownerOf, parentsOf, resourceOf, roleOf } from '../laws/operation-role.ts';
import { isId } from '../laws/sent-members.ts';
import { NoInput, NotProvoked, NotReached, type ReasonCode } from '../run/not-reached.ts';
import {
  guessedParameters,
  guessedQuery,
  linkSources,
  parseExpression,
  pathOfOwn,
} from '../run/path-values.ts';
import { spentBy } from '../run/permissions.ts';
import type { Climbed, Recipe } from '../run/run.ts';
import type { Trial } from '../run/trial.ts';
import { isAbsent } from '../send/plan-request.ts';
import { isSuccess, jsonOf, type Response } from '../send/response.ts';
import { type Data, Unreachable } from '../send/wire.ts';
import { type BodyOptions, given, makeBody, makeValue, referencesIn } from './body.ts';
import {
  type Creation,
  type Makers,
  mayLearn,
  mayVary,
  notCreated,
  recipeFor,
  sendCreate,
  type Variation,
} from './creation.ts';
import { whenDone } from './jobs.ts';
import { greatestPage, preparedFor, viewedOwner, viewedRecords } from './lists.ts';
import { climb, firstRecipe, isSameRecipe, type Step } from './recipe.ts';

/** Records that the list shows, asked for once; none where there is no list. */
export function targetRecords(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  return trial.share(trial.run.found.lists, resource, (shared) => readList(shared, resource));
}

/** What the run has made may be gone before it is used, and is there only if the case that made it was faster. */
async function readList(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  const { list, actions } = resource;
  const isForeign = (record: Data, path?: Data) =>
    trial.run.model.makerOf(resource, record, parentsOf(resource, path)) === undefined;
  if (!list || !actions.list)
    return (await viewedRecords(trial, resource)).filter((record) => isForeign(record));
  const query = greatestPage(list);
  const path = await pathOf(trial, actions.list);
  const { response } = await trial.send(actions.list, { path, query });
  if (!isSuccess(response)) {
    const { contract, settings } = trial.run;
    const [guess] = guessedParameters(contract, settings, actions.list);
    const reason = `the list of ${resource.path} answers ${response.status}`;
    throw guess === undefined ? new NotReached(reason) : new NoInput(reason, { value: guess });
  }
  return recordsOf(list, jsonOf(response)).filter((record) => isForeign(record, path));
}

/**
 * The id of a record that a value of the path names. What is changed is the run's own, and so is what a record of the run is
 * made below. What is read is a record that exists, or the run's own once the case has written there.
 */
async function namedId(trial: Trial, operation: Operation, name: string, owner: Resource): Promise<unknown> {
  const { permissions } = trial.run;
  if (SAFE_METHODS.has(operation.method) && isOtherMember(owner, name))
    return memberOfOne(trial, owner, name);
  if (!permissions.canOwn(operation, name)) return existingId(trial, owner);
  if (spentBy(trial.run.contract, permissions, operation)?.name === name)
    return spentId(trial, operation, owner);
  return permissions.changes(operation) || looksAtOwn(trial, owner)
    ? namedOwnId(trial, owner)
    : existingId(trial, owner);
}

/**
 * What has become of the case's own records is seen where it made them; in the end, where any case did, and several of
 * them still stand: of fewer a list shows less than that of another record.
 */
function looksAtOwn({ run, case: one, amongOwn }: Trial, owner: Resource): boolean {
  if (amongOwn.has(owner)) return true;
  if (one.looksBack !== true || !run.found.ownIds.has(owner)) return false;
  const name = owner.id?.parameter ?? '';
  return run.ledger.records.filter(({ path }) => path && Object.hasOwn(path, name)).length >= SEVERAL;
}

const SEVERAL = 2;

/** The id of the run's own record; what it stands below is the run's own as well. */
function namedOwnId(trial: Trial, owner: Resource): Promise<unknown> {
  const { contract } = trial.run;
  trial.amongOwn.add(owner);
  const creator = creatorOf(owner);
  for (const name of creator ? pathParameters(creator.path) : []) {
    const above = creator && ownerOf(contract, creator, name);
    if (above) trial.amongOwn.add(above);
  }
  return ownId(trial, owner);
}

/** The id of a record that exists; one is created where the list is empty. */
async function existingId(trial: Trial, resource: Resource): Promise<unknown> {
  const property = resource.id?.property;
  if (property === undefined) throw new NotProvoked('the document does not say which member is the id');
  const records = await targetRecords(trial, resource);
  const [id] = records.map((record) => record[property]).filter(isId);
  // The same one each time: what stands below it must be looked for below it.
  return id ?? namedOwnId(trial, resource);
}

/** `{key}` of `/artifacts/{key}/latest`, where `/artifacts/{id}` has records with an `id` and a `key`. */
function isOtherMember({ id, shape }: Resource, name: string): boolean {
  return name !== id?.property && name !== id?.parameter && memberShape(shape, name) !== undefined;
}

/** The value of a member that a record has; where none has it nothing is named. */
async function memberOfOne(trial: Trial, resource: Resource, name: string): Promise<unknown> {
  const records = await targetRecords(trial, resource);
  const [value] = records.map((record) => record[name]).filter((one) => !isAbsent(one));
  if (value !== undefined) return value;
  const own = await recordNow(trial, resource, await namedOwnId(trial, resource));
  if (isAbsent(own?.[name])) throw new NotProvoked(`no record has a ${name}`);
  return own?.[name];
}

/** The id of a record that the run has created, and that is never changed nor removed. */
export function ownId(trial: Trial, resource: Resource): Promise<unknown> {
  return trial.share(trial.run.found.ownIds, resource, async (shared) => {
    const id = await createdId(shared, resource);
    shared.run.ledger.share(id);
    return id;
  });
}

/** The id of a record that one operation alone works on: whatever it does to it, nothing is expected of it any more. */
export function spentId(trial: Trial, operation: Operation, resource: Resource): Promise<unknown> {
  return trial.share(trial.run.found.spentIds, operation, async (shared) => {
    const { id, input } = await created(shared, resource);
    shared.run.ledger.share(id);
    shared.run.model.forget(resource, id, parentsOf(resource, input.path));
    return id;
  });
}

/** Good values for the path parameters of an operation; those that the caller has are not looked for. */
export async function pathOf(trial: Trial, operation: Operation, known: Data = {}): Promise<Data> {
  const isWhole = pathParameters(operation.path).every((name) => name in known);
  const prepared = isWhole ? undefined : await preparedFor(trial, operation, false);
  const values: Record<string, unknown> = { ...prepared?.path, ...known };
  const unknown: Parameter[] = [];
  // The record first: whose it is says what it stands below.
  for (const parameter of pathOfOwn(operation).toReversed()) {
    const { name, shape } = parameter;
    if (name in values) continue;
    const owner = ownerOf(trial.run.contract, operation, name);
    const value =
      given(trial, name, shape) ??
      (owner
        ? await namedId(trial, operation, name, owner)
        : ((await linkedValue(trial, operation, name)) ?? (await viewedId(trial, operation, name))));
    if (value === undefined) unknown.push(parameter);
    else values[name] = value;
  }
  return { ...values, ...(await likelyFor(trial, operation, values, unknown)) };
}

/** Likely values for all path parameters of an operation that changes nothing, where none is known; undefined: it has none. */
export async function guessedPath(trial: Trial, operation: Operation): Promise<Data | undefined> {
  const parameters = pathOfOwn(operation);
  if (parameters.length === 0 || trial.run.permissions.changes(operation)) return undefined;
  const values = parameters.map(({ name, shape }) => [name, given(trial, name, shape)] as const);
  const known = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  const unknown = parameters.filter(({ name }) => !(name in known));
  return { ...known, ...(await likelyFor(trial, operation, known, unknown)) };
}

/** So many requests look for values that an operation takes. */
const MOST_TRIED = 16;

/**
 * Values of the path for parameters of which nothing says which ones are good: those with which a read has succeeded. Those of
 * a query are sent from then on.
 */
async function likelyFor(
  trial: Trial,
  operation: Operation,
  known: Data,
  unknown: readonly Parameter[],
): Promise<Data> {
  const { run } = trial;
  if (unknown.length + guessedQuery(operation, run.settings).length === 0) return {};
  const first = valuesOf(unknown, (one) => candidatesFor(trial, operation, one)[0]);
  if (!SAFE_METHODS.has(operation.method) || run.settings.stateless) return first;
  const found = await trial.share(run.found.likely, operation, (shared) =>
    findLikely(shared, operation, known, unknown),
  );
  return valuesOf(unknown, ({ name }) => found[name] ?? first[name]);
}

function valuesOf(parameters: readonly Parameter[], choose: (one: Parameter) => unknown): Data {
  return Object.fromEntries(parameters.map((one) => [one.name, choose(one)]));
}

/** Tries likely values, each alone in the place of the likeliest one, until the operation succeeds. */
async function findLikely(
  shared: Trial,
  operation: Operation,
  known: Data,
  unknown: readonly Parameter[],
): Promise<Data> {
  const above = { ...(await askAbove(shared, operation)), ...known };
  const columns = [...unknown, ...guessedQuery(operation, shared.run.settings)].map((parameter) => {
    const { name } = parameter;
    const values = candidatesFor(shared, operation, parameter);
    return { parameter, values: name in above ? [...new Set([above[name], ...values])] : values };
  });
  const valuesIn = (place: Parameter['in'], row: readonly unknown[]): Data =>
    Object.fromEntries(
      columns.flatMap(({ parameter }, index) =>
        parameter.in === place ? [[parameter.name, row[index]]] : [],
      ),
    );
  const likeliest = columns.map(({ values }) => values[0]);
  const others = columns.flatMap(({ values }, index) =>
    values.slice(1).map((value) => likeliest.with(index, value)),
  );
  for (const row of [likeliest, ...others].slice(0, MOST_TRIED)) {
    const [path, query] = [valuesIn('path', row), valuesIn('query', row)];
    const { response } = await shared.send(operation, { path: { ...known, ...path }, query, guessed: true });
    if (!isSuccess(response)) continue;
    shared.run.found.queries.set(operation, query);
    return path;
  }
  return valuesIn('path', likeliest);
}

/** What stands before the last parameter is read: it may show what its values are. @returns the path with which it succeeded */
async function askAbove(shared: Trial, { path }: Operation): Promise<Data> {
  const { contract, permissions, found } = shared.run;
  const lists = pathParameters(path)
    .toReversed()
    .flatMap((name) =>
      contract.operations.filter(
        (one) => one.method === 'GET' && one.path === path.slice(0, path.indexOf(`/{${name}}`)),
      ),
    );
  for (const list of lists) {
    if (permissions.of(list)) continue;
    const likely = await shared
      .share(found.likely, list, (inner) => findLikely(inner, list, {}, pathOfOwn(list)))
      .catch(orNothing(undefined));
    if (likely) return likely;
  }
  return {};
}

/** Values that a parameter may take, the likeliest first. What the document shows, or a small number, may be anybody's record: it is read only. */
function candidatesFor({ run }: Trial, operation: Operation, parameter: Parameter): unknown[] {
  const { name, shape } = parameter;
  const { settings, permissions, harvest } = run;
  const samples = Array.from({ length: MOST_SAMPLES }, (_, index) =>
    sample(shape, { key: [settings.seed, name, ...(index > 0 ? [index] : [])].join('/') }),
  );
  const seen = () => harvest.valuesFor(operation, parameter);
  if (!SAFE_METHODS.has(operation.method)) {
    // What a POST names at the end of its path it may be about to make.
    const isNew = operation.method === 'POST' && operation.path.endsWith(`{${name}}`);
    return [...(permissions.isAllowed(operation) && !isNew ? seen() : []), ...samples];
  }
  const least = Math.max(1, Number(shape.range.low?.value ?? 1));
  const small =
    shape.mainType === 'integer' && !shape.values ? [least, least + 1, least + 9, least + 99] : [];
  const fitting = small.filter((value) => roughlyFits(shape, value));
  return [
    ...new Set([...parameterExamples(parameter), ...seen(), ...(shape.values ?? []), ...fitting, ...samples]),
  ];
}

const MOST_SAMPLES = 3;

/** The id of a record that a view shows, or that the run has created; undefined: there is none. */
async function viewedId(trial: Trial, operation: Operation, name: string): Promise<unknown> {
  const owner = viewedOwner(trial.run.contract, operation, name);
  const property = owner?.id?.property;
  if (!owner || property === undefined) return undefined;
  const { permissions, contract } = trial.run;
  if (spentBy(contract, permissions, operation)?.name === name) return spentId(trial, operation, owner);
  if (permissions.changes(operation) || looksAtOwn(trial, owner)) return namedOwnId(trial, owner);
  const records = await targetRecords(trial, owner);
  const id = records.map((record) => record[property]).find(isId);
  return id ?? (creatorOf(owner) && trial.run.settings.writes ? namedOwnId(trial, owner) : undefined);
}

/** What the response of another operation says a parameter is; undefined: no link leads there. */
async function linkedValue(trial: Trial, operation: Operation, name: string): Promise<unknown> {
  const { contract, settings, found } = trial.run;
  const [source] = linkSources(contract, settings, operation, name);
  const expression = source && parseExpression(source.expression);
  if (!source || !expression) return undefined;
  const response = await trial.share(found.linked, source.operation, (shared) =>
    askSource(shared, source.operation),
  );
  const value = expression.valueIn(response);
  if (value !== undefined) {
    if (roleOf(contract, source.operation)?.action === 'create')
      trial.run.own.noteLinked(operation, name, value);
    return value;
  }
  throw new NotReached(`${source.operation.id} answers ${response.status}, without ${source.expression}`);
}

async function askSource(trial: Trial, operation: Operation): Promise<Response> {
  const role = roleOf(trial.run.contract, operation);
  if (role?.action === 'create') {
    const creation = await createRecord(trial, role.resource);
    trial.run.ledger.share(creation.id);
    return creation.response;
  }
  if (!SAFE_METHODS.has(operation.method) && !trial.run.settings.writes)
    throw new NotReached('--read-only', 'read-only');
  const path = await pathOf(trial, operation);
  return (await trial.send(operation, { path, body: await anyBody(trial, operation) })).response;
}

/** The path of an operation on one record. */
export function pathTo(trial: Trial, { id }: Resource, operation: Operation, value: unknown): Promise<Data> {
  return pathOf(trial, operation, id?.parameter === undefined ? {} : { [id.parameter]: value });
}

/** A valid body, with values that the target's own records have where a member refers to something. */
export async function ordinaryBody(trial: Trial, operation: Operation, options: BodyOptions = {}) {
  const recipe = options.recipe ?? (await learnedFor(trial, operation));
  return makeBody(trial, operation, await recordsBeside(trial, operation), { ...options, recipe });
}

/** As `ordinaryBody`, also where it is no object. Undefined: none is needed, and none can be made. */
export async function anyBody(
  trial: Trial,
  operation: Operation,
  options: BodyOptions = {},
): Promise<unknown> {
  const { body } = operation;
  if (!body || (!body.required && !bodyMedia(body))) return undefined;
  const recipe = options.recipe ?? (await learnedFor(trial, operation));
  const made = makeValue(trial, operation, await recordsBeside(trial, operation), { ...options, recipe });
  return withRecords(trial, operation, made, options);
}

/** Of several records in a body each is as the create of their collection takes it. */
async function withRecords(trial: Trial, operation: Operation, made: unknown, options: BodyOptions) {
  const { resource, further } = furtherRoleOf(trial.run.contract, operation) ?? {};
  const create = further?.role === 'createMany' ? resource?.actions.create : undefined;
  const { path, shape } = recordInBody(resource, create ?? operation);
  const item = manyItem(operation);
  if (!create || !shape || !item || schemaKey(item) !== schemaKey(shape)) return made;
  const records: unknown[] = [];
  for (const _ of recordsIn(made, operation)) {
    const mark = records.length === 0 ? options.mark : trial.marks.next();
    records.push(valueAt(await ordinaryBody(trial, create, { ...options, mark }), path));
  }
  return withValueAt(made, sentMany(operation) ?? [], () => records);
}

/** How the target wants the bodies of a create. */
async function learnedFor(trial: Trial, operation: Operation): Promise<Recipe | undefined> {
  return (await climbedOf(trial, operation))?.recipe;
}

async function recordsBeside(trial: Trial, operation: Operation): Promise<readonly Data[]> {
  const { contract } = trial.run;
  const resource = resourceOf(contract, operation);
  if (!resource) return [];
  // Without them a body is made as well: that their list fails is the list's own matter.
  const records = await targetRecords(trial, resource).catch(orNothing([]));
  const { shape } = recordInBody(resource, operation);
  const named = referencesIn(contract, operation).filter(
    ({ property }) =>
      shape && memberShape(shape, property) && records.every((one) => isAbsent(one[property])),
  );
  const references: Record<string, unknown> = {};
  for (const { property, parent, isList } of named) {
    const id = await referredId(trial, resource, parent).catch(orNothing(undefined));
    if (id !== undefined) references[property] = isList ? [id] : id;
  }
  return [...records, references];
}

function orNothing<Nothing>(nothing: Nothing) {
  return (error: unknown): Nothing => {
    const isMissing = error instanceof NotReached && LIST_FAILS.has(error.code);
    if (isMissing || (error instanceof Unreachable && error.tries.closed > 0)) return nothing;
    throw error;
  };
}

/** The id of a record of the run for a new record to name; of one that the list shows, where the run can make none. */
async function referredId(trial: Trial, resource: Resource, parent: Resource): Promise<unknown> {
  const families = familiesOf(trial.run.contract.resources);
  const leadsTo = (one: Resource, seen: readonly Resource[]): boolean =>
    one === resource ||
    (families.get(one)?.kin ?? []).some(
      (kin) => !seen.includes(kin.parent) && leadsTo(kin.parent, [...seen, kin.parent]),
    );
  const isMade = creatorOf(parent) && trial.run.settings.writes && !leadsTo(parent, [parent]);
  if (isMade) return ownId(trial, parent);
  const [first] = await targetRecords(trial, parent);
  return first?.[parent.id?.property ?? ''];
}

const LIST_FAILS: ReadonlySet<ReasonCode> = new Set(['target', 'unprovoked', 'no-input', 'excluded']);

/**
 * Sends a body to a resource's create operation. Where the target refuses a valid one, the run looks for one that it
 * takes, once for all cases, and makes such bodies from then on: that refusal is none of the variation's.
 */
export async function tryCreate(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation> {
  const { run } = trial;
  const operation = creatorOf(resource);
  if (!operation) throw new NotProvoked('the document has no operation that creates such a record');
  if (!run.settings.writes) throw new NotReached('--read-only', 'read-only');
  const { found } = run;
  const known = variation.asDocumented ? undefined : await climbedOf(trial, operation);
  const usual = firstRecipe(run, operation);
  const learned = known?.recipe ?? usual;
  const varies = learned.varies || found.varying.has(operation);
  const recipe = recipeFor(variation, { ...learned, varies }, operation);
  const isPlain = !variation.change && !variation.requiredOnly && variation.body === undefined;
  const before = trial.findings.length;
  const send = async (how: Recipe) =>
    whenDone(trial, resource, await sendCreate(trial, resource, how, variation, makers(trial, operation)));
  const creation = await send(recipe);
  const { response } = creation;
  if (isSuccess(response) && isPlain) found.proven.add(operation);
  if (mayVary(creation, variation, recipe)) {
    const held = trial.findings.splice(before);
    const other = await send({ ...recipe, varies: true });
    if (isSuccess(other.response)) {
      found.varying.add(operation);
      return other;
    }
    trial.findings.splice(before, Number.POSITIVE_INFINITY, ...held);
  }
  if (known || found.proven.has(operation) || !mayLearn(trial, creation, variation)) return creation;
  const held = trial.findings.splice(before);
  const climbed = await trial.share(found.climbs, operation, (shared) =>
    findRecipe(
      shared,
      resource,
      operation,
      isPlain ? { recipe, body: creation.input.body, response } : undefined,
    ),
  );
  // That another body is taken makes no failure right.
  trial.findings.push(...held.filter(({ exchange }) => exchange.response.status >= 500));
  if (climbed.recipe && !isSameRecipe(climbed.recipe, usual)) {
    const other = recipeFor(variation, climbed.recipe, operation);
    return send(other);
  }
  trial.findings.push(...held.filter(({ exchange }) => exchange.response.status < 500));
  return creation;
}

/**
 * Looks for a body that an operation takes which makes no record, where it has refused a valid one; such bodies are made from
 * then on. @returns whether there is one
 */
export async function repairBody(
  trial: Trial,
  operation: Operation,
  send: (shared: Trial, body: unknown) => Promise<Response>,
): Promise<boolean> {
  const { run } = trial;
  const resource = resourceOf(run.contract, operation);
  const isMade = roleOf(run.contract, operation)?.action === 'create';
  if (isMade || !bodyMedia(operation.body)?.shape || run.settings.stateless) return false;
  const climbed = await trial.share(run.found.climbs, operation, async (shared) => {
    const records = await recordsBeside(shared, operation);
    return climb(shared, resource, operation, undefined, records, async (recipe) => {
      const body = await anyBody(shared, operation, { mark: shared.marks.next(), recipe });
      return { recipe, body, response: await send(shared, body) };
    });
  });
  return climbed.recipe !== undefined && !isSameRecipe(climbed.recipe, firstRecipe(run, operation));
}

/** What is known of the bodies that the target takes, where it has refused one; undefined: it has not. */
async function climbedOf(trial: Trial, operation: Operation): Promise<Climbed | undefined> {
  const { climbs } = trial.run.found;
  return climbs.has(operation) ? trial.share(climbs, operation, async () => ({ refusals: [] })) : undefined;
}

async function findRecipe(
  shared: Trial,
  resource: Resource,
  operation: Operation,
  first: Step | undefined,
): Promise<Climbed> {
  const records = await recordsBeside(shared, operation);
  return climb(shared, resource, operation, first, records, async (recipe) => {
    const { input, response } = await sendCreate(shared, resource, recipe, {}, makers(shared, operation));
    return { recipe, body: input.body, response };
  });
}

function makers(trial: Trial, operation: Operation): Makers {
  return {
    body: (options) => anyBody(trial, operation, options),
    path: (known) => pathOf(trial, operation, known),
  };
}

/** The id of a new record, to work with. */
export async function createdId(trial: Trial, resource: Resource): Promise<unknown> {
  return (await created(trial, resource)).id;
}

async function created(trial: Trial, resource: Resource): Promise<Creation> {
  const creation = await needed(trial, resource, {});
  if (creation.id === undefined) throw new NotProvoked('the response to a create does not show the id');
  return creation;
}

/** A record that the target accepted, to work with. */
export async function createRecord(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation & { record: Data }> {
  const creation = await needed(trial, resource, variation);
  const record = creation.record ?? (await recordNow(trial, resource, creation.id));
  if (!record) throw new NotProvoked('the response to a create does not show the record');
  return { ...creation, record };
}

/** @throws NotReached with all that was tried */
async function needed(trial: Trial, resource: Resource, variation: Variation): Promise<Creation> {
  const operation = creatorOf(resource);
  const known = operation && (await climbedOf(trial, operation));
  if (known && !known.recipe) throw notCreated(operation, undefined, known.refusals);
  const creation = await tryCreate(trial, resource, variation);
  if (isSuccess(creation.response)) return creation;
  const tried = operation && (await climbedOf(trial, operation));
  throw notCreated(operation, creation.response.status, tried?.recipe ? [] : tried?.refusals);
}

/** A record whose create was answered with no more than its id. */
async function recordNow(trial: Trial, resource: Resource, id: unknown): Promise<Data | undefined> {
  const { read } = resource.actions;
  if (!read || id === undefined || resource.id?.parameter === undefined) return undefined;
  const { evidence } = await trial.send(read, { path: await pathTo(trial, resource, read, id) });
  return evidence.succeeded ? recordOf(evidence) : undefined;
}
