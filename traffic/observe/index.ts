/** The entry point for judging traffic of others (`#observe`). */
export type {
  ObservedFinding,
  ObservedRequest,
  ObserveOptions,
  Observer,
  PendingExchange,
  RequestFault,
  Unjudged,
  Use,
} from './observed.ts';
export { resolveMask } from './observed.ts';
export { judgeTraffic, observe } from './observer.ts';
export { compileFindOperation, type Match as Found, readInput } from './read-request.ts';
export { createReplay, type Replay } from './replay.ts';
export { invalidRequest, lacksCredential, unknownRequest } from './request-fault.ts';
