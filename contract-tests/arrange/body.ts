import {
  asReceived,
  beginningOf,
  bodyFields,
  bodyMedia,
  essenceOf,
  formatOf,
  hasSameSchema,
  isRecord,
  type MediaType,
  mayPage,
  memberShape,
  type Operation,
  partType,
  pointerText,
  type Shape,
  sample,
  tellingMembers,
  tryJson,
  type Violation,
} from '#spec';
import { isBareId, type Marks, markMember, recordInBody } from '../laws/mark.ts';
import { resourceOf, roleOf } from '../laws/operation-role.ts';
import { NoInput, NotProvoked, NotReached, optionFor } from '../run/not-reached.ts';
import type { Path, Plan, Recipe } from '../run/run.ts';
import { type ChosenId, chosenId, createdIn } from './chosen-id.ts';
import { freshId, inForm, inOrder } from './made-up.ts';
import { referringIn, referringLists } from './named-records.ts';
import {
  changedAt,
  exampleIn,
  firstRecipe,
  followRecipe,
  isSamePath,
  undeclaredId,
  withDatesAhead,
} from './recipe.ts';
import { fitsRecord, jsonPatch, recordMember, withMark } from './record-members.ts';

type Data = Record<string, unknown>;

/** The sources of bodies, beside records of the target. */
interface Sources {
  readonly plan: Pick<Plan, 'contract' | 'settings' | 'startedAt'>;
  readonly marks: Marks;
}

/** A value from `--value NAME=V`, converted to the schema's type. */
export function readValue(sources: Sources, name: string, shape: Shape): unknown {
  const text = sources.plan.settings.values[name];
  if (text === undefined) return undefined;
  return shape.mainType === 'string' ? text : (tryJson(text) ?? text);
}

export interface BodyOptions {
  readonly mark?: string | undefined;
  /** False: without the optional members. */
  readonly optional?: boolean;
  /** What the target has accepted before; undefined: what the user or the document defines. */
  readonly recipe?: Recipe | undefined;
  /** Members that may only refer to what the first of the records has, or are left out. Default: none. */
  readonly closed?: ReadonlySet<string>;
}

/** With several alternatives, a sample of one may also match another: a further sample may not. */
const TRIES = 4;

/**
 * A valid body: the user's values first, then ids of the target's records for references. If no sample of the schema is
 * valid, it falls back to one without optional members, then to a documented example.
 */
export function makeBody(
  sources: Sources,
  operation: Operation,
  records: readonly Readonly<Data>[],
  options: BodyOptions,
): Data {
  const body = makeValue(sources, operation, records, options);
  if (!isRecord(body)) throw new NotProvoked('the body is no object');
  return body;
}

/** A body to be made, with what all attempts share. */
interface Making extends Sources {
  readonly operation: Operation;
  /** The path of the record in the body, and its schema. */
  readonly at: ReturnType<typeof recordInBody>;
  readonly records: readonly Readonly<Data>[];
  readonly recipe: Recipe;
  readonly mark: string | undefined;
  /** Unique to this body: the mark, if there is one. */
  readonly nonce: string;
  readonly id: ChosenId | undefined;
  /** Members that are unique among records. */
  readonly unique: ReadonlySet<string>;
}

/** A valid body of any type. */
export function makeValue(
  sources: Sources,
  operation: Operation,
  records: readonly Readonly<Data>[],
  options: BodyOptions,
): unknown {
  const { settings, contract } = sources.plan;
  const media = bodyMedia(operation.body);
  const { recipe = firstRecipe(sources.plan, operation), mark } = options;
  const isFile = recipe.base === 'the file of --body';
  if (isFile && (!media?.shape || !media.schema)) return settings.bodies.get(operation.id);
  if (!media) throw new NoInput(unwritable(operation), { body: operation });
  if (!media.shape || !media.schema) return bodyWithoutSchema(operation, media, mark);
  const validate = contract.validators.compile(media.schema, 'request');
  // Different values for each body: its mark is unique.
  const varied = recipe.varies ? `/${mark ?? sources.marks.next()}` : '';
  const key = `${settings.seed}/${operation.id}${varied}`;
  const keys = [key, ...Array.from({ length: TRIES }, (_, index) => `${key}/${index}`)];
  const id = chosenId(contract, operation, () => mark ?? sources.marks.next());
  const unique = uniqueIn(sources, operation);
  const nonce = mark ?? (unique.size > 0 ? sources.marks.next() : '');
  const at = recordInBody(resourceOf(contract, operation), operation);
  const { plan, marks } = sources;
  const making = { plan, marks, operation, at, records, recipe, nonce, id, unique };
  // The user's body is sent as written, except for unique members: the target may accept what its document forbids.
  const made: Making = { ...making, mark: isFile ? undefined : mark };
  const sampled = (one: string, optional: boolean) => () => sampleBody(made, media, one, optional);
  const patch = jsonPatch(contract, operation, media, mark ?? key);
  const isWhole = (options.optional ?? true) && recipe.base !== 'required members';
  const candidates: (() => unknown)[] = [
    ...(patch ? [() => patch] : []),
    ...(isFile ? [() => settings.bodies.get(operation.id)] : []),
    ...(recipe.base === 'the example' ? [() => exampleIn(operation, nonce)] : []),
    ...keys.map((one) => sampled(one, isWhole)),
    ...keys.map((one) => sampled(one, false)),
    // The user's value is sent whether it is valid or not.
    ...(Object.keys(settings.values).length > 0 ? [] : [...media.examples.values()]).map(
      (example) => () => example,
    ),
  ];
  const namesOwn = (record: unknown) => closedTo(made, options.closed, record);
  let first: Violation | undefined;
  for (const candidate of candidates) {
    const value = candidate();
    for (const one of isFile ? [value] : [inOrder(value, settings.values), value]) {
      const whole = followed(made, isRecord(one) ? asNewRecord(made, one) : one);
      const body = isFile ? whole : changedAt(whole, at.path, namesOwn);
      const [violation] = validate(asReceived(media, body));
      if (!violation || isFile) return body;
      first ??= violation;
    }
  }
  const [, name] = first?.pointer.split('/') ?? [];
  throw new NoInput(`no valid body could be made: ${pointerText(first?.pointer ?? '')} ${first?.expected}`, {
    values: name === undefined ? [] : [name],
    body: operation,
  });
}

