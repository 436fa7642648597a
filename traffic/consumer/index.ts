/** The entry point for what clients use of a service (`#consumer`). */
export { HarError } from '../har/scan-entries.ts';
export { type Consumer, type Sent, USED_PLACES, type UsedOperation, type UsedPlace } from './consumer.ts';
export { readConsumer } from './uses.ts';
