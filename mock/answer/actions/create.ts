import { isRecord, type Operation } from '#spec';
import type { Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { type Act, type ActionContext, compileScope } from './action.ts';
import { compileGivenMembers } from './given.ts';
import { concreteType, successForm } from './success.ts';

/** Stores the body as a new record and answers it with its id. */
export function compileCreate({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const scopeOf = compileScope(collection);
  const membersOf = compileGivenMembers(operation);
  const idOf = compileGivenId(operation, collection);
  const type = media && concreteType(media);
  return async ({ values, store }) => {
    if (!isRecord(values.body)) return { refuse: 'invalid', message: 'body must be an object' };
    const id = idOf(values.body);
    const entry = await store.create(collection, {
      id,
      members: membersOf(values.body),
      scope: scopeOf(values),
    });
    if (entry === 'taken')
      return { refuse: 'conflict', message: `There is already a record with the id ${id}` };
    return { status, type, body: type ? entry.text : '' };
  };
}

/** Some documents let the client choose the id: it is then an ordinary member of the request's body. */
function compileGivenId(operation: Operation, { resource }: RecordCollection) {
  const property = resource.id?.property;
  const media = operation.body?.content.find(({ isJson }) => isJson);
  const member = property === undefined ? undefined : media?.shape?.properties.get(property);
  if (property === undefined || !member || member.readOnly) return () => undefined;
  return (body: Readonly<Record<string, unknown>>) => body[property] as Id | undefined;
}
