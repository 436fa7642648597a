import { openService } from '#forwarder';
import { readTarget } from '#target';
import { exchange } from '../exchange.ts';
import { Refusal } from '../message.ts';
import { serve } from '../serve.ts';
import { createCounts, createOwnConnections, UNSEEN, type Way } from '../way.ts';

/** The transport alone, without judging. */
export async function openTransport(
  target: string,
  { keepHost = false, port = 0, ...changes }: Partial<Way> & { keepHost?: boolean; port?: number } = {},
) {
  const counts = createCounts();
  const notices: string[] = [];
  const ownConnections = createOwnConnections();
  const read = readTarget({ target });
  const way: Way = {
    service: openService(read),
    host: keepHost ? undefined : read.base.host,
    counts,
    holds: false,
    witness: () => UNSEEN,
    ownConnections,
    notice: ({ method, target }, what) => void notices.push(`${method} ${target}: ${what}`),
    ...changes,
  };
  const { origin, address, close } = await serve({
    port,
    host: '127.0.0.1',
    certificate: undefined,
    forwards: false,
    counts,
    connect() {},
    serve(asked) {
      if (ownConnections.has(asked.incoming.socket))
        throw new Refusal('the target leads back to the proxy itself', 508);
      return exchange(asked, way);
    },
    notice: (text) => void notices.push(text),
  });
  return { url: origin, port: address.port, counts, notices, close };
}
