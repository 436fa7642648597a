/** The public entry point of `har`, `openapi-paddock/har`: recorded traffic, read from HAR files. */
import '#supported-node';

export { type HarFile, type HarSlot, openHarFile } from './har-file.ts';
export { type HarOptions, readHar } from './read-har.ts';
export {
  createTally,
  type HarProblem,
  type HeaderPair,
  REMARKS,
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
  type Remark,
  SKIPPED,
  type Skipped,
  type Tally,
} from './recorded-exchange.ts';
export { HarError } from './scan-entries.ts';
