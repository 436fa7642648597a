import {
  answerShape,
  asReceived,
  bodyFields,
  bodyMedia,
  type Contract,
  formatOf,
  isRecord,
  type MediaType,
  memberShape,
  type Operation,
  parseJson,
  type Resource,
  type Shape,
  sample,
  uniqueMembers,
  type Violation,
} from '#spec';
import { isIdName, type Marks } from '../laws/mark.ts';
import { furtherRoleOf, roleOf } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Run } from '../run/run.ts';
import { fitsRecord, recordMember, withMark } from './record-members.ts';
import { freshId } from './unknown-id.ts';

type Data = Record<string, unknown>;

/** What bodies are made from, beside records of the target. */
interface Sources {
  readonly run: Pick<Run, 'contract' | 'settings'>;
  readonly marks: Marks;
}

/** A value from `--value NAME=V`, as the schema's type. */
export function given(sources: Sources, name: string, shape: Shape): unknown {
  const text = sources.run.settings.values[name];
  if (text === undefined) return undefined;
  return shape.mainType === 'string' ? text : parseJson(text);
}

export interface BodyOptions {
  readonly mark?: string | undefined;
  /** False: without the optional members. */
  readonly optional?: boolean;
}

/** Where a schema has several forms, a sample of one may fit another one as well: a further one may not. */
const TRIES = 4;

/**
 * A valid body: given values first, then those that the target's records have where a member refers to something. Where
 * no sample of the schema is valid, without the optional members, else an example of the document.
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

/** A valid body of any type. */
export function makeValue(
  sources: Sources,
  operation: Operation,
  records: readonly Readonly<Data>[],
  options: BodyOptions,
): unknown {
  const media = bodyMedia(operation.body);
  if (!media) throw new NotProvoked(unwritable(operation));
  if (!media.shape || !media.schema) return bodyWithoutSchema(media, options.mark);
  const { shape, schema } = media;
  const { settings, contract } = sources.run;
  const validate = contract.validators.compile(schema, 'request');
  const key = `${settings.seed}/${operation.id}`;
  const keys = [key, ...Array.from({ length: TRIES }, (_, index) => `${key}/${index}`)];
  const id = chosenId(sources, operation, shape, options.mark);
  const unique = uniqueIn(sources, operation);
  const own = { id, unique, mark: options.mark ?? (unique.size > 0 ? sources.marks.next() : '') };
  const sampled = (one: string, optional: boolean) => () =>
    sampleBody(sources, operation, media, records, { key: one, optional, ...own });
  const candidates: (() => unknown)[] = [
    ...keys.map((one) => sampled(one, options.optional ?? true)),
    ...keys.map((one) => sampled(one, false)),
    // A value that the user gives is to be sent, whether it is valid or not.
    ...(Object.keys(settings.values).length > 0 ? [] : [...media.examples.values()]).map(
      (example) => () => example,
    ),
  ];
  let first: Violation | undefined;
  for (const candidate of candidates) {
    const value = candidate();
    const body = isRecord(value) ? asNewRecord(contract, operation, value, options.mark, id) : value;
    const [violation] = validate(asReceived(media, body));
    if (!violation) return body;
    first ??= violation;
  }
  throw new NotProvoked(`no valid body could be made: ${first?.pointer} ${first?.expected}`);
}

function unwritable({ body }: Operation): string {
  const types = (body?.content ?? []).map(({ type }) => type).join(' or ');
  return types === '' ? 'the document gives no media type for the body' : `no body of ${types} can be made`;
}

/** Any text and any bytes are a valid body; of any other type nothing is known. */
function bodyWithoutSchema({ type }: MediaType, mark = 'text'): string {
  const format = formatOf(type, undefined);
  if (format === 'text' || format === 'bytes') return mark;
  throw new NotProvoked(`the document gives no schema for the body of ${type}`);
}

interface SampleOptions {
  readonly key: string;
  /** Of no other body. */
  readonly mark: string;
  /** Members that no two records may have the same value of. */
  readonly unique: ReadonlySet<string>;
  /** False: without the optional members. */
  readonly optional: boolean;
  readonly id: ChosenId | undefined;
}

