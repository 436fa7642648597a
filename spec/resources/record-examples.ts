import { isRecord } from '../json/json-value.ts';
import type { Operation } from '../operation.ts';
import { parameterExamples } from '../parameter.ts';
import { shownValues } from '../schema/shown-value.ts';
import { listedIn } from './list-form.ts';
import {
  answerMedia,
  bodyPath,
  bodyShape,
  memberShape,
  recordPath,
  shapeAt,
  valueAt,
} from './record-schema.ts';
import type { ListForm, Resource } from './resource.ts';

type Data = Readonly<Record<string, unknown>>;

/** An example of a record. */
export interface RecordExample {
  readonly members: Data;
  /** Examples of the operation's path parameters. */
  readonly path: Data;
}

/** The examples of a collection's records: in lists, in responses to a read, in views and in the schema, in this order. */
export function recordExamples(resource: Resource): RecordExample[] {
  const { actions, list, further, shape } = resource;
  const { read, list: lists } = actions;
  const path = read ? recordPath(resource, read) : [];
  const listed = (operation: Operation | undefined, form: ListForm | undefined) =>
    withPath(form ? examplesOf(operation).flatMap((body) => listedIn(form, body) ?? []) : [], operation);
  return [
    ...listed(lists, list),
    ...withPath(
      examplesOf(read).map((body) => valueAt(body, path)),
      read,
    ),
    ...further.flatMap((one) => listed(one.operation, one.list)),
    ...withPath(shape.ownExamples, read ?? lists),
  ];
}

/** The JSON examples of an operation's success. */
function examplesOf(operation: Operation | undefined): unknown[] {
  const { examples, shape } = answerMedia(operation) ?? {};
  return [...(examples?.values() ?? []), ...(shape?.all('example') ?? []).map(({ value }) => value)];
}

/** Examples with the first example of each path parameter. */
function withPath(records: readonly unknown[], operation: Operation | undefined): RecordExample[] {
  const parameters = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? [];
  const examples = parameters.map((parameter) => [parameter.name, parameterExamples(parameter)[0]] as const);
  const path = Object.fromEntries(examples.filter(([, value]) => value !== undefined));
  return records.filter(isRecord).map((members) => ({ members, path }));
}

/**
 * Whether an example of a path parameter is the id of an example of a record, so that the document's examples belong
 * together.
 */
export function namesExample(
  { path, id }: Resource,
  operations: readonly Operation[],
  ids: readonly unknown[],
): boolean {
  const item = `${path}/{${id?.parameter}}/`;
  const texts = new Set(ids.map(String));
  const below = operations.filter((operation) => `${operation.path}/`.startsWith(item));
  return below
    .flatMap(({ parameters }) =>
      parameters.filter((parameter) => parameter.in === 'path' && parameter.name === id?.parameter),
    )
    .some((parameter) => parameterExamples(parameter).some((value) => texts.has(String(value))));
}

/** The values of a record's member in an operation's examples of requests. */
export function sentExamples(resource: Resource, operation: Operation, property: string): readonly unknown[] {
  const path = bodyPath(resource, operation);
  const record = shapeAt(bodyShape(operation), path);
  const member = record && memberShape(record, property);
  if (!member || member.readOnly) return [];
  const bodies = (operation.body?.content ?? []).flatMap(({ examples }) => [...examples.values()]);
  const records = [...bodies.map((body) => valueAt(body, path)), ...record.ownExamples].filter(isRecord);
  return [...records.map((one) => one[property]), ...shownValues(member, 'request')];
}
