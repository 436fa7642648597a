/** The public entry point of the mock in a browser: the same engine without Node. */

export type { DocumentError, Problem } from '#spec';
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
} from '../code/code.ts';
export type { LoggedRequest, LoggedViolation } from '../control/logged-request.ts';
export type { AcceptedKeys } from '../http/authenticate.ts';
export type { Mock, MockSession } from '../mock.ts';
export type { MockScenarios } from '../mock-scenarios.ts';
export type { ActionName } from '../records/actions/action.ts';
export type { Snapshot } from '../records/snapshot/snapshot.ts';
export { BUILT_IN_KEY } from '../resolve-options.ts';
export type { MockedOperation } from '../running-mock.ts';
export type { Delay } from '../sessions/preferences/delay.ts';
export type { RuleForm, RuleView } from '../sessions/preferences/rules.ts';
export type { ScenarioForm, ScenarioView } from '../sessions/preferences/scenarios.ts';
export type { BrowserMockOptions, Seeds } from './create-mock.ts';
export { createMock } from './create-mock.ts';
