/** The user code that a configuration file may contain, and its validation (`#user-code`). */
export {
  type CommandSource,
  type CredentialFunction,
  type CredentialRequest,
  type CredentialSource,
  type GrantSource,
  type Issued,
  type LoginSource,
  plainSecrets,
  type Secret,
  sourceProblem,
} from './credentials/source.ts';
export {
  HOOK_NAMES,
  type HookExchange,
  type HookRequest,
  type Hooks,
  hooksProblem,
  type LeftBehind,
  type Prepared,
  type Preparing,
  type RequestChange,
  type ResponseChange,
  type RunOutcome,
  type RunToCome,
} from './hooks/hooks.ts';
export { type OwnBreach, type OwnLaw, ownLawProblem } from './laws/all-laws.ts';
export type { Evidence } from './laws/evidence.ts';
