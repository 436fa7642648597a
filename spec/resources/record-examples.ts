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

/** A record as the document shows it. */
export interface RecordExample {
  readonly members: Data;
  /** The values that the document shows for the path parameters of the operation. */
  readonly path: Data;
}

/** The records that the document shows: in lists, in responses to a read, in views and in their schema, in this order. */
export function recordExamples(resource: Resource): RecordExample[] {
  const { actions, list, further, shape } = resource;
  const views = further.filter(({ role }) => role === 'view');
  const path = actions.read ? recordPath(resource, actions.read) : [];
  const read = examplesOf(actions.read).map((body) => (path ? valueAt(body, path) : body));
  return [
    ...listedExamples(actions.list, list),
    ...withPath(read, actions.read),
    ...views.flatMap((view) => listedExamples(view.operation, view.list)),
    ...withPath(shape.shown, actions.read ?? actions.list),
  ];
}

function listedExamples(operation: Operation | undefined, form: ListForm | undefined): RecordExample[] {
  const listed = examplesOf(operation).flatMap((body) => {
    const items = form ? listedIn(form, body) : undefined;
    return Array.isArray(items) ? items : [];
  });
  return withPath(listed, operation);
}

/** The JSON bodies that the document shows for the success of an operation. */
function examplesOf(operation: Operation | undefined): unknown[] {
  const media = answerMedia(operation);
  return [
    ...(media?.examples.values() ?? []),
    ...(media?.shape?.all('example') ?? []).map(({ value }) => value),
  ];
}

function withPath(records: readonly unknown[], operation: Operation | undefined): RecordExample[] {
  const path = operation ? pathExamples(operation) : {};
  return records.filter(isRecord).map((members) => ({ members, path }));
}

/** The first value that the document shows for each path parameter. */
function pathExamples({ parameters }: Operation): Data {
  const shown = parameters.flatMap((parameter) => {
    const [value] = parameter.in === 'path' ? parameterExamples(parameter) : [];
    return value === undefined ? [] : [[parameter.name, value] as const];
  });
  return Object.fromEntries(shown);
}

/** Whether a path of the document names a record that the document shows: then its own requests belong together. */
export function namesExample(
  { path, id }: Resource,
  operations: readonly Operation[],
  ids: readonly unknown[],
): boolean {
  if (id?.parameter === undefined || ids.length === 0) return false;
  const item = `${path}/{${id.parameter}}`;
  const known = new Set(ids.map(String));
  const below = operations.filter((one) => one.path === item || one.path.startsWith(`${item}/`));
  return below.some(({ parameters }) =>
    parameters.some(
      (parameter) =>
        parameter.in === 'path' &&
        parameter.name === id.parameter &&
        parameterExamples(parameter).some((value) => known.has(String(value))),
    ),
  );
}

/** The values of a member of a record in the requests that the document shows for an operation. */
export function sentExamples(resource: Resource, operation: Operation, property: string): readonly unknown[] {
  const path = bodyPath(resource, operation);
  const record = shapeAt(bodyShape(operation), path);
  const member = record && memberShape(record, property);
  if (!member || member.readOnly) return [];
  const bodies = (operation.body?.content ?? []).flatMap(({ examples }) => [...examples.values()]);
  const records = [...bodies.map((body) => valueAt(body, path)), ...record.shown].filter(isRecord);
  return [...records.map((one) => one[property]), ...shownValues(member, 'request')];
}
