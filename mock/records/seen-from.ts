import { type Further, memberShape } from '#spec';
import type { Scalar } from '../store/port.ts';
import { asMember, type RecordCollection } from './collection.ts';

/**
 * A collection as an operation on another path sees it: the same records, selected by the parameters of that path, in the
 * form of its list. Undefined: the path does not say all that identifies a record.
 */
export function seenFrom(collection: RecordCollection, further: Further): RecordCollection | undefined {
  const { resource } = collection;
  const isView = further.role === 'view';
  const isLost = resource.parents.some(
    ({ parameter, property, inner }) =>
      (property === undefined || inner !== undefined) &&
      !further.parents.some((parent) => parent.parameter === parameter),
  );
  if (isLost && !isView) return undefined;
  const parents = further.parents.flatMap(({ parameter, property }) => {
    const own = resource.parents.find((parent) => parent.parameter === parameter);
    const isMember = own?.property !== undefined && own.inner === undefined;
    const key = own ? (isMember ? own.property : `{${parameter}}`) : property;
    return key === undefined ? [] : [{ parameter, key }];
  });
  return {
    ...collection,
    resource: {
      ...resource,
      list: further.list,
      id: resource.id && { ...resource.id, parameter: further.parameter },
    },
    scopeFrom: (path) =>
      parents.map(({ parameter, key }) => {
        const value = path[parameter] as Scalar;
        return { key, anyOf: [asMember(value, memberShape(resource.shape, key))] };
      }),
  };
}
