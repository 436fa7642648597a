import {
  answerShape,
  arrayShape,
  bodyPath,
  bodyShape,
  type Data,
  fullyFits,
  idMembers,
  isJsonType,
  isRecord,
  listPath,
  mediaTypeFor,
  memberMeanings,
  memberShape,
  ONLY,
  type Operation,
  parseJson,
  type ReadRequest,
  type Resource,
  recordPath,
  responseFor,
  type Shape,
  shapeAt,
  shownNames,
  showsIdAlone,
  stringifyJson,
  valueAt,
  withoutNull,
  withValueAt,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { memoizeReusable, memoizeText } from '../../http/memoize.ts';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import type { RecordCollection } from '../collection.ts';
import { formOf, keepsUnnamed } from '../forms.ts';
import { isShown } from '../item.ts';
import { hasOneWay, withoutWriteOnly } from '../one-way.ts';
import { compileFit } from '../seed/fake.ts';
import type { ActionContext, ActionName, Run } from './action.ts';
import { asShown, NOT_SHOWN } from './as-shown.ts';
import { queryMembers } from './edit.ts';
import { exampleOf, sampleBody, withConstants } from './sample.ts';
import { only, without } from './transitions.ts';

interface OfAction extends ActionContext {
  readonly action: ActionName;
}

/**
 * Shows records in the operation's response schema, where it differs from the stored one: in an envelope, with fewer or
 * with more members.
 */
export function compileShow(context: OfAction): Run | undefined {
  const { action, operation, collection } = context;
  const isMany = action === 'createMany' || action === 'removeMany';
  const { resource } = collection;
  const isShowing = isShown(operation, resource) || queryMembers(operation, resource).length > 0;
  if (isMany || (action === 'action' && !isShowing)) return undefined;
  const convert =
    action === 'list' || action === 'view' ? compileItems(context) : compileRecord(context, action);
  if (!convert) return undefined;
  const sentOnly = WRITES.has(action) ? compileSentOnly(context) : undefined;
  if (sentOnly)
    return (task, next) =>
      andThen(next(task), (outcome) =>
        withJson(outcome, (body) => convert({ ...sentOnly(task.values), ...(body as Data) })),
      );
  const convertText = memoizeText((body) => stringifyJson(convert(parseJson(body))), LAST_SHOWN);
  const show = memoizeReusable((outcome: Outcome) => withText(outcome, convertText));
  return (task, next) => andThen(next(task), show);
}

const WRITES: ReadonlySet<ActionName> = new Set(['create', 'replace', 'update']);

/** Removes `writeOnly` members from responses, at any depth. */
export function compileVisible({ responses }: Pick<Operation, 'responses'>): Run | undefined {
  const shapeOf = ({ status, type = '' }: Exclude<Outcome, Refusal>) => {
    const media = isJsonType(type) && mediaTypeFor(responseFor(responses, status)?.content ?? [], type);
    return (media || undefined)?.shape;
  };
  const all = responses.flatMap(({ content }) => content.map(({ shape }) => shape));
  if (!all.some((shape) => hasOneWay(shape, 'writeOnly'))) return undefined;
  const visible = memoizeReusable((outcome: Outcome) => {
    const shape = isRefusal(outcome) ? undefined : shapeOf(outcome);
    return shape ? withJson(outcome, (body) => withoutWriteOnly(shape, body)) : outcome;
  });
  return (task, next) => andThen(next(task), visible);
}

/** Edits the body of an outcome, if it has one. */
function withText(outcome: Outcome, edit: (body: string) => string): Outcome {
  if (isRefusal(outcome) || typeof outcome.body !== 'string' || outcome.body === '') return outcome;
  return { ...outcome, body: edit(outcome.body) };
}

export const withJson = (outcome: Outcome, edit: (body: unknown) => unknown): Outcome =>
  withText(outcome, (body) => stringifyJson(edit(parseJson(body))));

/**
 * Compiles selecting members of the request that only its response shows, because the record has no place for them.
 * Undefined: there are none.
 */
function compileSentOnly({
  operation,
  collection: { resource },
}: ActionContext): ((values: ReadRequest) => Data) | undefined {
  const path = bodyPath(resource, operation);
  const sent = shapeAt(bodyShape(operation), path);
  const recordForm = shapeAt(answerShape(operation), recordPath(resource, operation));
  if (!sent || !recordForm) return undefined;
  const members = [...recordForm.properties].filter(
    ([name, { readOnly, writeOnly }]) =>
      !readOnly && !writeOnly && !memberShape(resource.shape, name) && memberShape(sent, name),
  );
  if (members.length === 0) return undefined;
  return ({ body }) => {
    const sentRecord = valueAt(body, path);
    if (!isRecord(sentRecord)) return {};
    const entries = members.flatMap(([name, member]): [string, unknown][] =>
      Object.hasOwn(sentRecord, name) ? [[name, asShown(member, sentRecord[name])]] : [],
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== NOT_SHOWN));
  };
}

