import { isRecord, type Operation, parseJson, type Shape, sample, type Violation } from '#spec';
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

/** Where a schema has several forms, a sample of one may fit another one as well: a further one may not. */
const TRIES = 4;

/**
 * A valid body: given values first, then those that the target's records have where a member refers to something. Where
 * no sample of the schema is valid, without the optional members, else an example of the document.
 */
export function makeBody(
  trial: Trial,
  operation: Operation,
  records: readonly Readonly<Data>[],
  options: BodyOptions,
): Data {
  const media = operation.body?.content.find(({ isJson }) => isJson);
  if (!media?.shape || !media.schema) throw new NotProvoked('the document gives no JSON schema for the body');
  const { shape, schema } = media;
  const { settings, contract } = trial.run;
  const validate = contract.validators.compile(schema, 'request');
  const key = `${settings.seed}/${operation.id}`;
  const keys = [key, ...Array.from({ length: TRIES }, (_, index) => `${key}/${index}`)];
  const sampled = (one: string, optional: boolean) => () => sampleBody(trial, shape, records, one, optional);
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
    if (!isRecord(value)) continue;
    const body = asNewRecord(trial, operation, shape, value, options.mark);
    const [violation] = validate(body);
    if (!violation) return body;
    first ??= violation;
  }
  if (!first) throw new NotProvoked('the body is no object');
  throw new NotProvoked(`no valid body could be made: ${first.pointer} ${first.expected}`);
}

function sampleBody(
  trial: Trial,
  shape: Shape,
  records: readonly Readonly<Data>[],
  key: string,
  optional: boolean,
): unknown {
  return sample(shape, {
    key,
    omit: (member) => member.readOnly,
    include: () => optional,
    fake: (name, member) => {
      const value = given(trial, name, member);
      if (value !== undefined) return value;
      return isReferring(name, member)
        ? (records.find((record) => record[name] != null)?.[name] ?? firstOf(member))
        : undefined;
    },
  });
}

/** With the mark of the run, and the id of no other record. */
function asNewRecord(
  { run: { contract, settings } }: Trial,
  operation: Operation,
  shape: Shape,
  sampled: Readonly<Data>,
  mark: string | undefined,
): Data {
  const resource = contract.resources.find(({ actions }) => actions.create === operation);
  const key = `${settings.seed}/${mark ?? operation.id}`;
  const body: Data = { ...(resource ? withNewId(sampled, shape, resource, key, mark) : sampled) };
  const member = markMember(shape);
  if (member !== undefined && mark !== undefined) body[member] = mark;
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
