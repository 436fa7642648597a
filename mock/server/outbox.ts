import type { ServerResponse } from 'node:http';
import type { MockResponse } from '../http/exchange.ts';

interface Pending {
  readonly response: MockResponse;
  readonly outgoing: ServerResponse;
}

/** How many responses wait at most: the first must not wait for a thousand others. */
const MOST_PENDING = 64;

/**
 * Sends all responses of an event loop's turn in a row when the turn ends. Each write to a socket wakes its reader, which
 * costs more than to make the response; in a row, most find their reader awake.
 */
export function createOutbox(
  send: (response: MockResponse, outgoing: ServerResponse) => void,
): (response: MockResponse, outgoing: ServerResponse) => void {
  let pending: Pending[] = [];

  function flush(): void {
    const ready = pending;
    pending = [];
    for (const { response, outgoing } of ready) send(response, outgoing);
  }

  return (response, outgoing) => {
    const waiting = pending.push({ response, outgoing });
    if (waiting === 1) setImmediate(flush);
    else if (waiting === MOST_PENDING) flush();
  };
}