/**
 * A record that refers to none of others, whatever it was made from. A made-up id would be rejected.
 * @throws NotReached if a required reference has no record of the run
 */
function closedTo(
  { records: [sibling = {}], operation, at, plan }: Making,
  closed: BodyOptions['closed'],
  record: unknown,
) {
  if (!isRecord(record) || !closed) return record;
  const members = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const isNone = value === null || (Array.isArray(value) && value.length === 0);
    if (!closed.has(name) || isNone || name in plan.settings.values) return [[name, value]];
    if (sibling[name] !== undefined) return [[name, sibling[name]]];
    if (!at.shape?.required.has(name)) return [];
    const reason = `it needs ${operation.id}, which is withheld: ${name} would name a record of others`;
    throw new NotReached(reason, 'withheld', `--value ${name}=V or ${optionFor('--allow', operation.id)}`);
  });
  return Object.fromEntries(members);
}

function followed(making: Making, body: unknown): unknown {
  const { plan, marks, operation, recipe, mark, at } = making;
  const resource = resourceOf(plan.contract, operation);
  const id = undeclaredId(resource, operation);
  const bearer = at.shape && markMember(at.shape);
  const isBearer = (path: Path) => bearer !== undefined && isSamePath(path, [...at.path, bearer]);
  const dated = recipe.ahead ? withDatesAhead(operation, body, plan.startedAt) : body;
  return followRecipe(dated, recipe, (path, form) => {
    if (id && resource?.id && isSamePath(path, id)) return freshId(resource.id.shape, mark ?? marks.next());
    return mark !== undefined && isBearer(path) ? inForm(form, mark) : form;
  });
}

function unwritable({ body }: Operation): string {
  const types = (body?.content ?? []).map(({ type }) => type).join(' or ');
  return types === '' ? 'the document gives no media type for the body' : `no body of ${types} can be made`;
}

/** Any text or bytes are a valid body; for other types nothing is known. */
function bodyWithoutSchema(operation: Operation, { type }: MediaType, mark = 'text'): string | Uint8Array {
  const format = formatOf(type, undefined);
  const beginning = beginningOf(essenceOf(type));
  if (beginning !== undefined) return Buffer.from(beginning + mark, 'latin1');
  if (format === 'text' || format === 'bytes') return mark;
  throw new NoInput(`the document gives no schema for the body of ${type}`, { body: operation });
}

/** @param optional false: without the optional members */
function sampleBody(making: Making, media: MediaType, key: string, optional: boolean): unknown {
  const { plan, operation, at, records, recipe, nonce, unique, id } = making;
  if (!media.shape) return undefined;
  const shape = roleOf(plan.contract, operation) ? oneAlone(media.shape) : media.shape;
  const unclear = unclearMembers(media);
  const omit = (member: Shape) => unclear.has(member.spot.value);
  const isReferring = referringIn(plan.contract, operation);
  const isListOfIds = referringLists(plan.contract, operation);
  // Made-up ids of missing records would be rejected.
  const namesNone = (name: string, member: Shape) =>
    isListOfIds(name, member) &&
    records.every((record) => record[name] == null) &&
    !(name in plan.settings.values);
  const isNew = createdIn(plan.contract, operation) !== undefined;
  // A second id of the record, such as `uuid` beside `id`: with another record's value, a service might replace that
  // record.
  const isOwnMember = (name: string, { spot }: Shape) =>
    at.shape !== undefined && memberShape(at.shape, name)?.spot.value === spot.value;
  const isSecondId = (name: string, member: Shape) =>
    isNew && isBareId(name) && name !== id?.property && isOwnMember(name, member);
  const value = sample(shape, {
    key,
    direction: 'request',
    // The schema's example for a pattern would be the same for each record.
    unshown: recipe.varies,
    omit,
    include: (name, _random, member) =>
      optional && !(member && (isSecondId(name, member) || namesNone(name, member))),
    fake: (name, member) => {
      if (name === id?.property && id.isMember(member)) return id.value;
      if (unique.has(name)) return freshId(member, `${name} ${nonce}`);
      const value = readValue(making, name, member);
      if (value !== undefined) return value;
      if (namesNone(name, member) && (member.highest('minItems') ?? 0) === 0) return [];
      if (isListOfIds(name, member)) return records.find((record) => record[name] != null)?.[name];
      if (isPaging(name, member) && !roleOf(plan.contract, operation)) return firstOf(member);
      if (!isReferring(name, member)) return undefined;
      // The `id` of an embedded object is not that of the record.
      if (isBareId(name) && at.shape && !isOwnMember(name, member)) return firstOf(member);
      return records.find((record) => record[name] != null)?.[name] ?? firstOf(member);
    },
  });
  return isRecord(value) ? fitRecord(making, shape, withBeginnings(media, value), key, omit) : value;
}

