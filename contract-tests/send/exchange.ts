import type { Operation } from '#spec';
import type { RequestInput } from './plan-request.ts';
import type { Response } from './response.ts';
import type { WireRequest } from './wire.ts';

/** A request and its response, with what the request was made from. */
export interface Exchange {
  readonly operation: Operation;
  readonly input: RequestInput;
  readonly request: WireRequest;
  readonly response: Response;
}
