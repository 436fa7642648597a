import { createContext, isThisMachine } from '#platform';
import { isLoopback } from '#spec';
import type { MockRequest } from '../http/exchange.ts';

/**
 * A header with the number of deliveries that led to this one, itself included. Without it, mocks that are each other's
 * clients would never stop.
 */
export const HOPS = 'paddock-hops';

/** Enough for an order that notifies a payment, which notifies the shop; longer chains are unlikely. */
const MOST_HOPS = 3;

/** Undefined: the effects of a request cannot be told from those of concurrent ones. */
const chain = createContext<number>();

/** Processes a request, and notes for its deliveries how long their chain is. */
export function inChain<T>({ headers }: Pick<MockRequest, 'headers'>, work: () => T): T {
  const hops = headers[HOPS];
  return hops === undefined || !chain ? work() : chain.run(Number.parseInt(String(hops), 10) || 1, work);
}

/** The header for deliveries caused by the current request, or why they are not sent. */
export function nextHop(): { readonly headers: Readonly<Record<string, string>> } | { refused: string } {
  const hops = chain?.getStore() ?? 0;
  if (hops >= MOST_HOPS)
    return {
      refused: `${hops} deliveries have led to it, each to the next: after so many the mock stops, since they may go in a circle`,
    };
  return { headers: chain ? { [HOPS]: String(hops + 1) } : {} };
}

/** Whether a URL leads to an origin on this machine, by any of its addresses or names. */
export async function leadsTo(target: URL, origin: string): Promise<boolean> {
  const base = new URL(origin);
  if (target.origin === base.origin) return true;
  const host = target.hostname.replace(/^\[|\]$/g, '');
  return portOf(target) === portOf(base) && (isLoopback(host) || isThisMachine(host));
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');
