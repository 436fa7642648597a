import type { Contract, Operation } from '#spec';
import { CORS_HEADERS } from './cors.ts';
import { deprecationHeaders, deprecationRemark } from './deprecation.ts';
import type { Answer, Reply } from './exchange.ts';
import { keptWith } from './kept-with.ts';

/** Gives an answer the headers that it shares with all answers of its operation. */
export type Finish = (answer: Answer) => Reply;

/** Compiles the last step; without an operation: for paths that the document does not have. */
export function compileFinish(
  operation: Operation | undefined,
  contract: Contract,
  basePath: string,
): Finish {
  const shared = { ...CORS_HEADERS, ...(operation && deprecationHeaders(operation, contract, basePath)) };
  const byType = new Map<string | undefined, Readonly<Record<string, string>>>();
  const headersFor = (type: string | undefined) => {
    const headers = type === undefined ? shared : { 'Content-Type': type, ...shared };
    byType.set(type, headers);
    return headers;
  };
  const remark = operation && deprecationRemark(operation);
  function finish({ status, type, headers: own, body, fault, lasting }: Answer): Reply {
    const headers = byType.get(type) ?? headersFor(type);
    return { status, headers: own ? { ...headers, ...own } : headers, body, remark, fault, lasting };
  }

  const finished = keptWith(finish);
  return (answer) => (answer.lasting ? finished(answer) : finish(answer));
}
