import { readTarget } from '#target';
import { listen } from '../listen.ts';
import { createCounts, isAdminTarget, type PairContext, UNSEEN } from '../pair/context.ts';
import { Pair } from '../pair/pair.ts';
import { openTarget } from '../target/open-target.ts';

/** The transport alone: what passes is not judged. */
export async function openTransport(
  target: string,
  changes: Partial<PairContext> & { keepHost?: boolean } = {},
) {
  const counts = createCounts();
  const notices: string[] = [];
  const { keepHost = false, ...others } = changes;
  const context: PairContext = {
    dialer: openTarget(readTarget({ target }), keepHost),
    counts,
    holds: false,
    witness: () => UNSEEN,
    isOthers: ({ target }) => isAdminTarget(target),
    takeOver: (socket) => void socket.destroy(),
    opened: new Set(),
    notice: ({ method, target }, what) => void notices.push(`${method} ${target}: ${what}`),
    ...others,
  };
  const { origin, address, close } = await listen({
    port: 0,
    host: '127.0.0.1',
    certificate: undefined,
    serve: (socket) => new Pair(socket, context),
    refusePlain() {},
  });
  return { url: origin, port: address.port, counts, notices, context, close };
}
