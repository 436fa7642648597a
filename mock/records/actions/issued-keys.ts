import { answerShape, idIn, isRecord, issuedKeysOf, recordPath, shapeAt, valueAt, withValueAt } from '#spec';
import { andThen } from '../../http/exchange.ts';
import { isRefusal } from '../../http/refusal.ts';
import type { Tokens } from '../../http/tokens.ts';
import { keepAccount } from '../accounts.ts';
import { compileItemAddress } from '../item.ts';
import type { ActionContext, Run } from './action.ts';
import { withJson } from './show.ts';

interface KeyContext extends ActionContext {
  readonly tokens: Tokens;
}

/** The lifetime, in milliseconds, of a key without an expiry. */
const LONG = 10 * 365 * 86_400_000;

/** Lets API keys from a collection authenticate requests, until they are revoked, removed or expired. */
export function compileIssuedKeys({ operation, contract, collection, tokens }: KeyContext): Run | undefined {
  const { resource, name } = collection;
  const issued = issuedKeysOf(contract).find((issuedKey) => issuedKey.resource.path === resource.path);
  if (!issued) return undefined;
  const { create, end, path, expiry } = issued;
  // A key is identified by its record.
  const subjectOf = (id: unknown) => `${name} ${id}`;
  if (operation === create) {
    const member = shapeAt(answerShape(create), path);
    const withKey = (body: unknown, at: number) => {
      const record = valueAt(body, recordPath(resource, create));
      const id = isRecord(record) && resource.id ? idIn(resource.id, record) : undefined;
      if (id === undefined || !isRecord(record)) return body;
      const end = expiry === undefined ? Number.NaN : Date.parse(String(record[expiry]));
      const until = Number.isNaN(end) ? at + LONG : end;
      const token = tokens.issue({ subject: subjectOf(id) }, 'access', at, [], until);
      return member?.allows(token) ? withValueAt(body, path, () => token) : body;
    };
    return (task, next) =>
      andThen(next(task), (outcome) => withJson(outcome, (body) => withKey(body, task.time())));
  }
  const addressOf = operation === end ? compileItemAddress(collection, operation) : undefined;
  if (!addressOf) return undefined;
  return async (task, next) => {
    const outcome = await next(task);
    const subject = subjectOf(addressOf(task.values).id);
    if (!isRefusal(outcome))
      await keepAccount(task.store, { subject, identities: [], members: {}, isGone: true });
    return outcome;
  };
}
