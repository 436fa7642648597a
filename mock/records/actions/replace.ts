import { explicitStatuses, type Operation, responseFor } from '#spec';
import { andThen } from '../../http/awaitable.ts';
import { concreteType } from '../../http/success-response.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import { readOnlyMembers } from '../members.ts';
import type { Act, ActionContext } from './action.ts';
import { compileEdit } from './edit.ts';
import { compileWritableMembers, type Members } from './writable-members.ts';

const CREATED = 201;

/**
 * PUT: the body replaces the record (RFC 9110 §9.3.4), except for its `readOnly` members. Where 201 is documented beside
 * another success, it creates the record that is missing.
 */
export function compileReplace(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const replace = compileEdit(context, replaceMembers(context));
  const addressOf = compileItemAddress(collection, operation);
  const membersOf = compileWritableMembers(operation, collection.resource.shape, context.contract.validators);
  if (!replace || !addressOf || !membersOf || !mayCreate(operation)) return replace;
  const media = responseFor(operation.responses, CREATED)?.content[0];
  const type = media && concreteType(media);
  return (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text !== undefined) return replace(task);
      const given = { id, members: membersOf(task.values.body), scope };
      return andThen(task.store.create(collection, given), (entry) =>
        entry === 'taken'
          ? recordNotFound(id)
          : { status: CREATED, type, body: type === undefined ? '' : entry.text },
      );
    });
  };
}

function mayCreate({ responses }: Operation): boolean {
  const successes = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  return successes.includes(CREATED) && successes.length > 1;
}

export function replaceMembers({ collection }: ActionContext) {
  const readOnly = readOnlyMembers(collection.resource.shape);
  return (record: Members, body: Members): Members => ({
    ...body,
    ...Object.fromEntries(
      readOnly.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
    ),
  });
}
