import { isRecord, type Operation, parseJson, type Shape, sample } from '#spec';
import { markMember } from '../laws/mark.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { withNewId } from './new-id.ts';

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
}

/** A valid body: given values first, then those that the target's records have where a member refers to something. */
export function makeBody(
  trial: Trial,
  operation: Operation,
  records: readonly Readonly<Data>[],
  { mark, optional = true }: BodyOptions,
): Data {
  const media = operation.body?.content.find(({ isJson }) => isJson);
  if (!media?.shape || !media.schema) throw new NotProvoked('the document gives no JSON schema for the body');
  const { settings, contract } = trial.run;
  const sampled = sample(media.shape, {
    key: `${settings.seed}/${operation.id}`,
    omit: (member) => member.readOnly,
    include: () => optional,
    fake: (name, shape) => {
      const value = given(trial, name, shape);
      if (value !== undefined) return value;
      return isReferring(name, shape)
        ? (records.find((record) => record[name] != null)?.[name] ?? firstOf(shape))
        : undefined;
    },
  });
  if (!isRecord(sampled)) throw new NotProvoked('the body is no object');
  const resource = contract.resources.find(({ actions }) => actions.create === operation);
  const key = `${settings.seed}/${mark ?? operation.id}`;
  const body: Data = { ...(resource ? withNewId(sampled, media.shape, resource, key, mark) : sampled) };
  const member = markMember(media.shape);
  if (member !== undefined && mark !== undefined) body[member] = mark;
  const [violation] = contract.validators.compile(media.schema, 'request')(body);
  if (violation)
    throw new NotProvoked(`no valid body could be made: ${violation.pointer} ${violation.expected}`);
  return body;
}

/** A member that names another record: services often take only values that exist. */
export function isReferring(name: string, shape: Shape): boolean {
  return (
    /(?:^|[a-z_-])ids?$/i.test(name) && !shape.values && ['integer', 'string'].includes(shape.mainType ?? '')
  );
}

/** The likeliest number of something that exists. */
function firstOf(shape: Shape): unknown {
  return shape.mainType === 'integer' ? Math.max(1, Number(shape.range.low?.value ?? 1)) : undefined;
}