/** Gives files the first bytes of their documented type. */
function withBeginnings(media: MediaType, body: Readonly<Data>): Data {
  const fields = bodyFields(media);
  const members = Object.entries(body).map(([name, value]) => {
    const field = fields.get(name);
    if (!field?.isFile || typeof value !== 'string') return [name, value];
    const text = `${beginningOf(partType(field) ?? '') ?? ''}${value}`;
    return [name, field.parameter.shape.allows(text) ? text : value];
  });
  return Object.fromEntries(members);
}

/** The schema of one record, if a body is one or a list of them: only a single one can be identified and found again. */
export function oneAlone(shape: Shape): Shape {
  const isOfSeveral = (one: Shape) =>
    shape.alternatives.some(({ items }) => items !== undefined && hasSameSchema(items, one));
  return shape.properties.size > 0 ? shape : (shape.alternatives.find(isOfSeveral) ?? shape);
}

/** Values that the record's schema forbids are made anew, to match the schemas of both body and record. */
function fitRecord(
  { plan: { contract, settings }, operation }: Making,
  shape: Shape,
  body: Readonly<Data>,
  key: string,
  omit: (member: Shape) => boolean,
): Data {
  const members = Object.entries(body).map(([name, value]) => {
    const member = memberShape(shape, name);
    const twin = member && recordMember(contract, operation, name, member);
    if (!twin || name in settings.values || fitsRecord(contract, operation, shape, { [name]: value }))
      return [name, value];
    return [name, sample(member.and(twin), { key: `${key}/${name}`, direction: 'request', omit })];
  });
  return Object.fromEntries(members);
}

/** The members whose value must not be another record's. */
function uniqueIn(sources: Sources, operation: Operation): ReadonlySet<string> {
  const role = roleOf(sources.plan.contract, operation);
  return new Set(role ? tellingMembers(role.resource) : []);
}

/** The schemas of optional form fields that services read in several ways: they are not sent. */
export function unclearMembers(media: MediaType): ReadonlySet<unknown> {
  const fields = [...bodyFields(media)].filter(
    ([name, { isUnclear }]) => isUnclear && !media.shape?.required.has(name),
  );
  return new Set(fields.map(([, { parameter }]) => parameter.shape.spot.value));
}

/** Adds the run's mark, the user's values, and an id that is new. */
function asNewRecord(making: Making, sampled: Readonly<Data>): unknown {
  const { plan, operation, at, mark } = making;
  const renewed = changedAt(sampled, at.path, (record) =>
    isRecord(record) ? renewedRecord(making, record) : record,
  );
  const marked = mark === undefined ? renewed : withMark(plan.contract, operation, renewed as Data, mark);
  const whole = bodyMedia(operation.body)?.shape;
  return whole ? withGiven(making, marked, whole) : marked;
}

function renewedRecord({ marks, at, mark, id, unique }: Making, record: Readonly<Data>): Data {
  const body = { ...record };
  if (id && body[id.property] !== undefined) {
    delete body[id.property];
    if (id.value !== undefined) body[id.property] = id.value;
  }
  for (const name of unique) {
    const member = at.shape && memberShape(at.shape, name);
    if (member && body[name] !== undefined) body[name] = freshId(member, `${name} ${mark ?? marks.next()}`);
  }
  return body;
}

/** Sets the members for which the user gives a value, wherever a body has them. */
function withGiven(sources: Sources, body: unknown, shape: Shape): unknown {
  if (Object.keys(sources.plan.settings.values).length === 0 || !isRecord(body)) return body;
  const members = Object.entries(body).map(([name, value]) => {
    const member = memberShape(shape, name);
    if (!member || member.readOnly) return [name, value];
    return [name, readValue(sources, name, member) ?? withGiven(sources, value, member)];
  });
  return Object.fromEntries(members);
}

/** Whether a member is a page size or position without a documented bound: services have an undocumented one. */
function isPaging(name: string, shape: Shape): boolean {
  return mayPage({ name, shape }) && shape.range.high === undefined;
}

/** The most likely number of something that exists. */
function firstOf(shape: Shape): unknown {
  return shape.mainType === 'integer' ? Math.max(1, Number(shape.range.low?.value ?? 1)) : undefined;
}
