import type { Action, Contract, Further, FurtherRole, Operation, Resource } from '#spec';

/** A role of an operation, with the resource as that operation sees it. */
export interface ExplainedRole {
  readonly resource: Resource;
  readonly role: FurtherRole | 'singleton';
  /** Undefined: it is a main action of the resource, by its path. */
  readonly further: Further | undefined;
}

export function explainableRoles({ resources, singletons }: Contract): ReadonlyMap<Operation, ExplainedRole> {
  const main = resources.flatMap((resource) =>
    (Object.entries(resource.actions) as [Action, Operation][]).map(
      ([role, operation]) => [operation, { resource, role, further: undefined }] as const,
    ),
  );
  const others = resources.flatMap((resource) =>
    resource.further.map((further) => {
      const { role, operation, list, parents, parameter } = further;
      const id = resource.id && { ...resource.id, parameter };
      return [operation, { resource: { ...resource, list, parents, id }, role, further }] as const;
    }),
  );
  const single = singletons.flatMap((singleton) =>
    Object.values(singleton.actions).map((operation) => {
      const resource = { ...singleton, further: [], id: undefined, list: undefined };
      return [operation, { resource, role: 'singleton', further: undefined }] as const;
    }),
  );
  // The first resource that names an operation has it.
  return new Map<Operation, ExplainedRole>([...single, ...others, ...main.reverse()]);
}
