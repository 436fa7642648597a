import { type Contract, conditionalOf, memberMeanings, type Operation, parseJson, successOf } from '#spec';
import { compileTagOf, entityTag, namesTag } from '../../http/entity-tag.ts';
import { andThen, type MockRequest } from '../../http/exchange.ts';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import { representationsOf } from '../../http/representations.ts';
import type { Condition, Id, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { RelationsOf } from '../relations.ts';
import type { ActionName, Run } from './action.ts';

/** What conditional requests are compiled from. */
export interface ConditionalContext {
  readonly contract: Pick<Contract, 'operations'>;
  readonly operation: Operation;
  readonly action: ActionName;
  /** Undefined: the operation works on no records. */
  readonly collection: RecordCollection | undefined;
  /** Undefined: records have no relations. */
  readonly relationsOf?: RelationsOf;
}

/**
 * Evaluates conditional requests (RFC 9110 §13.2.2) as far as the document describes them: an unchanged read gets 304, and
 * a change whose condition fails is refused before it happens.
 */
export function compileConditional(context: ConditionalContext): Run | undefined {
  const { contract, operation, collection } = context;
  if (operation.method === 'GET' || operation.method === 'HEAD') return compileRevalidation(context);
  const { refusesStale, needsCondition, headers } = conditionalOf(contract, operation);
  const isConditional = refusesStale || needsCondition || headers['if-none-match'];
  if (!collection || !isConditional || CREATES.has(context.action)) return undefined;
  const check = compileCheck(context);
  const guard = compileGuard(context);
  return (task, next) => {
    const { request } = task;
    if (!needsCondition && CONDITIONS.every((name) => fieldOf(request, name) === undefined))
      return next(task);
    let refusal: Refusal | undefined;
    const allows = (text: string | undefined) => {
      refusal = check(request, text);
      return refusal === undefined;
    };
    return andThen(next({ ...task, store: guard(task.store, allows) }), (outcome) => refusal ?? outcome);
  };
}

/** A new record has no version yet. */
const CREATES: ReadonlySet<ActionName> = new Set(['create', 'createMany']);

const CONDITIONS = ['if-match', 'if-none-match'] as const;

function fieldOf({ headers }: MockRequest, name: string): string | undefined {
  const field = headers[name];
  return typeof field === 'object' ? field.join(', ') : field;
}

const NOT_MODIFIED = 304;

function compileRevalidation({ operation, contract }: ConditionalContext): Run | undefined {
  const tagOf = compileTagOf(operation, contract);
  if (!tagOf) return undefined;
  return (task, next) => {
    const field = fieldOf(task.request, 'if-none-match');
    if (field === undefined) return next(task);
    return andThen(next(task), (outcome): Outcome => {
      const tag = isRefusal(outcome) || outcome.status !== 200 ? undefined : tagOf(outcome);
      if (tag === undefined || !namesTag(field, [tag], true)) return outcome;
      const { Vary } = outcome.headers ?? {};
      const headers = { ETag: tag, ...(Vary !== undefined && { Vary }) };
      return { status: NOT_MODIFIED, type: undefined, headers, body: '' };
    });
  };
}

/** Undefined: the request may change a record with this text, or create a missing one. */
type Check = (request: MockRequest, text: string | undefined) => Refusal | undefined;

function compileCheck(context: ConditionalContext): Check {
  const { operation, contract } = context;
  const { refusesStale, needsCondition } = conditionalOf(contract, operation);
  const tagsOf = compileTags(context);
  return (request, text) => {
    const [match, noneMatch] = CONDITIONS.map((name) => fieldOf(request, name));
    const tags = text === undefined ? [] : tagsOf(text);
    if (refusesStale && match !== undefined && !(tags.length > 0 && namesTag(match, tags)))
      return refuseStale('If-Match', tags, match);
    if (noneMatch !== undefined && tags.length > 0 && namesTag(noneMatch, tags, true))
      return refuseStale('If-None-Match', tags, noneMatch);
    const hasCondition = match ?? noneMatch ?? fieldOf(request, 'if-unmodified-since');
    if (!needsCondition || text === undefined || hasCondition !== undefined) return undefined;
    return { refuse: 'no condition', message: 'The request needs If-Match, with the tag of the record' };
  };
}

/** The entity tags of a record, one for each form in which it is read. */
function compileTags({ operation, contract, collection }: ConditionalContext) {
  const read = contract.operations.find(({ method, path }) => method === 'GET' && path === operation.path);
  const tagOf = compileTagOf(read ?? operation, contract);
  const response = successOf(read ?? operation);
  const status = Number(response?.key) || 200;
  const types = response ? representationsOf(response).map(({ type }) => type) : [];
  const isShown = conditionalOf(contract, read ?? operation).tag?.certainty === 'promised';
  // Members that can hold a record's version, where no documented response has an entity tag.
  const meanings = collection && !isShown ? [...memberMeanings(collection.resource)] : [];
  const members = meanings.flatMap(([name, { holds }]) => (holds === 'version' ? name : []));
  return (version: string): string[] => {
    const tags = (types.length > 0 ? types : [undefined]).map(
      (type) => tagOf?.({ status, type, body: '', version }) ?? entityTag(undefined, version),
    );
    if (members.length === 0) return tags;
    const record = parseJson(version) as Readonly<Record<string, unknown>>;
    return [...tags, ...members.flatMap((name) => [`${record[name]}`, `"${record[name]}"`])];
  };
}

function refuseStale(header: string, [tag]: readonly string[], received: string): Refusal {
  const is = tag === undefined ? 'there is no record' : `its tag is ${tag}`;
  const message = `must ${header === 'If-Match' ? '' : 'not '}name the current version: ${is}, not ${received}`;
  return { refuse: 'stale', message: `${header} ${message}`, details: [{ where: header, message }] };
}

/** A store that checks the condition before it changes the record of the request. */
type Guard = (store: Store, allows: (text: string | undefined) => boolean) => Store;

function compileGuard({ action, collection, relationsOf }: ConditionalContext): Guard {
  const shownText = collection && relationsOf?.(collection).shownText;
  /** Conditions are about the record as reads show it. */
  const asShown = async (
    store: Store,
    id: Id,
    where: readonly Condition[],
    allows: (text: string) => boolean,
  ) => {
    const text = collection && (await store.read(collection, id, where));
    const representation = text === undefined ? undefined : await shownText?.(store, text);
    return (kept: string) => allows(kept === text ? (representation ?? kept) : kept);
  };
  const isRecord = (name: string) => name === collection?.name;
  /** The effect of an action is unknown: the record is only read. */
  const isRead = action === 'action';
  /** PUT may create a missing record. */
  const mayCreate = action === 'replace' && collection?.resource.id !== undefined;
  return (store, allows) => ({
    ...store,
    read: (of, id, where) =>
      andThen(store.read(of, id, where), (text) =>
        isRead && isRecord(of.name) && text !== undefined && !allows(text) ? undefined : text,
      ),
    change: (of, id, where, edit) =>
      shownText
        ? asShown(store, id, where, allows).then((isAllowed) => store.change(of, id, where, edit, isAllowed))
        : store.change(of, id, where, edit, allows),
    remove: (of, id, where) =>
      shownText
        ? asShown(store, id, where, allows).then((isAllowed) => store.remove(of, id, where, isAllowed))
        : store.remove(of, id, where, allows),
    removeAll: (of, ids, where) => store.removeAll(of, ids, where, allows),
    async create(of, input) {
      if (!mayCreate) return store.create(of, input);
      if (!allows(undefined)) return 'taken';
      const entry = await store.create(of, input);
      // A concurrent request has created the record first.
      if (entry === 'taken' && input.id !== undefined) allows(await store.read(of, input.id, []));
      return entry;
    },
  });
}
