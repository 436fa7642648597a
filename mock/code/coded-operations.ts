import { nearest, type Operation, someOf } from '#spec';
import type { OperationCode, OperationsCode, SeedCode } from './code.ts';

/** All of the user's code, which may be replaced while the mock runs. */
export interface Code {
  readonly operations: OperationsCode;
  readonly seedCode: SeedCode | undefined;
}

export function codedOperations(
  code: OperationsCode,
  operations: readonly Operation[],
): ReadonlyMap<Operation, OperationCode> {
  return new Map(
    operations.flatMap((operation) => {
      const [operationCode] = namesOf(operation).flatMap((name) =>
        Object.hasOwn(code, name) ? (code[name] ?? []) : [],
      );
      return operationCode ? [[operation, operationCode]] : [];
    }),
  );
}

/** The unknown names in code, a sentence each; empty: the document has them all. */
export function unknownOperations(code: OperationsCode, operations: readonly Operation[]): string[] {
  const names = new Set(operations.flatMap(namesOf));
  const ids = operations.map(({ id }) => id);
  return Object.keys(code).flatMap((name) => {
    if (code[name] === undefined || names.has(name)) return [];
    const meant = nearest(name, names);
    const remedy =
      meant === undefined
        ? `there are ${someOf(ids, MOST_LISTED)}`
        : `did you mean ${JSON.stringify(meant)}?`;
    return `the document has no operation ${JSON.stringify(name)}: ${remedy}`;
  });
}

function namesOf({ id, method, path }: Operation): string[] {
  return [id, `${method} ${path}`];
}

const MOST_LISTED = 20;
