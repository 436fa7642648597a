import type { RequestFault } from '#observe';
import { compileFindOperation, invalidRequest, lacksCredential, readInput, unknownRequest } from '#observe';
import { compileRefusals, type MockRequest } from '#refusals';
import { basePathsAt, type Contract, type Mask } from '#spec';
import { named, type OwnResponse } from './answer.ts';
import type { RequestHead } from './message.ts';

/** Why a request is not forwarded, and the response to its client. */
export interface Refused {
  readonly fault: RequestFault;
  readonly response: OwnResponse;
}

/**
 * Judges a request before it is forwarded.
 * @param body its content; `unknown`: it is too long to be held back
 * @returns undefined: it is valid
 */
export type Screen = (head: RequestHead, body: Uint8Array | 'unknown') => Refused | undefined;

/** @param base of the service: requests elsewhere pass */
export function compileScreen(contract: Contract, base: URL, mask: Mask): Screen {
  const find = compileFindOperation(contract, [base]);
  const refusals = compileRefusals(
    contract,
    base.pathname.replace(/\/$/, ''),
    (operation) => basePathsAt(base.pathname, contract.basePaths, operation)[0],
  );

  return (head, body) => {
    const { method, target } = head;
    const url = URL.parse(base.origin + target);
    if (!url || target === '*') return undefined;
    const { hasBody } = head;
    const observed = {
      method,
      url,
      headers: head.fields,
      startedAt: undefined,
      body: hasBody && body !== 'unknown' ? body : undefined,
      bodyMissing: hasBody && body === 'unknown',
    };
    const match = find(method, url);
    const request = mockRequestOf(head, observed.body);
    if ('why' in match) {
      const fault = unknownRequest(contract, observed, match);
      return fault && refusedWith(fault, refusals.ofUnknown(match.methods, request));
    }
    const { operation } = match;
    const reading = readInput(contract, match, observed, true);
    const fault = invalidRequest(match, reading, observed, mask);
    if (!fault) return undefined;
    const response = lacksCredential(operation, observed)
      ? refusals.ofNoCredential(operation, request)
      : refusals.ofInvalid(operation, reading.read, request);
    return refusedWith(fault, response);
  };
}

function refusedWith(
  fault: RequestFault,
  response: ReturnType<ReturnType<typeof compileRefusals>['ofInvalid']>,
): Refused | undefined {
  if (!response || typeof response.body === 'function') return undefined;
  const { status, headers, body } = response;
  const detail = 'This request is not as the document has it, and was not sent to the target';
  const ownResponse = { status, fields: Object.entries(headers), body: Buffer.from(body) };
  return { fault, response: named(ownResponse, detail) };
}

function mockRequestOf({ method, target, fields }: RequestHead, body: Uint8Array | undefined): MockRequest {
  const [path = '', ...rest] = target.split('?');
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) headers[name.toLowerCase()] = value;
  return { method, path, query: rest.join('?'), headers, body };
}
