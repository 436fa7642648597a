import type { ServerResponse } from 'node:http';
import type { MockResponse } from '../exchange/exchange.ts';

interface Pending {
  readonly response: MockResponse;
  readonly outgoing: ServerResponse;
}

/** How many responses wait at most: the first must not wait for a thousand others. */
const MOST_PENDING = 64;

/**
 * Sends the first response of an event loop's turn at once, and all others in a row when the turn ends. Each write to a
 * socket wakes its reader, which costs more than to make the response; in a row, most find their reader awake.
 */
export function createOutbox(
  send: (response: MockResponse, outgoing: ServerResponse) => void,
): (response: MockResponse, outgoing: ServerResponse) => void {
  let pending: Pending[] = [];
  let hasSent = false;

  function flush(): void {
    const ready = pending;
    pending = [];
    for (const { response, outgoing } of ready) send(response, outgoing);
  }

  function endTurn(): void {
    hasSent = false;
    flush();
  }

  return (response, outgoing) => {
    if (!hasSent) {
      hasSent = true;
      setImmediate(endTurn);
      send(response, outgoing);
    } else if (pending.push({ response, outgoing }) === MOST_PENDING) flush();
  };
}
