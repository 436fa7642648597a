/** The public entry point of the mock: a stateful server for any OpenAPI document. */
export { isLoopback, meaningOf } from '#spec';

import '#supported-node';

export {
  type CodeAccount,
  type CodeContext,
  CodeError,
  type CodeRecords,
  type CodeRequest,
  type CodeResponse,
  type NextResponse,
  type OperationCode,
  type OperationsCode,
  type RecordId,
  type SeedCode,
  type SeedCodeContext,
} from './code/code.ts';
export type { LoggedRequest, LoggedViolation } from './control/logged-request.ts';
export type { Explained } from './engine/endpoint.ts';
export { defaultParts, type Parts } from './engine/parts.ts';
export type { AcceptedKeys } from './http/authenticate.ts';
export type { Trace } from './http/trace.ts';
export type { Mock, MockSession } from './mock.ts';
export { createMock } from './mock.ts';
export type { MockScenarios } from './mock-scenarios.ts';
export type { MockOptions, MountedDocument } from './options.ts';
export type { ActionName } from './records/actions/action.ts';
export type {
  Misfit,
  MisfitCount,
  Recorded,
  RecordedCollection,
  RecordedSummary,
  RecordedTraffic,
  Recording,
} from './records/recorded/recorded-traffic.ts';
export type { PartialSnapshot, RecordAt, RecordsByPath, Snapshot } from './records/snapshot/snapshot.ts';
export { BUILT_IN_KEY } from './resolve-options.ts';
export type { MockedDocument, MockedOperation } from './running-mock.ts';
export type { Log, LogEntry } from './server/listen.ts';
export { type Delay, readDelay, readMoment } from './sessions/preferences/delay.ts';
export type { RuleForm, RuleView } from './sessions/preferences/rules.ts';
export type { ScenarioForm, ScenarioView } from './sessions/preferences/scenarios.ts';
export { StoreError } from './store/port.ts';
