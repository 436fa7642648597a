import { createObserver } from '#observe';
import type { Contract } from '#spec';
import { readHar } from '../har/read-har.ts';
import { sentOf, shownOf } from '../judge/observed-exchange.ts';
import type { Consumer } from './consumer.ts';
import { createUses } from './uses.ts';

/**
 * What a client uses of a service, by its recorded traffic.
 * @param file path of a HAR
 * @throws HarError when it is no HAR, or cannot be read
 */
export async function readConsumer(consumer: string, file: string, contract: Contract): Promise<Consumer> {
  const uses = createUses();
  const observer = createObserver(contract, { onUse: uses.note });
  for await (const item of readHar(file))
    if (!('problem' in item)) observer.begin(sentOf(item)).end(shownOf(item));
  return { consumer, operations: uses.operations };
}
