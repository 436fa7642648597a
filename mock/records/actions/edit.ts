import {
  type Data,
  findNamed,
  isPresumed,
  isRecord,
  memberNames,
  memberShape,
  type Operation,
  type Resource,
  type Shape,
  sentShape,
  upsertOf,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import type { Refusal } from '../../http/refusal.ts';
import { compileRecordContent, createdForm, successForm } from '../../http/representations.ts';
import { changeRecord, compileFitting } from '../fitting-record.ts';
import { readOnlyMembers } from '../forms.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { asShown, NOT_SHOWN } from './as-shown.ts';
import { compileComplete } from './create.ts';
import { compileTouched } from './moments.ts';
import { compileTransitions, only, statesOf } from './transitions.ts';
import { compileWritableMembers } from './writable-members.ts';

/**
 * PUT: replaces the record with the body (RFC 9110 §9.3.4), but keeps its `readOnly` members. Where the document says so,
 * it creates a missing record.
 */
export function compileReplace(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const replace = compileEdit(
    context,
    replaceMembers(collection.resource.shape, sentShape(collection.resource, operation)),
  );
  const addressOf = compileItemAddress(collection, operation);
  const membersOf = compileWritableMembers(operation, collection.resource.shape, context.contract);
  if (!replace || !addressOf || !membersOf || !upsertOf(operation)) return replace;
  const made = compileRecordContent(createdForm(operation));
  const complete = onFirstCall(() => compileComplete(context));
  return (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text !== undefined) return replace(task);
      const input = { id, members: complete(membersOf(task.values.body), task), scope };
      return andThen(task.store.create(collection, input), (entry) =>
        entry === 'taken' ? recordNotFound(id) : made(entry.text),
      );
    });
  };
}

/** PATCH: merges the body into the record. */
export function compileUpdate(context: ActionContext): Act | undefined {
  return compileEdit(context, updateMembers);
}

/** Sets members of the record from the query, where there is no body. Undefined: no parameter has the name of a member. */
export function compileQueryUpdate(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  return queryMembers(operation, collection.resource).length > 0 ? compileUpdate(context) : undefined;
}

/** Returns the new record; `readOnly` members are already removed from the body. */
type Combine = (record: Data, body: Data, contentType: string) => Data;

/** Compiles PUT and PATCH, which differ only in how they combine record and body. */
function compileEdit(context: ActionContext, combine: Combine): Act | undefined {
  const { operation, collection, contract } = context;
  const { changes } = operation.said.facts;
  const edited = compileRecordContent(successForm(operation));
  const addressOf = compileItemAddress(collection, operation);
  const inQuery = queryMembers(operation, collection.resource);
  const queryOf = onFirstCall(() => compileQueryMembers(inQuery));
  const inBody = compileWritableMembers(operation, collection.resource.shape, contract);
  if (!addressOf || !(inBody ?? inQuery[0])) return undefined;
  const fitting = onFirstCall(() => compileFitting(collection));
  const touched = onFirstCall(() => compileTouched(collection.resource));
  const forbidden = onFirstCall(() => compileTransitions(context));
  return ({ values, request, store, time }) => {
    const address = addressOf(values);
    const { id, scope } = address;
    if (id === undefined || id === null || id === '') return NO_ID;
    const isInQuery = inQuery.length > 0 && values.body === undefined;
    const body = isInQuery ? queryOf(values.parameters.query) : values.body;
    const membersOf = isInQuery ? undefined : inBody;
    const makes = isInQuery || changes ? updateMembers : combine;
    const contentType = String(request.headers['content-type']);
    const stored = changeRecord(store, collection, address, (record, old) => {
      const whole = isRecord(body) ? makes(record, body, contentType) : record;
      const isEmpty = body === undefined;
      const patch = isEmpty ? {} : (membersOf?.(body, whole, record) ?? (body as Data));
      // `x-paddock` says that other members do not change.
      const sent = changes ? only(changes, patch) : patch;
      const changed = isEmpty ? record : makes(record, sent, contentType);
      const members = isEmpty ? record : { ...changed, ...touched(record, sent, time()) };
      return forbidden(record, members) ?? fitting(old, { id, members, scope });
    });
    return andThen(stored, (text) => (typeof text === 'string' ? edited(text) : text));
  };
}

/** The body has no id, although only its id can say which record is meant. */
const NO_ID: Refusal = {
  refuse: 'invalid',
  message: 'The body must have the id of the record that it changes',
};

/**
 * Replaces the record's members, but keeps those that it requires, the body may omit and no default fills, states that only
 * certain operations may leave, and members that no body can have.
 */
export function replaceMembers(shape: Shape, sent?: Shape) {
  const unsaid = [...shape.properties.keys()].filter(
    (name) => sent && sent.properties.size > 0 && !memberShape(sent, name),
  );
  const readOnly = readOnlyMembers(shape);
  const owed = [...shape.required.keys()].filter((name) => !memberShape(shape, name)?.find('default'));
  const states = statesOf(shape).map(({ name }) => name);
  return (record: Data, body: Data): Data => ({
    ...only([...owed, ...readOnly, ...states, ...unsaid], record),
    ...body,
  });
}

export function updateMembers(record: Data, body: Data, contentType: string): Data {
  const type = contentType.toLowerCase();
  if (type.includes('merge-patch')) return mergePatch(record, body) as Data;
  return { ...record, ...(type.includes('vnd.api+json') ? mergedWithin(record, body) : body) };
}

/** JSON:API 1.1 §9.2.1: a PATCH keeps attributes and relationships that are missing. */
function mergedWithin(record: Data, body: Data): Data {
  const merged = Object.entries(body).map(([name, value]) => {
    const old = record[name];
    return [name, isRecord(value) && isRecord(old) ? { ...old, ...value } : value] as const;
  });
  return Object.fromEntries(merged);
}

/** RFC 7396 §2: objects are merged member by member, null removes one, anything else replaces. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  // Without a prototype: clients choose the names.
  const merged: Record<string, unknown> = Object.assign(Object.create(null), isRecord(target) && target);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** A query parameter and the member of the record with its name. */
interface QueryMember {
  readonly parameter: string;
  readonly name: string;
  readonly member: Shape;
}

const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The query parameters that set members, for an operation on a record that has no body: `POST /boats/3?name=Zeta`. */
export function queryMembers(
  { method, path, body, parameters }: Operation,
  { id, shape }: Pick<Resource, 'id' | 'shape'>,
): readonly QueryMember[] {
  if ((body && !isPresumed(body)) || !CHANGES.has(method) || !path.endsWith(`{${id?.parameter}}`)) return [];
  const names = memberNames(shape);
  return parameters.flatMap(({ in: place, name: parameter }): QueryMember[] => {
    const name = findNamed(names, parameter);
    const member = name === undefined ? undefined : memberShape(shape, name);
    if (place !== 'query' || name === undefined || name === id?.property) return [];
    return member && !member.readOnly ? [{ parameter, name, member }] : [];
  });
}

/** Compiles reading these members; a value that does not fit the record stays as sent, and is refused later. */
function compileQueryMembers(members: readonly QueryMember[]): (query: Data) => Data | undefined {
  return (query) => {
    const entries = members.flatMap(({ parameter, name, member }): [string, unknown][] => {
      const { [parameter]: text } = query;
      if (text === undefined) return [];
      const value = asShown(member, text);
      // If no item fits, an empty list would clear the record's.
      if (Array.isArray(value) && value.length === 0 && [text].flat().length > 0) return [];
      return [[name, value === NOT_SHOWN ? text : value]];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
}
