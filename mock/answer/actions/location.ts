import { successOf } from '#spec';
import type { Id } from '../../store/port.ts';
import type { ActionContext } from './action.ts';

/** Where a record can be read, in the form of a path (RFC 9110 §10.2.2). */
export type LocationOf = (id: Id, parameters: Readonly<Record<string, unknown>>) => string;

/** Compiles the header `Location` of a create; undefined: the document knows none, or nothing that it could name. */
export function compileLocation({
  operation,
  collection: { resource },
  contract,
  basePath,
}: ActionContext): LocationOf | undefined {
  const header = successOf(operation)?.headers.find(({ name }) => name === 'location');
  const parameter = resource.id?.parameter;
  const item = Object.values(resource.actions).find(({ path }) => path.endsWith(`{${parameter}}`));
  if (!header || !item) return undefined;
  const locationOf: LocationOf = (id, parameters) =>
    basePath +
    item.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent(String(name === parameter ? id : parameters[name])),
    );
  // A document may demand a whole URL; which one that is to its clients the mock cannot know.
  const problems = header.schema && contract.validators.compile(header.schema, 'response')(locationOf(1, {}));
  return problems && problems.length > 0 ? undefined : locationOf;
}
