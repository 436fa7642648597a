import type { ServerResponse } from 'node:http';
import type { Reply } from '../answer/exchange.ts';

/** An answer that is ready to go out. */
interface Ready {
  readonly reply: Reply;
  readonly response: ServerResponse;
}

/** So many at the most: the first of them need not wait for a thousand others. */
const MOST = 64;

/**
 * Gathers answers, and sends them one after the other at the end of the event loop's turn. Each write to a socket
 * wakes its reader, which costs more than to make the answer; in a row, most of them find their reader awake.
 */
export function createOutbox(
  send: (reply: Reply, response: ServerResponse) => void,
): (reply: Reply, response: ServerResponse) => void {
  let waiting: Ready[] = [];

  function flush(): void {
    const ready = waiting;
    waiting = [];
    for (const { reply, response } of ready) send(reply, response);
  }

  return (reply, response) => {
    const length = waiting.push({ reply, response });
    if (length === 1) setImmediate(flush);
    else if (length === MOST) flush();
  };
}
