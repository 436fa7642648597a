/** The door of the mock: a stateful server for any OpenAPI document. */
export type { ActionName } from './answer/actions/action.ts';
export type { AcceptedKeys } from './answer/authenticate.ts';
export { isLoopback } from './control/access.ts';
export type { LoggedRequest, LoggedViolation } from './control/requests.ts';
export { type Explanation, explain, type Fact } from './explain.ts';
export { createMock, type Mock, type MockedOperation } from './mock.ts';
export { BUILT_IN_KEY, type MockOptions } from './options.ts';
export { defaultParts, type Parts } from './parts.ts';
export type { LogEntry } from './server/log-entry.ts';
export { readMoment } from './session/clock.ts';
export { type Delay, readDelay } from './session/delay.ts';
export type { MockSession, RuleForm } from './session/mock-session.ts';
export type { Snapshot } from './snapshot/snapshot.ts';
export { StoreError } from './store/store-error.ts';
