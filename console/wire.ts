/** The control API's responses, as types of the mock: the only import from another folder, and none at run time. */

import type { LoggedRequest } from '../mock/control/logged-request.ts';

export type {
  CollectionView,
  ContractView,
  FieldView,
  MemberView,
  OperationView,
  RecordReference,
  SourceLines,
} from '../mock/control/describe-contract.ts';
export type { FactView, MeaningPart, MeaningView } from '../mock/control/describe-meaning.ts';
export type { ReferenceOperation, ReferenceView } from '../mock/control/describe-reference.ts';
export type { FoundRecord, FoundRecords } from '../mock/control/find-records.ts';
export type { LoggedRequest, LoggedViolation } from '../mock/control/logged-request.ts';
export type { RecordProblem } from '../mock/control/record-endpoints.ts';
export type { OperationSample, SampleBody } from '../mock/control/sample-operation.ts';
export type { SessionsPage, SessionView } from '../mock/control/sessions-endpoint.ts';
export type { DeliveryView, OutgoingView, WebhooksView } from '../mock/control/webhooks-endpoint.ts';
export type {
  ChangedOperation,
  DocumentChange,
  DocumentProblem,
} from '../mock/sessions/document-changes.ts';
export type { DocumentedAnswer } from '../mock/sessions/preferences/documented-answers.ts';
export type {
  AnswerForm,
  MatchForm,
  RuleForm,
  RuleView,
  Source,
} from '../mock/sessions/preferences/rules.ts';
export type { ScenarioView } from '../mock/sessions/preferences/scenarios.ts';
export type { ClockView, LatencyView } from '../mock/sessions/session.ts';
export type { FindingsView } from '../traffic/proxy/admin.ts';
export type { SeenExchange } from '../traffic/proxy/seen.ts';

export type Trace = LoggedRequest['trace'];
