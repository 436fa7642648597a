import { successOf } from '#spec';
import type { Id } from '../../store/port.ts';
import type { ActionContext } from './action.ts';

/** The path at which a record can be read (RFC 9110 §10.2.2). */
export type LocationOf = (id: Id, parameters: Readonly<Record<string, unknown>>) => string;

/** Compiles the header `Location` of a create; undefined: the document has no such header, or no path for it. */
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
  // A document may require an absolute URL, and the mock does not know under which one clients reach it.
  const problems = header.schema && contract.validators.compile(header.schema, 'response')(locationOf(1, {}));
  return problems && problems.length > 0 ? undefined : locationOf;
}
