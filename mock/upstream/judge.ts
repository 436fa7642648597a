import type { Contract } from '#spec';
import type { Awaitable } from '../http/exchange.ts';

/**
 * Creates the validation of exchanges with a real service; the mock itself has no rules. `judgeTraffic` of
 * `openapi-paddock/check` is one.
 * @param baseUrl the base URL of the real service
 */
export type Judge = (contract: Contract, baseUrl: string) => Awaitable<JudgeExchange>;

/** Call when a request is sent. */
export type JudgeExchange = (request: JudgedRequest) => {
  /** Call once, with the response, or undefined if none came that can be validated. */
  end(response: JudgedResponse | undefined): readonly Broken[];
};

type Headers = readonly (readonly [name: string, value: string])[];

/** A request that was sent to a real service. */
export interface JudgedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
}

/** A complete response as received. */
export interface JudgedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly cut: false;
  /** From the request's first byte to the response's last. */
  readonly ms: number;
}

/** A violation of the document by a response; without credentials. */
export interface Broken {
  readonly law: string;
  readonly received: string;
  readonly documented: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
}
