import { expect, onTestFinished, test } from 'vitest';
import {
  attackedBy,
  CONNECTIONS,
  connectAtOnce,
  openConnections,
  startAttacked,
} from '../../quality/testing/attack.ts';

const STEP = 1000;

async function begin() {
  if (CONNECTIONS < 10_000) process.stderr.write('this machine allows too few open files in a process\n');
  const mock = await startAttacked('mock', '--log=quiet');
  const proxy = await startAttacked('proxy', mock.url);
  onTestFinished(async () => void (await Promise.all([proxy.stop(), mock.stop()])));
  // What every connection needs is there after the first ones.
  await connectAtOnce(proxy, STEP);
  await expect.poll(async () => (await proxy.measure()).handles.TCPSocketWrap ?? 0).toBe(0);
  return proxy;
}

test(`${CONNECTIONS} connections through the proxy, open at once, are all answered, and leave nothing behind`, async () => {
  const proxy = await begin();
  const { growth } = await attackedBy(proxy, () => connectAtOnce(proxy, CONNECTIONS));
  expect(growth).toBeLessThan(16);
});

test(`${CONNECTIONS} clients that begin a request and go away leave nothing behind`, async () => {
  const proxy = await begin();
  const { growth } = await attackedBy(proxy, async () => {
    let peak = await proxy.measure();
    for (let begun = 0; begun < CONNECTIONS; begun += STEP) {
      const { sockets } = await openConnections(proxy, STEP);
      for (const [at, socket] of sockets.entries()) {
        const head = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":';
        // At any byte: nothing, a part of the head, or a part of the body.
        socket.write(head.slice(0, at % (head.length + 1)));
      }
      peak = await proxy.measure();
      for (const [at, socket] of sockets.entries()) at % 2 ? socket.destroy() : socket.resetAndDestroy();
    }
    return peak;
  });
  expect(growth).toBeLessThan(16);
});
