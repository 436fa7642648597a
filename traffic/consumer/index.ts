/** The entry point of what clients use of a service (`#consumer`). */
export { type Consumer, type Sent, USED_PLACES, type UsedOperation, type UsedPlace } from './consumer.ts';
export { addToConsumer, ConsumerFileError, readConsumer, textOf } from './consumer-file.ts';
export { operationsIn } from './operations-in.ts';
export { createUses, type Uses } from './uses.ts';
