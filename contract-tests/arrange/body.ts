import { isRecord, memberShape, type Operation, parseJson, type Resource, type Shape, sample } from '#spec';
import { isIdName, markMember } from '../laws/mark.ts';
import { roleOf } from '../laws/operation-role.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { freshId } from './unknown-id.ts';

type Data = Record<string, unknown>;

/** A value from `--value NAME=V`, as the schema's type. */
export function given(trial: Trial, name: string, shape: Shape): unknown {
  const text = trial.run.settings.values[name];
  if (text === undefined) return undefined;
  return shape.mainType === 'string' ? text : parseJson(text);
}

export interface BodyOptions {
  readonly mark?: string | undefined;
  /** False: without the optional members. */
  readonly optional?: boolean;
  /** The path parameters that go with the body: an id in it is the one in the path. */
  readonly path?: Readonly<Data>;
}

/** A valid body: given values first, then those that the target's records have where a member refers to something. */
export function makeBody(
  trial: Trial,
  operation: Operation,
  records: readonly Readonly<Data>[],
  { mark, optional = true, path = {} }: BodyOptions,
): Data {
  const media = operation.body?.content.find(({ isJson }) => isJson);
  if (!media?.shape || !media.schema) throw new NotProvoked('the document gives no JSON schema for the body');
  const { settings, contract } = trial.run;
  const id = chosenId(trial, operation, media.shape, path, mark);
  const body = sample(media.shape, {
    key: `${settings.seed}/${operation.id}`,
    omit: (member) => member.readOnly,
    include: () => optional,
    fake: (name, shape) => {
      if (name === id?.property && id.isMember(shape)) return id.value;
      const value = given(trial, name, shape);
      if (value !== undefined) return value;
      return isReferring(name, shape)
        ? (records.find((record) => record[name] != null)?.[name] ?? firstOf(shape))
        : undefined;
    },
  });
  if (!isRecord(body)) throw new NotProvoked('the body is no object');
  if (id && id.value === undefined) delete body[id.property];
  const member = markMember(media.shape);
  if (member !== undefined && mark !== undefined) body[member] = mark;
  const [violation] = contract.validators.compile(media.schema, 'request')(body);
  if (violation)
    throw new NotProvoked(`no valid body could be made: ${violation.pointer} ${violation.expected}`);
  return body;
}

/** A member that names another record: services often take only values that exist. */
export function isReferring(name: string, shape: Shape): boolean {
  return isIdName(name) && !shape.values && ['integer', 'string'].includes(shape.mainType ?? '');
}

/** The likeliest number of something that exists. */
function firstOf(shape: Shape): unknown {
  return shape.mainType === 'integer' ? Math.max(1, Number(shape.range.low?.value ?? 1)) : undefined;
}

/** The id of the record that a body is of. */
interface ChosenId {
  readonly property: string;
  /** Undefined: the service chooses it. */
  readonly value: unknown;
  readonly isMember: (shape: Shape) => boolean;
}

/**
 * The id that a client may write: that of the path, else a new one where the body must have one. An optional id is left to
 * the service, and so is one that no body may have (undefined). Another record's id would be refused.
 */
function chosenId(
  trial: Trial,
  operation: Operation,
  body: Shape,
  path: Readonly<Data>,
  mark: string | undefined,
): ChosenId | undefined {
  const role = roleOf(trial.run.contract, operation);
  const { property, parameter } = role?.resource.id ?? {};
  const member = property === undefined ? undefined : memberShape(body, property);
  if (property === undefined || !member || member.readOnly) return undefined;
  const isMember = (shape: Shape) => shape.spot.value === member.spot.value;
  if (!isRequired(body, property)) return { property, value: undefined, isMember };
  const own = parameter === undefined ? undefined : path[parameter];
  if (own !== undefined || role?.action !== 'create')
    return own === undefined ? undefined : { property, value: own, isMember };
  return { property, value: freshId(member, mark ?? trial.marks.next()), isMember };
}

/** A change that names another record's id would be refused, or would rename the record. */
export function withOwnId({ id }: Resource, body: Readonly<Data>, own: unknown): Readonly<Data> {
  return id && Object.hasOwn(body, id.property) ? { ...body, [id.property]: own } : body;
}

function isRequired(shape: Shape, name: string): boolean {
  return shape.required.has(name) || shape.alternatives.some((branch) => branch.required.has(name));
}