/** Takes the record out of the object around it in the request's body: `{ "article": {} }`. */
export function compileTake({ action, operation, collection }: OfAction): Run | undefined {
  const { path } = takenFrom(operation, collection.resource, action);
  if (path.length === 0) return undefined;
  return (task, next) => next({ ...task, values: { ...task.values, body: valueAt(task.values.body, path) } });
}

/** Actions whose body is not one record. */
const OTHER_BODIES: ReadonlySet<ActionName> = new Set(['createMany', 'removeMany', 'updateMany', 'action']);

/** The path of the record in the body, and the operation as if the record were the body. */
export function takenFrom(
  operation: Operation,
  resource: Resource,
  action: ActionName,
): { operation: Operation; path: readonly string[] } {
  const { body } = operation;
  const path = body && !OTHER_BODIES.has(action) ? bodyPath(resource, operation) : [];
  if (!body || path.length === 0) return { operation, path: [] };
  const content = body.content.map((media) => {
    const shape = shapeAt(media.shape, path);
    return { ...media, shape, schema: shape?.spot };
  });
  return { operation: { ...operation, body: { ...body, content } }, path };
}

/** Records are read more often than changed, and converting a page again takes a thousand times as long. */
const LAST_SHOWN = { most: 16, longest: 2 ** 18 };

type Convert = (body: unknown) => unknown;

function compileItems({ operation, collection, seeds }: ActionContext): Convert | undefined {
  const { resource } = collection;
  const answer = answerShape(operation);
  const { list } = resource;
  const array = list && arrayShape(list, answer);
  if (!list || !array?.items) return undefined;
  const { required, mainType } = array.items;
  const hidden = new Set(
    [...memberMeanings(resource)].flatMap(([name, fact]) =>
      fact.hidden === 'in lists' && !required.has(name) ? [name] : [],
    ),
  );
  const isStored = isSame(array.items, resource.shape);
  if (isStored && hidden.size === 0) return undefined;
  const form = isStored ? (record: Data) => record : compileForm(array.items, { collection, seeds });
  const isId = compileFit(array.items);
  const items = (record: Data) => {
    const { [resource.id?.property ?? '']: id } = record;
    // The list shows ids instead of records.
    if (mainType !== 'object' && isId(id)) return id;
    const item = form(record);
    if (!isRecord(item)) return item;
    return without(hidden, item);
  };
  const path = listPath(list);
  return (body) =>
    // The response may omit an empty list.
    valueAt(body, path) === undefined && path.length > 0
      ? body
      : withValueAt(body, path, (records) => (records as Data[]).map(items));
}

function compileRecord(context: ActionContext, action: ActionName): Convert | undefined {
  const { operation, collection, seeds } = context;
  const { resource } = collection;
  const answer = answerShape(operation);
  const path = recordPath(resource, operation);
  const shape = shapeAt(answer, path);
  if (!answer || !shape || (path.length === 0 && isSame(shape, resource.shape))) return undefined;
  const { property } = resource.id ?? {};
  if (WRITES.has(action) && property !== undefined && showsIdAlone(resource, operation))
    return (body) => (body as Data)[property];
  if (path.length === 0 && saysOther(shape, resource.shape))
    return compileSaid(context, shape, action === 'create');
  const form = isSame(shape, resource.shape)
    ? (record: Data) => record
    : compileForm(shape, { collection, seeds }, action === 'create' ? operation : undefined);
  if (path.length === 0) return (body) => form(body as Data);
  const { media } = successForm(operation);
  const [, example] = (media && exampleOf(media)) ?? [];
  const around = isRecord(example)
    ? example
    : path[0] !== ONLY &&
      withConstants(seeds.sampled(answer, { isShown: true }, operation.id) as Data, operation, true);
  return (body) => withValueAt(around, path, () => form(body as Data));
}

/** Whether a response shows none of the record's members: `{ "message": "Member added" }`. */
function saysOther({ properties }: Shape, record: Shape): boolean {
  const isNamed = properties.size > 0 && record.properties.size > 0;
  const isShown = (name: string) => memberShape(record, name) !== undefined;
  return isNamed && ![...properties.keys()].some(isShown) && shownNames(properties, record).size === 0;
}

/** @param namesId whether to show the id, too */
function compileSaid(context: ActionContext, shape: Shape, namesId: boolean): Convert {
  const { collection } = context;
  const sampled = sampleBody(context);
  const { resource } = collection;
  const withId = compileWithId(shape, collection, namesId);
  const ids = namesId ? idMembers(resource, context.operation, shape) : [];
  return (body) => {
    const made = sampled().body;
    // The action has already made the described response.
    const isMade = isRecord(body) && Object.keys(body).some((name) => shape.properties.has(name));
    if (isMade || typeof made !== 'string' || !made.startsWith('{')) return body;
    const example = parseJson(made) as Data;
    if (ids.length === 0) return withId(body as Data, example) ?? example;
    const { [resource.id?.property ?? '']: id } = body as Data;
    const named = { ...example, ...Object.fromEntries(ids.map((name) => [name, id])) };
    const told = id !== undefined && fullyFits(shape, named) ? named : example;
    return withId(body as Data, told) ?? told;
  };
}

