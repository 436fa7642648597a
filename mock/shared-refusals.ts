/** For servers in front of a real service that refuse requests as the mock does (`#refusals`). */

import type { Contract, Operation, ReadRequest } from '#spec';
import { compileGuard } from './http/authenticate.ts';
import { methodNotAllowed, noSuchPath, withOrigin } from './http/cors.ts';
import { withDocumentedHeaders } from './http/documented-headers.ts';
import { compileRefuse, respondWith } from './http/error-response.ts';
import type { MockRequest, MockResponse } from './http/exchange.ts';
import { memoizeFew } from './http/memoize.ts';
import { type Outcome, refuseInvalid } from './http/refusal.ts';
import { type BasePathOf, compileFinish } from './http/response-headers.ts';

export type { MockRequest, MockResponse } from './http/exchange.ts';

/** Responds to invalid requests with the document's error bodies. Undefined: the request is valid. */
export interface Refusals {
  ofInvalid(operation: Operation, read: ReadRequest, request: MockRequest): MockResponse | undefined;
  /** Does not check whether the credential is correct. */
  ofNoCredential(operation: Operation, request: MockRequest): MockResponse | undefined;
  /** @param methods the methods of the path; undefined: the document does not have the path */
  ofUnknown(
    methods: ReadonlyMap<string, unknown> | undefined,
    request: MockRequest,
  ): MockResponse | undefined;
}

/**
 * @param basePath the base path of most paths
 * @param basePathOf the base path of an operation
 */
export function compileRefusals(contract: Contract, basePath: string, basePathOf: BasePathOf): Refusals {
  const writerFor = memoizeFew((operation: Operation | undefined) => {
    const refuse = compileRefuse(operation, contract);
    const finish = compileFinish(operation, contract, basePathOf);
    const whole = operation
      ? withDocumentedHeaders(finish, operation, contract, (header) => `${operation.id}/${header}`)
      : finish;
    return (outcome: Outcome, request: MockRequest) =>
      withOrigin(respondWith({ refuse, finish: whole }, outcome, request), request.headers.origin);
  });

  function respond(operation: Operation | undefined, outcome: Outcome | undefined, request: MockRequest) {
    return outcome && writerFor(operation)(outcome, request);
  }

  return {
    ofInvalid: (operation, read, request) => respond(operation, refuseInvalid(operation, read), request),
    ofNoCredential(operation, request) {
      const guard = compileGuard(operation, { apiKeys: 'any', credentials: {} });
      return respond(operation, guard(request), request);
    },
    ofUnknown(methods, request) {
      const { method, path } = request;
      const outcome = methods
        ? methodNotAllowed(method, path, methods)
        : noSuchPath(request, basePath, contract);
      return respond(undefined, outcome, request);
    },
  };
}
