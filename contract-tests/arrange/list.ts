import type { ListForm, Operation, Resource } from '#spec';
import { successStatuses } from '../laws/operation-role.ts';

/** A resource that can be listed. */
export interface Listed {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly form: ListForm;
  readonly success: number;
}

export function listedResources(resources: readonly Resource[]): Listed[] {
  return resources.flatMap((resource) => {
    const operation = resource.actions.list;
    const [success] = operation ? successStatuses(operation) : [];
    return operation && resource.list && success !== undefined
      ? [{ resource, operation, form: resource.list, success }]
      : [];
  });
}

/** The query for the greatest page that the document allows. */
export function greatestPage({ pageSize }: ListForm): Readonly<Record<string, unknown>> {
  const greatest = pageSize?.shape.range.high?.value;
  return pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {};
}
