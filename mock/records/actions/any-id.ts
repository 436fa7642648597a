import { explicitStatuses, type Operation, type Resource } from '#spec';
import { andThen } from '../../http/awaitable.ts';
import { onFirstCall } from '../../http/on-first-call.ts';
import type { Id } from '../../store/port.ts';
import { compileItemAddress } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { compileSample } from './sample.ts';

/** What shows or makes the ids of a collection. */
const TELLING: ReadonlySet<string> = new Set(['list', 'view', 'create', 'createMany']);

/**
 * Whether any id names a record: nothing tells which ones do, and no status is documented for those that do not
 * (`/exchange-rates/{currency}`).
 */
function isAnyId({ actions, further }: Resource): boolean {
  if (actions.list || actions.create || further.some(({ role }) => TELLING.has(role))) return false;
  return Object.values(actions).every((operation) => !documentsNotFound(operation));
}

function documentsNotFound({ responses }: Operation): boolean {
  return explicitStatuses(responses).some((status) => status === 404 || status === 410);
}

/**
 * Lets an action on one record of such a collection find a record, whatever its id is. A value that no record can have as
 * its id, such as the last of several coordinates, is answered with a sample.
 */
export function compileAnyId(context: ActionContext, act: Act): Act {
  const { operation, collection, contract, seeds } = context;
  const addressOf = isAnyId(collection.resource) ? compileItemAddress(collection, operation) : undefined;
  if (!addressOf) return act;
  const sample = onFirstCall(() => compileSample(context));
  const parts = collection.resource.id?.shape.parts ?? [];
  const isId = (id: Id) =>
    parts.every((part) => contract.validators.compile(part, 'response')(id).length === 0);
  return (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text !== undefined) return act(task);
      if (!isId(id)) return sample(task);
      const members = seeds.record(collection.resource, id) as Readonly<Record<string, unknown>>;
      return andThen(task.store.create(collection, { id, members, scope }), () => act(task));
    });
  };
}
