import {
  bodyMedia,
  type Contract,
  isRecord,
  isSecretName,
  listMeanings,
  type Operation,
  type Parameter,
  parseJson,
  type Resource,
  valueAt,
} from '#spec';
import type { RecordCollection } from '../collection.ts';
import { withoutWriteOnly } from '../one-way.ts';
import { queryMembers } from './edit.ts';
import { takenFrom } from './show.ts';
import { compileWritableMembers } from './writable-members.ts';

/**
 * The parameters that the mock validates and ignores.
 * @param resource as the operation sees it; undefined: it has no records
 */
export function parametersWithoutEffect(
  operation: Operation,
  resource: Pick<Resource, 'id' | 'list' | 'shape'> | undefined,
): readonly Parameter[] {
  const list = resource?.list;
  const settable = resource ? queryMembers(operation, resource).map(({ parameter }) => parameter) : [];
  const meant = resource && list && listMeanings(list);
  return operation.parameters.filter(
    (parameter) =>
      parameter.in !== 'path' &&
      !(parameter.in === 'query' && (meant?.has(parameter.name) || settable.includes(parameter.name))) &&
      parameter.name.toLowerCase() !== 'prefer',
  );
}

/** Compiles the members of a body that its record does not keep, or that are `readOnly` there; a null removes the member. */
export function compileUnkeptMembers(
  operation: Operation,
  collection: RecordCollection,
  contract: Pick<Contract, 'resources'>,
): (body: unknown) => readonly (readonly string[])[] {
  const { operation: taken, path } = takenFrom(operation, collection.resource, 'create');
  const select = compileWritableMembers(taken, collection.resource.shape, contract);
  const shape = bodyMedia(taken.body)?.shape;
  return (body) => {
    const sent = withoutWriteOnly(shape, valueAt(body, path));
    if (!select || !isRecord(sent)) return [];
    const members = select(sent);
    const id = collection.seedId(1);
    const { text } = collection.complete(id, { id, members, scope: [] });
    const renamed = ([name, value]: [string, unknown]) =>
      !Object.hasOwn(members, name) && Object.keys(select({ [name]: value }, members)).length > 0;
    const others = Object.entries(sent).filter((entry) => !isSecretName(entry[0]) && !renamed(entry));
    const lost = [...missingIn(members, Object.fromEntries(others)), ...missingIn(parseJson(text), members)];
    return lost.map((names) => [...path, ...names]);
  };
}

/** The paths of members that one value has and the other lacks. */
function missingIn(other: unknown, value: unknown): string[][] {
  const isList = Array.isArray(value) && Array.isArray(other) && value.length === other.length;
  if (!isList && !(isRecord(value) && isRecord(other))) return [];
  const others = other as Readonly<Record<string, unknown>>;
  return Object.entries(value as object).flatMap(([name, member]): string[][] => {
    if (member === null) return [];
    if (!Object.hasOwn(others, name)) return [[name]];
    return missingIn(others[name], member).map((names) => [name, ...names]);
  });
}
