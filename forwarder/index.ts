/** Forwards requests to a service: for the proxy, for a mock in front of a real service, and for the suite. */
export { endToEnd, type Fields, fieldsOf, listOf } from './fields.ts';
export { reasonOf } from './reason.ts';
export {
  isNeverSent,
  isStale,
  LONGEST_HEAD,
  openService,
  proxyEnv,
  type Service,
  type Variables,
} from './service.ts';
export { createTurns, originOf } from './serving.ts';