const isSame = (left: Shape, right: Shape) => left.spot.value === right.spot.value;

/**
 * Compiles adding the id of a created record to a response whose schema allows but does not name it, since clients need the
 * id. Undefined: nothing is added.
 */
function compileWithId(
  shape: Shape,
  { resource }: RecordCollection,
  namesId: boolean,
): (record: Data, members: Data) => Data | undefined {
  const { property } = resource.id ?? {};
  if (!namesId || property === undefined) return () => undefined;
  const fits = compileFit(shape);
  return ({ [property]: id }, members) => {
    const named = { [property]: id, ...members };
    return id !== undefined && fits(named) ? named : undefined;
  };
}

/**
 * Compiles showing a record: unchanged if it fits, else with the members that fit, and samples of the required others.
 * @param create shows the id of the new record, even if the schema does not name it, or names it otherwise
 */
function compileForm(
  shape: Shape,
  { collection, seeds }: Pick<ActionContext, 'collection' | 'seeds'>,
  create?: Operation,
): (record: Data) => unknown {
  const { resource } = collection;
  const withId = compileWithId(shape, collection, create !== undefined);
  const ids = create ? idMembers(resource, create, shape) : [];
  const names = [
    ...shownNames(shape.properties, resource.shape),
    ...ids.map((name) => [name, resource.id?.property ?? ''] as const),
    ...namedById(shape, resource.shape),
  ];
  // Members that this response does not name are for other responses: the text of a book, for those who bought it.
  const declared = [...shape.properties.keys()];
  const defaults = Object.fromEntries(
    [...shape.properties].flatMap(([name, member]) => {
      const keyword = member.find('default');
      return keyword && member.allows(keyword.value) && !memberShape(resource.shape, name)
        ? [[name, keyword.value]]
        : [];
    }),
  );
  const isOpen = keepsUnnamed(shape) || shape.alternatives.length + shape.conditional.length > 0;
  return (kept) => {
    const record = names.length === 0 ? kept : withNames(kept, names, (name) => shape.properties.get(name));
    if (fullyFits(shape, record)) {
      const members = isRecord(record) ? only(declared, record) : {};
      // A schema with none of the record's members describes something around it.
      if (isOpen || Object.keys(members).length === 0) return record;
      const named = { ...defaults, ...members };
      return withId(record, named) ?? named;
    }
    const form = formOf(shape, record);
    const sampled = seeds.sampled(form, {}, resource.path, record[resource.id?.property ?? '']);
    if (!isRecord(sampled)) return sampled;
    const fitting = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      const member = form.properties.get(name);
      if (!member || fullyFits(member, value)) return member ? [[name, value]] : [];
      // An incomplete object is completed, not replaced.
      const { [name]: made } = sampled;
      const whole = isRecord(value) && isRecord(made) ? { ...made, ...value } : undefined;
      return whole && fullyFits(member, whole) ? [[name, whole]] : [];
    });
    const required = Object.entries(sampled).filter(([name]) => form.required.has(name));
    const joined = Object.fromEntries([...required, ...fitting]);
    const named = withId(record, joined);
    if (named) return named;
    // Some schemas have no valid sample: then its members do not help.
    return fullyFits(shape, joined) || !fullyFits(shape, sampled) ? joined : sampled;
  };
}

/** The members that a response shows as an id, and the record has as an object: `"city": 7`. */
function namedById({ properties }: Shape, record: Shape): (readonly [string, string])[] {
  return [...properties.keys()].flatMap((name) => {
    const types = [properties.get(name), memberShape(record, name)].map(
      (shape) => shape && withoutNull(shape).mainType,
    );
    return ['integer', 'string'].includes(types[0] ?? '') && types[1] === 'object'
      ? [[name, name] as const]
      : [];
  });
}

/** Adds members of the record under other names: `categoryId` for `category`. */
function withNames(
  record: Data,
  names: readonly (readonly [string, string])[],
  memberOf: (name: string) => Shape | undefined,
): Data {
  const others = names.flatMap(([name, stored]): [string, unknown][] => {
    const { [stored]: value, [name]: present } = record;
    if (value === undefined || (present !== undefined && stored !== name)) return [];
    const isPlain = isRecord(value) && memberOf(name)?.mainType !== 'object';
    const [id] = isPlain ? Object.entries(value).filter(([inner]) => /id$/i.test(inner)) : [];
    return [[name, isPlain ? id?.[1] : value]];
  });
  return { ...record, ...Object.fromEntries(others) };
}
