/** For other servers that have a control API with the mock's access rules and console (`#control`). */
export { compileAccess } from './control/access.ts';
export { compileControl, jsonResponse, NO_CONTENT, NO_STORE } from './control/control.ts';
export { type ContractView, describeContract, showSource } from './control/describe-contract.ts';
export { CONTROL_PATH } from './control/path.ts';
export type { MockRequest, ResponseContent } from './http/exchange.ts';
export { send } from './server/send.ts';
export { createEvents, type Events } from './sessions/journal.ts';
