import { type ListChange, listChange, parseJson } from '#spec';
import type { Refusal } from '../../http/refusal.ts';
import type { Id } from '../../store/port.ts';
import { recordNotFound } from '../item.ts';
import type { ActionContext, Task } from './action.ts';
import type { Members } from './writable-members.ts';

/** What a request does to a record with a list in it. */
interface Edit {
  /** The id of the record in the list. */
  readonly id: Id;
  /** Undefined: the list has no such record. */
  edit(record: Members): Members | undefined;
}

/**
 * Compiles what an operation does to the list of others in the record that it responds with: it adds the record that its
 * path names, which must exist, or removes it, which must be in the list. Undefined: it does nothing of the kind.
 */
export function compileListChange({ operation, collection, contract, collections }: ActionContext) {
  const found = listChange(operation, collection.resource.shape, contract.resources);
  const others = found && collections.get(found.of);
  const name = found?.of.id?.property;
  if (!found || !others || name === undefined) return undefined;
  const { property, parameter, change } = found;
  return async ({ values, store }: Task): Promise<Edit | Refusal> => {
    const id = others.idFrom(values.parameters.path[parameter]);
    const added = change === 'add' ? await store.read(others, id, []) : '';
    if (added === undefined) return recordNotFound(id);
    return {
      id,
      edit(record) {
        const old = listOf(record, found);
        const left = old.filter((one) => one[name] !== id);
        if (change === 'add') return { ...record, [property]: [...left, parseJson(added)] };
        return left.length < old.length ? { ...record, [property]: left } : undefined;
      },
    };
  };
}

function listOf(record: Members, { property }: Pick<ListChange, 'property'>): readonly Members[] {
  const { [property]: list } = record;
  return Array.isArray(list) ? list : [];
}
