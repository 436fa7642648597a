import { accountOperation, isRecord, mayOf, parseJson } from '#spec';
import { andThen } from '../../http/exchange.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { AccountRoles } from '../account-roles.ts';
import { type Account, mayDoAll } from '../accounts.ts';
import { compileItemAddress } from '../item.ts';
import { makerOf } from '../links.ts';
import type { Role } from '../roles.ts';
import type { ActionContext, Run, Task } from './action.ts';
import { isMadeBy, makersIn } from './made-by.ts';

type PermitContext = Pick<ActionContext, 'operation'> & {
  readonly accountRoles: AccountRoles;
  /** Undefined: the operation belongs to no collection. */
  readonly role: Role | undefined;
};

/**
 * Refuses with 403 an account without the role that an operation requires, or that has not created the record, where the
 * operation requires that. Keys and client programs may do everything.
 */
export function compilePermit(context: PermitContext): Run | undefined {
  const { operation, accountRoles } = context;
  const { roles = [], maker } = mayOf(operation, accountRoles.words) ?? {};
  const isOwn = maker ? compileIsOwn(context) : undefined;
  if (roles.length === 0 && !isOwn) return undefined;
  const refusal: Refusal = {
    refuse: 'forbidden',
    message: `The account is not permitted to do this: only ${[...roles, ...(isOwn ? ['who has made the record'] : [])].join(' or ')} may`,
  };

  async function isPermitted(task: Task, account: Account): Promise<boolean> {
    const hasRole = accountRoles.isOneOf(roles.length > 0 ? roles : ['admin'], account);
    if (hasRole) return true;
    const isOwner = await isOwn?.(task, account);
    return isOwner ?? (roles.length === 0 || hasRole === undefined);
  }
  return (task, next) => {
    const { sender } = task;
    if (!sender || mayDoAll(sender)) return next(task);
    return andThen(isPermitted(task, sender.account), (may) => (may ? next(task) : refusal));
  };
}

/** Compiles whether the account has created the record. Undefined: the operation is on no record with a creator. */
function compileIsOwn({ operation, role }: PermitContext) {
  if (!role || operation.method === 'GET' || accountOperation(operation)) return undefined;
  const { collection } = role;
  const addressOf = compileItemAddress(collection, operation);
  const makers = makersIn(collection.resource.shape);
  if (!addressOf) return undefined;
  return async ({ values, store }: Task, account: Account): Promise<boolean | undefined> => {
    const { id, scope } = addressOf(values);
    const maker = await makerOf(store, collection.name, id);
    if (maker !== undefined) return maker === account.subject;
    const text = await store.read(collection, id, scope);
    const record = text === undefined ? undefined : parseJson(text);
    if (!isRecord(record)) return undefined;
    return makers.map((name) => isMadeBy(name, record[name], account)).find((one) => one !== undefined);
  };
}
