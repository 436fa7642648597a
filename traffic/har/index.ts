/** The public entry point of `har`, `openapi-paddock/har`: recorded traffic, read from HAR files. */
import '#supported-node';

export { HarError } from './har-error.ts';
export { type HarOptions, readHar } from './read-har.ts';
export type { HeaderPair, RecordedExchange, RecordedRequest, RecordedResponse } from './recorded-exchange.ts';
export { type HarProblem, REMARKS, type Remark, SKIPPED, type Skipped } from './remark.ts';
export { createTally, type Tally } from './tally.ts';
