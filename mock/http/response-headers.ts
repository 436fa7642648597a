import type { Contract, Operation } from '#spec';
import { CORS_HEADERS } from './cors.ts';
import { deprecationHeaders, deprecationRemark } from './deprecation.ts';
import type { MockResponse, ResponseContent } from './exchange.ts';
import { memoizeReusable } from './memoize.ts';

/** Adds the headers that all responses of an operation share. */
export type Finish = (content: ResponseContent) => MockResponse;

/** Compiles the last step of a response; without an operation: for paths that the document does not have. */
export function compileFinish(
  operation: Operation | undefined,
  contract: Contract,
  basePath: string,
): Finish {
  const shared = { ...CORS_HEADERS, ...(operation && deprecationHeaders(operation, contract, basePath)) };
  const remark = operation && deprecationRemark(operation);
  // Responses of one type share one object of headers, from which the server derives its own form once.
  const byType = new Map<string | undefined, MockResponse['headers']>([[undefined, shared]]);

  return memoizeReusable(({ status, type, headers: own, body, remark: ownRemark, reason, fault }) => {
    let headers = byType.get(type);
    if (!headers) {
      headers = { 'Content-Type': type as string, ...shared };
      byType.set(type, headers);
    }
    const said = ownRemark === undefined ? remark : [remark ?? [], ownRemark].flat().join('; ');
    const all = own ? merge(headers, own) : headers;
    return { status, headers: all, body, remark: said, reason, operation: operation?.id, fault };
  });
}

function merge(shared: MockResponse['headers'], own: MockResponse['headers']): MockResponse['headers'] {
  const all = { ...shared, ...own };
  return own.Vary === undefined ? all : { ...all, Vary: `${shared.Vary}, ${own.Vary}` };
}
