import {
  type Contract,
  isPresumed,
  memberShape,
  type Operation,
  plainName,
  type Resource,
  type Shape,
} from '#spec';
import { compileAsShown, NOT_SHOWN } from './as-shown.ts';
import type { Members } from './writable-members.ts';

/** A parameter of the query with the member of the record that bears its name. */
interface QueryMember {
  readonly parameter: string;
  readonly name: string;
  readonly member: Shape;
}

const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** What the query says of the record at the path of an operation that changes it, and has no body: `POST /boats/3?name=Zeta`. */
export function queryMembers(
  { method, path, body, parameters }: Operation,
  { id, shape }: Pick<Resource, 'id' | 'shape'>,
): readonly QueryMember[] {
  if ((body && !isPresumed(body)) || !CHANGES.has(method) || !path.endsWith(`{${id?.parameter}}`)) return [];
  const names = [shape, ...shape.alternatives].flatMap(({ properties }) => [...properties.keys()]);
  return parameters.flatMap(({ in: place, name: parameter }): QueryMember[] => {
    const isNamed = (one: string) => plainName(one) === plainName(parameter);
    const name = names.includes(parameter) ? parameter : names.find(isNamed);
    const member = name === undefined ? undefined : memberShape(shape, name);
    if (place !== 'query' || name === undefined || name === id?.property) return [];
    return member && !member.readOnly ? [{ parameter, name, member }] : [];
  });
}

/** Compiles the reading of these members; what the record cannot have is left as it came, and will be refused. */
export function compileQueryMembers(
  members: readonly QueryMember[],
  { validators }: Pick<Contract, 'validators'>,
): (query: Members) => Members | undefined {
  const asShown = compileAsShown(validators);
  return (query) => {
    const said = members.flatMap(({ parameter, name, member }): [string, unknown][] => {
      const { [parameter]: given } = query;
      if (given === undefined) return [];
      const value = asShown(member, given);
      // A list of what the record cannot show would empty its own.
      if (Array.isArray(value) && value.length === 0 && [given].flat().length > 0) return [];
      return [[name, value === NOT_SHOWN ? given : value]];
    });
    return said.length > 0 ? Object.fromEntries(said) : undefined;
  };
}
