import {
  answerShape,
  bodyMedia,
  bodyPath,
  type Data,
  explicitStatuses,
  findNamed,
  foldedName,
  formatOf,
  fullyFits,
  headersKept,
  idSources,
  idWord,
  isAtItem,
  isNoId,
  isRecord,
  memberShape,
  type Operation,
  parentsInBody,
  type ReadRequest,
  recordPath,
  sentShape,
  sentType,
  shapeAt,
  successOf,
  upsertOf,
  valueAt,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import type { Outcome } from '../../http/refusal.ts';
import { compileRecordContent, createdForm, successForm } from '../../http/representations.ts';
import type { Entry, Given, Id, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { changeRecord, compileUnfitMembers, idTaken, madeToFit } from '../fitting-record.ts';
import { MADE, setLink } from '../links.ts';
import type { Act, ActionContext, Task } from './action.ts';
import { compileInitial } from './initial.ts';
import { compileMadeBy } from './made-by.ts';
import { compileTransitions, only, statesOf } from './transitions.ts';
import { compileWritableMembers, NO_MEMBERS, type SelectMembers } from './writable-members.ts';

/**
 * Stores the body as a new record and responds with it; the service sets what the body cannot have. Where the document says
 * that it updates an existing record, it replaces the one with the body's id.
 */
export function compileCreate(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const { id: identity } = collection.resource;
  const upsert = upsertOf(operation) !== undefined;
  const form = upsert ? createdForm(operation) : successForm(operation);
  const made = compileRecordContent(form);
  const replaced = compileRecordContent({ ...form, status: successForm(operation).status });
  const read = compileWritableMembers(operation, collection.resource.shape, context.contract);
  const isNamed = isAtItem(collection.resource, operation);
  if ((!read || isOpaque(operation)) && !showsId(operation, collection) && !isNamed) return undefined;
  const membersOf: SelectMembers = read ?? (() => NO_MEMBERS);
  const idOf = compileGivenId(operation, collection);
  const locationOf = onFirstCall(() => compileLocation(context));
  const unfit = onFirstCall(() => compileUnfitMembers(operation, collection));
  const taken = (id: Id | undefined) => idTaken(collection, id);

  const forbidden = onFirstCall(() => compileTransitions(context));
  const states = statesOf(collection.resource.shape).map(({ name }) => name);

  /** Replaces the record that already has the id. */
  function replace(input: Given & { readonly id: Id }, sent: Data, store: Store) {
    const changed = changeRecord(store, collection, input, (record) => {
      const members = { ...input.members, ...only(states, record), ...sent };
      return forbidden(record, members) ?? { ...input, members };
    });
    return andThen(changed, (text): Outcome => {
      // The record with the id belongs to another parent.
      if (typeof text !== 'string') return text.refuse === 'not found' ? taken(input.id) : text;
      return replaced(text);
    });
  }

  /** Without a documented conflict, the service picks another number if a client's number is taken. */
  const numbers =
    identity?.shape.mainType === 'integer' && !upsert && !explicitStatuses(operation.responses).includes(409);
  const withoutId = ({ [identity?.property ?? '']: _, ...rest }: Data) => ({ id: undefined, members: rest });

  const complete = onFirstCall(() => compileComplete(context));
  const slugOf = compileSlug(operation, collection);
  const scopeOf = compileScope(context);
  return (task) => {
    const { values, store } = task;
    const sent = madeToFit(membersOf(values.body), collection);
    const refusal = unfit(sent);
    if (refusal) return refusal;
    const members = complete(sent, task);
    const id = idOf({ members, body: values.body, path: values.parameters.path });
    const input = { id, members, scope: scopeOf(values) };
    const slug = id === undefined ? slugOf?.(members) : undefined;
    const called = slug === undefined ? 'taken' : store.create(collection, { ...input, id: slug });
    // The second record with a title gets an ordinary id instead of a slug.
    const chosen = andThen(called, (entry) => (entry === 'taken' ? store.create(collection, input) : entry));
    const created = andThen(chosen, (entry) =>
      entry === 'taken' && numbers ? store.create(collection, { ...input, ...withoutId(members) }) : entry,
    );
    return andThen(created, (entry) => {
      if (entry === 'taken')
        return upsert && id !== undefined ? replace({ ...input, id }, sent, store) : taken(id);
      return andThen(noteMaker(task, collection, entry), () => contentOf(entry, values));
    });
  };

  function contentOf(entry: Entry, values: ReadRequest) {
    const content = made(entry.text);
    const location = locationOf(entry.id, values.parameters.path);
    return location === undefined ? content : { ...content, headers: { Location: location } };
  }
}

/** Compiles the parents of a new record: by the path, or by members of the body that name them. */
function compileScope({ operation, collection }: ActionContext) {
  const inBody = [...parentsInBody(collection.resource, operation)];
  if (inBody.length === 0) return ({ parameters }: Task['values']) => collection.scopeFrom(parameters.path);
  const within = bodyPath(collection.resource, operation);
  return ({ parameters, body }: Task['values']) => {
    const named = inBody.map(([name, member]) => [name, valueAt(body, [...within, member])]);
    return collection.scopeFrom({ ...parameters.path, ...Object.fromEntries(named) });
  };
}

/** Notes the account that created a record, which permissions and filters use even if no member names it. */
export function noteMaker(
  { sender, store, met }: Task,
  { name }: RecordCollection,
  { id }: Entry,
): Awaitable<unknown> {
  if (met) met.record = String(id);
  return (
    sender && setLink(store, { account: sender.account.subject, collection: name, id, flag: MADE }, true)
  );
}

/** Compiles what the service adds to the members from a client. */
export function compileComplete(context: ActionContext): (sent: Data, task: Task) => Data {
  const [initial, madeBy] = [compileInitial(context), compileMadeBy(context)];
  const kept = headersKept(context.operation, context.collection.resource.shape);
  const headersIn = ({ values }: Task) =>
    Object.fromEntries(
      kept.flatMap(({ parameter: { name }, property }) => {
        const { [name]: value } = values.parameters.header;
        return value === undefined ? [] : [[property, value] as const];
      }),
    );
  return (sent, task) => ({ ...initial(task), ...sent, ...headersIn(task), ...madeBy?.(task) });
}

/** Whether the body is text or bytes, with no members for a record. */
function isOpaque({ body }: Operation): boolean {
  const media = bodyMedia(body);
  const format = media && formatOf(sentType(media), media.shape);
  return format === 'text' || format === 'bytes';
}

/** Whether the response shows the new record, by its id. */
function showsId(operation: Operation, { resource }: RecordCollection): boolean {
  const { id } = resource;
  const recordForm = shapeAt(answerShape(operation), recordPath(resource, operation));
  return id !== undefined && recordForm !== undefined && memberShape(recordForm, id.property) !== undefined;
}

/**
 * Compiles the id that a client chooses by an ordinary member of the body: the id's own name, or that of the path parameter
 * (`user_id` for `/assignees/{userId}`, where a user is assigned).
 */
function compileGivenId(operation: Operation, { resource, idFrom }: RecordCollection) {
  const { property, inner, parameter = '' } = resource.id ?? {};
  if (isAtItem(resource, operation)) return ({ path }: Sent) => idFrom(path[parameter]);
  const shape = bodyMedia(operation.body)?.shape;
  const member = property === undefined || !shape ? undefined : memberShape(shape, property);
  if (property !== undefined && inner === undefined && member && !member.readOnly)
    return ({ members: { [property]: value } }: Sent) =>
      idWord(property) && isNoId(value) ? undefined : (value as Id | undefined);
  const named = findNamed(shape?.properties.keys() ?? [], parameter);
  // Below different parents, records may have the same id: a user can be assigned twice.
  if (
    named === undefined ||
    shape?.properties.get(named)?.readOnly ||
    foldedName(parameter) === 'id' ||
    resource.parents.length > 0
  )
    return () => undefined;
  return ({ body }: Sent) => {
    const value = isRecord(body) ? body[named] : undefined;
    return value === undefined || value === null ? undefined : idFrom(value);
  };
}

interface Sent {
  /** The members of the record. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly path: Readonly<Record<string, unknown>>;
}

/** The path at which a record can be read (RFC 9110 §10.2.2). Undefined: none is sent. */
type LocationOf = (id: Id, parameters: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * Compiles the `Location` header of a create: where it is documented, and for each 201 whose record can be read (RFC 9110
 * §15.3.2).
 */
export function compileLocation({ operation, collection: { resource } }: ActionContext): LocationOf {
  const header = successOf(operation)?.headers.find(({ name }) => name === 'location');
  const parameter = resource.id?.parameter;
  const isItem = ({ path }: Operation) => path.endsWith(`{${parameter}}`);
  const { read } = resource.actions;
  const isMade = successForm(operation).status === 201 && read !== undefined && isItem(read);
  const item = isMade ? read : Object.values(resource.actions).find(isItem);
  if (!item || !(header || isMade)) return () => undefined;
  // The split alternates literal text and parameter names.
  const [start = '', ...parts] = item.path.split(/\{([^}]+)\}/);
  const before = item.basePaths[0] + start;
  const locationOf: LocationOf = (id, parameters) => {
    let url = before;
    for (let at = 0; at < parts.length; at += 2) {
      const name = parts[at] as string;
      url += encodeURIComponent(String(name === parameter ? id : parameters[name])) + parts[at + 1];
    }
    return url;
  };
  // The document may require an absolute URL, but the mock does not know its own public address.
  return header?.schema && !fullyFits(header.shape, locationOf(1, {})) ? () => undefined : locationOf;
}

/** Compiles ids made from a record's title by the service: `hello-world`. Undefined: ids are no slugs. */
function compileSlug(
  operation: Operation,
  { resource }: RecordCollection,
): ((members: Data) => string | undefined) | undefined {
  const { id } = resource;
  const from = idSources(resource);
  if (!id || from.length === 0) return undefined;
  const body = sentShape(resource, operation);
  const member = body && memberShape(body, id.property);
  if (member && !member.readOnly) return undefined;
  return (members) => {
    const text = from.map((one) => members[one]).find((one) => typeof one === 'string');
    const slug = typeof text === 'string' ? slugged(text) : '';
    return slug !== '' && id.shape.patterns.every((pattern) => pattern.test(slug)) ? slug : undefined;
  };
}

function slugged(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
}
