import type { ReadRequest } from '#spec';
import type { Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Refusal } from '../refusal.ts';

/** Compiles the reading of the id that an item's path carries. */
export function compileItemId({
  resource,
  idFrom,
}: RecordCollection): ((values: ReadRequest) => Id) | undefined {
  const parameter = resource.id?.parameter;
  return parameter === undefined ? undefined : ({ parameters }) => idFrom(parameters.path[parameter]);
}

export function refuseUnknown(id: Id): Refusal {
  return { refuse: 'not found', message: `There is no record with the id ${id}` };
}