function sampleBody(
  sources: Sources,
  operation: Operation,
  media: MediaType,
  records: readonly Readonly<Data>[],
  { key, mark, unique, optional, id }: SampleOptions,
): unknown {
  if (!media.shape) return undefined;
  const unclear = unclearMembers(media);
  const omit = (member: Shape) => member.readOnly || unclear.has(member.spot.value);
  const value = sample(media.shape, {
    key,
    omit,
    include: () => optional,
    fake: (name, member) => {
      if (name === id?.property && id.isMember(member)) return id.value;
      if (unique.has(name)) return freshId(member, `${name} ${mark}`);
      const value = given(sources, name, member);
      if (value !== undefined) return value;
      if (!isReferring(name, member)) return undefined;
      return records.find((record) => record[name] != null)?.[name] ?? firstOf(member);
    },
  });
  return isRecord(value) ? fitRecord(sources, operation, media.shape, value, { key, omit }) : value;
}

/** What no record can show is made anew, as the schemas of both the body and the record have it. */
function fitRecord(
  { run: { contract, settings } }: Sources,
  operation: Operation,
  shape: Shape,
  body: Readonly<Data>,
  { key, omit }: { key: string; omit: (member: Shape) => boolean },
): Data {
  const members = Object.entries(body).map(([name, value]) => {
    const member = memberShape(shape, name);
    const shown = member && recordMember(contract, operation, name, member);
    const isKept = name in settings.values || fitsRecord(contract, operation, shape, { [name]: value });
    return [name, shown && !isKept ? sample(member.and(shown), { key: `${key}/${name}`, omit }) : value];
  });
  return Object.fromEntries(members);
}

/** What another record may have already would be refused. */
function uniqueIn(sources: Sources, operation: Operation): ReadonlySet<string> {
  const role = roleOf(sources.run.contract, operation);
  return new Set(role ? uniqueMembers(role.resource).map(({ property }) => property) : []);
}

/** The schemas of optional fields of a form that services read in several ways: they are not sent. */
export function unclearMembers(media: MediaType): ReadonlySet<unknown> {
  const fields = [...bodyFields(media)].filter(
    ([name, { isUnclear }]) => isUnclear && !media.shape?.required.has(name),
  );
  return new Set(fields.map(([, { parameter }]) => parameter.shape.spot.value));
}

/** With the mark of the run, and the id of no other record. */
function asNewRecord(
  contract: Contract,
  operation: Operation,
  sampled: Readonly<Data>,
  mark: string | undefined,
  id: ChosenId | undefined,
): Readonly<Data> {
  const { [id?.property ?? '']: given, ...others } = sampled;
  const body: Data =
    id && given !== undefined
      ? { ...others, ...(id.value !== undefined && { [id.property]: id.value }) }
      : { ...sampled };
  return mark === undefined ? body : withMark(contract, operation, body, mark);
}

/** A member that names another record: services often take only values that exist. */
export function isReferring(name: string, shape: Shape): boolean {
  return isIdName(name) && !shape.values && ['integer', 'string'].includes(shape.mainType ?? '');
}

/** The likeliest number of something that exists. */
function firstOf(shape: Shape): unknown {
  return shape.mainType === 'integer' ? Math.max(1, Number(shape.range.low?.value ?? 1)) : undefined;
}

/** The id that a client chooses for a new record. */
interface ChosenId {
  readonly property: string;
  /** Undefined: the service chooses it. */
  readonly value: unknown;
  readonly isMember: (shape: Shape) => boolean;
}

/**
 * A new id where the body must have one, or the response would not tell it. Any other id is left to the service (value
 * undefined), and so is one that no body may have (undefined). Another record's id would be refused.
 */
function chosenId(
  sources: Sources,
  operation: Operation,
  body: Shape,
  mark: string | undefined,
): ChosenId | undefined {
  const property = createdIn(sources.run.contract, operation)?.id?.property;
  const member = property === undefined ? undefined : memberShape(body, property);
  if (property === undefined || !member || member.readOnly) return undefined;
  const isMember = (shape: Shape) => shape.spot.value === member.spot.value;
  if (!isRequired(body, property) && isTold(operation, property))
    return { property, value: undefined, isMember };
  return { property, value: freshId(member, mark ?? sources.marks.next()), isMember };
}

/** The collection to which an operation adds one record, or several. */
function createdIn(contract: Contract, operation: Operation): Resource | undefined {
  const role = roleOf(contract, operation);
  if (role) return role.action === 'create' ? role.resource : undefined;
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  return further && ['create', 'createMany'].includes(further.role) ? resource : undefined;
}

function isRequired(shape: Shape, name: string): boolean {
  return shape.required.has(name) || shape.alternatives.some((branch) => branch.required.has(name));
}

function isTold(create: Operation, property: string): boolean {
  const answer = answerShape(create);
  return (
    answer !== undefined && [answer, ...answer.properties.values()].some((one) => memberShape(one, property))
  );
}
