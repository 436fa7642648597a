import { bodyMedia, isRecord, type Operation, type Resource } from '#spec';

type Data = Readonly<Record<string, unknown>>;

/** The body with what its path says of the record and of what that belongs to: a request does not contradict itself. */
export function asInPath(
  body: Data,
  operation: Operation,
  { id, parents, actions }: Resource,
  path: Data,
): Data {
  const shape = bodyMedia(operation.body)?.shape;
  if (!shape || !isRecord(body)) return body;
  const pairs = [
    ...parents,
    ...(id && operation !== actions.create ? [{ parameter: id.parameter, property: id.property }] : []),
  ].flatMap(({ parameter, property }): [string, unknown][] => {
    const value = parameter === undefined ? undefined : path[parameter];
    if (property === undefined || value === undefined) return [];
    const member = shape.properties.get(property);
    // What breaks the schema does so on purpose.
    const isOrdinary = property in body && typeof body[property] === typeof value;
    return member && !member.readOnly && !member.values && isOrdinary ? [[property, value]] : [];
  });
  return pairs.length > 0 ? { ...body, ...Object.fromEntries(pairs) } : body;
}
