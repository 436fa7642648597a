import type { ServerResponse } from 'node:http';
import type { Reply } from '../answer/exchange.ts';

/** An answer that is ready to go out. */
interface Ready {
  readonly reply: Reply;
  readonly response: ServerResponse;
}

/** So many wait at the most: the first of them should not wait for a thousand others. */
const MOST = 64;

/**
 * Sends the first answer of an event loop's turn at once, and all others one after the other when the turn ends. Each
 * write to a socket wakes its reader, which costs more than to make the answer; in a row, most find their reader awake.
 */
export function createOutbox(
  send: (reply: Reply, response: ServerResponse) => void,
): (reply: Reply, response: ServerResponse) => void {
  let waiting: Ready[] = [];
  /** Whether the turn has sent an answer. */
  let begun = false;

  function flush(): void {
    const ready = waiting;
    waiting = [];
    for (const { reply, response } of ready) send(reply, response);
  }

  function endTurn(): void {
    begun = false;
    flush();
  }

  return (reply, response) => {
    if (!begun) {
      begun = true;
      setImmediate(endTurn);
      send(reply, response);
    } else if (waiting.push({ reply, response }) === MOST) flush();
  };
}
