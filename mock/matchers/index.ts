/** The public entry point of matchers for the requests that a mock has received, for any test runner. */
export type { ExpectedRequest } from './received.ts';
export {
  assertReceived,
  type DocumentTypes,
  type Received,
  type ReceivedOperation,
  type Receiver,
  toHaveReceived,
} from './received.ts';
