import {
  type Action,
  type Contract,
  type Filter,
  type ListForm,
  longestPage,
  type Operation,
  type Resource,
} from '#spec';
import type { Prepared } from '../hooks/hooks.ts';
import { recordsOf } from '../laws/list-page.ts';
import { creatorOf, successStatuses } from '../laws/operation-role.ts';
import { collectionOf } from '../run/permissions.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess, jsonOf } from '../send/response.ts';
import type { Data } from '../send/wire.ts';

/** The collection whose records a path parameter identifies, if only other paths show or create them. */
export function viewedOwner(contract: Contract, operation: Operation, name: string): Resource | undefined {
  const owner = collectionOf(contract, operation, name);
  return owner && (viewsOf(owner).length > 0 || hasFreeCreator(owner, name)) ? owner : undefined;
}

/**
 * The collection in which records are created before they are added below another one by a path with the same end: for
 * `{tag}` in `/shops/{shop}/pets/{pet}/tags/{tag}` the one at `/shops/{shop}/tags`.
 */
export function namesakeOf(
  { plan: { contract, permissions } }: Pick<Trial, 'plan'>,
  { path }: Operation,
  name: string,
): Resource | undefined {
  const [above = ''] = path.split(`/{${name}}`);
  return contract.resources.find((resource) => {
    const end = resource.path.lastIndexOf('/');
    const isAlike =
      resource.id?.parameter === name &&
      above.startsWith(`${resource.path.slice(0, end)}/`) &&
      above.endsWith(resource.path.slice(end));
    const item = contract.operations.find((operation) => operation.path === `${resource.path}/{${name}}`);
    return isAlike && item !== undefined && permissions.canOwn(item, name);
  });
}

/** Whether creating a record of a collection needs no existing one. */
function hasFreeCreator(resource: Resource, name: string): boolean {
  const creator = creatorOf(resource);
  return creator !== undefined && !creator.path.startsWith(`${resource.path}/{${name}}`);
}

/** The records in views of a collection: of the first view that shows any; empty if none does. */
export async function viewedRecords(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  for (const { operation, list } of viewsOf(resource)) {
    const { response } = await trial.send(operation, { query: greatestPage(list) });
    const records = isSuccess(response) ? recordsOf(list, jsonOf(response)) : [];
    if (records.length > 0) return records;
  }
  return [];
}

/** The views that need no id of another record. */
function viewsOf({ further }: Resource) {
  return further.flatMap(({ role, operation, list }) =>
    role === 'view' && list && operation.method === 'GET' && !operation.path.includes('{')
      ? [{ operation, list }]
      : [],
  );
}

/** An operation in its role for a resource, with its success status. */
export interface On {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly status: number;
}

export const isRemoval = ({ resource, operation }: On) => operation === resource.actions.remove;

/** The operations with some of the roles that document a success. */
export function onEach(resources: readonly Resource[], ...actions: readonly Action[]): On[] {
  return resources.flatMap((resource) =>
    actions.flatMap((action) => {
      const operation = resource.actions[action];
      const [status] = operation ? successStatuses(operation) : [];
      return operation && status !== undefined ? [{ resource, operation, status }] : [];
    }),
  );
}

/** A resource that can be listed. */
export interface Listed extends On {
  readonly form: ListForm;
}

export function listedResources(resources: readonly Resource[]): Listed[] {
  return onEach(resources, 'list').flatMap((on) => {
    const form = on.resource.list;
    return form ? [{ ...on, form }] : [];
  });
}

/** The query of a filter; a list gets one value, since the document does not state whether several mean any or all. */
export function queryFor({ parameter }: Filter, value: unknown): Readonly<Record<string, unknown>> {
  return { [parameter.name]: parameter.shape.mainType === 'array' ? [value] : value };
}

/** The query for the maximum page size that the document allows. */
export function greatestPage(form: ListForm): Readonly<Record<string, unknown>> {
  const [greatest, { pageSize }] = [longestPage(form), form];
  return pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {};
}

/**
 * The user code's values for a request of an operation; undefined: none. The records in it count as the run's own.
 * @param isSpent the request may change or remove them: the next one gets others
 */
export async function preparedFor(
  { plan, session }: Pick<Trial, 'plan' | 'session'>,
  operation: Operation,
  isSpent: boolean,
): Promise<Prepared | undefined> {
  const { userCode, settings } = plan;
  const { cache, ownership } = session;
  if (!settings.prepares.has(operation.id)) return undefined;
  const prepare = async () => {
    const values = await userCode.prepare(operation, settings.seed);
    for (const [name, value] of Object.entries(values.path ?? {}))
      ownership.noteGiven(operation, name, value);
    return values;
  };
  if (isSpent) return prepare();
  const prepared = cache.prepared.get(operation) ?? prepare();
  cache.prepared.set(operation, prepared);
  return prepared;
}

/**
 * Whether a case reads below the record of the run instead of another one: the case that created something there does, and
 * at the end others do if several records remain there; with fewer, a list would show less than elsewhere.
 */
export function looksAtOwn({ session, log, case: trialSubject, amongOwn }: Trial, owner: Resource): boolean {
  if (amongOwn.has(owner)) return true;
  if (trialSubject.looksBack !== true || !session.cache.ownIds.has(owner)) return false;
  const name = owner.id?.parameter ?? '';
  return log.ledger.records.filter(({ path }) => path && Object.hasOwn(path, name)).length >= SEVERAL;
}

const SEVERAL = 2;
