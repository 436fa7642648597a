/** The part that the command line loads to serve; the library's entry point, `index.ts`, has more. */
import '#supported-node';

export { CodeError } from './code/code.ts';
export type { CodeFile } from './code/watch-code.ts';
export type { Explained } from './engine/endpoint.ts';
export type { AcceptedKeys } from './http/authenticate.ts';
export type { Trace } from './http/trace.ts';
export { BUILT_IN_PASSWORD } from './records/accounts.ts';
export type { Recording } from './records/recorded/recorded-traffic.ts';
export { BUILT_IN_KEY } from './resolve-options.ts';
export { type MockedDocument, type MockedOperation, type RunningMock, runMock } from './running-mock.ts';
export type { Log, LogEntry } from './server/listen.ts';
export { readDelay, readMoment } from './sessions/preferences/delay.ts';
export { StoreError } from './store/port.ts';
