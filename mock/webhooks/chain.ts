import { createContext, isThisMachine } from '#platform';
import { isLoopback } from '#spec';
import type { MockRequest } from '../http/exchange.ts';

/**
 * The header of a delivery: how many deliveries have led to it, itself included. Mocks that are each other's clients would
 * otherwise go on for ever.
 */
export const HOPS = 'paddock-hops';

/** An order that tells a payment, which tells the shop, is such a chain; nobody builds one of more. */
const MOST_HOPS = 3;

/** Undefined: what a request gives cause for cannot be told from what others do at the same time. */
const chain = createContext<number>();

/** Carries out a request; what the mock sends because of it knows that the request is a delivery itself. */
export function inChain<T>({ headers }: Pick<MockRequest, 'headers'>, work: () => T): T {
  const hops = headers[HOPS];
  return hops === undefined || !chain ? work() : chain.run(Number.parseInt(String(hops), 10) || 1, work);
}

/** The header of what is sent because of the current request, or why nothing is. */
export function nextHop(): { readonly headers: Readonly<Record<string, string>> } | { refused: string } {
  const hops = chain?.getStore() ?? 0;
  if (hops >= MOST_HOPS)
    return {
      refused: `${hops} deliveries have led to it, each to the next: after so many the mock stops, since they may go in a circle`,
    };
  return { headers: chain ? { [HOPS]: String(hops + 1) } : {} };
}

/** Whether a URL leads to what listens at an origin, by any address or name of this machine. */
export async function leadsTo(target: URL, origin: string): Promise<boolean> {
  const base = new URL(origin);
  if (target.origin === base.origin) return true;
  const host = target.hostname.replace(/^\[|\]$/g, '');
  return portOf(target) === portOf(base) && (isLoopback(host) || isThisMachine(host));
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');
