/** The door of the mock: a stateful server for any OpenAPI document. */
export type { ActionName } from './answer/actions/action.ts';
export type { AcceptedKeys } from './answer/authenticate.ts';
export { type Explanation, explain, type Fact } from './explain.ts';
export { createMock, type Mock, type MockedOperation } from './mock.ts';
export { BUILT_IN_KEY, type MockOptions } from './options.ts';
export { defaultParts, type Parts } from './parts.ts';
export type { LogEntry } from './server/log-entry.ts';
