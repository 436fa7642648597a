import { type Contract, type Operation, pathForm } from '#spec';
import type { Consumer, SentRequest, UsedOperation } from './consumer.ts';

/** What a client uses, at an operation of a document. */
export interface FoundOperation {
  /** As the file has it. */
  readonly key: string;
  /** Undefined: the document does not have it. */
  readonly operation: Operation | undefined;
  /** Parameters of the path have the names of the document. */
  readonly used: UsedOperation;
}

/** Finds the operations of a client in a document, whatever each of them calls the parameters of a path. */
export function operationsIn(operations: Consumer['operations'], contract: Contract): FoundOperation[] {
  const byForm = new Map(contract.operations.map((one) => [`${one.method} ${pathForm(one.path)}`, one]));
  return Object.entries(operations).map(([key, used]) => {
    const [method = '', path = ''] = key.split(' ');
    const operation = byForm.get(`${method} ${pathForm(path)}`);
    return { key, operation, used: operation ? renamed(used, namesIn(path), namesIn(operation.path)) : used };
  });
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

function renamed(used: UsedOperation, from: readonly string[], to: readonly string[]): UsedOperation {
  if (from.join() === to.join()) return used;
  const rename = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const [name = '', ...rest] = key.split('/');
        return [[to[from.indexOf(name)] ?? name, ...rest].join('/'), value];
      }),
    );
  const ofRequest = (request: SentRequest) => ({
    ...request,
    ...(request.path && { path: rename(request.path) }),
  });
  return {
    ...used,
    ...(used.path && { path: rename(used.path) }),
    responses: Object.fromEntries(
      Object.entries(used.responses).map(([status, { request, ...others }]) => [
        status,
        { ...others, ...(request && { request: ofRequest(request) }) },
      ]),
    ),
  };
}
