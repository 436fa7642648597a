import fc from 'fast-check';
import { exchanges, type FuzzedExchange } from './exchanges.ts';
import { openTransport } from './open-transport.ts';
import { rawClient } from './raw-client.ts';
import { rawServer } from './raw-server.ts';

/** Exchanges that one connection has. */
const ON_CONNECTION = 20;

/** Generated exchanges, in connections; the same ones for the same seed (`SEED`). */
export function scripts(count: number): readonly (readonly FuzzedExchange[])[] {
  const all = fc.sample(exchanges, { numRuns: count, seed: Number(process.env.SEED ?? 1) });
  return Array.from({ length: Math.ceil(count / ON_CONNECTION) }, (_, at) =>
    all.slice(at * ON_CONNECTION, (at + 1) * ON_CONNECTION),
  );
}

/** Plays exchanges to a target without HTTP, and says which did not have the bytes that they should have at either end. */
export async function play(connections: readonly (readonly FuzzedExchange[])[], options: object | undefined) {
  const isDirect = options === undefined;
  const failures: unknown[] = [];
  let count = 0;
  let arrived = (_: Buffer) => {};
  let answer = (_: string, _cuts: readonly number[]) => {};
  const target = await rawServer((socket) => {
    socket.on('data', (bytes) => arrived(bytes));
    answer = (text, cuts) => void sendInParts((part) => socket.write(part, 'latin1'), text, cuts);
  });
  const proxy = isDirect ? undefined : await openTransport(target.url, options);
  const host = new URL(target.url).host;

  for (const script of connections) {
    const client = rawClient(proxy?.port ?? target.port);
    let seen = 0;
    for (const exchange of script) {
      const wanted = isDirect ? exchange.request : exchange.forwarded.replace('HOST', host);
      const returned = isDirect ? exchange.response : exchange.returned;
      let received = '';
      const whole = new Promise<void>((resolve) => {
        arrived = (bytes) => {
          received += bytes.toString('latin1');
          if (received.length >= wanted.length) resolve();
        };
      });
      await sendInParts((part) => client.send(part), exchange.request, exchange.cuts);
      await within(whole);
      answer(exchange.response, exchange.cuts);
      const start = seen;
      await within(client.until((text) => text.length >= start + returned.length).catch(() => {}));
      const came = client.received().slice(start);
      seen += returned.length;
      if (received !== wanted) failures.push({ wanted, received });
      if (came !== returned) failures.push({ returned, came });
      count += 1;
      if (failures.length > 3) break;
    }
    client.socket.destroy();
    if (failures.length > 3) break;
  }
  await proxy?.close();
  await target.close();
  return { failures, count };
}

/** Bytes that never come are a failure, and not a test that hangs. */
async function within(promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 20_000);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

async function sendInParts(
  send: (part: string) => void,
  text: string,
  cuts: readonly number[],
): Promise<void> {
  const at = [...new Set(cuts.filter((cut) => cut > 0 && cut < text.length))].sort(
    (one, other) => one - other,
  );
  for (const [index, start] of [0, ...at].entries()) {
    send(text.slice(start, at[index]));
    // The next turn of the event loop: another packet.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
