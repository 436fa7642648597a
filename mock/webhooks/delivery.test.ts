import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract, type OutgoingOperation } from '#spec';
import { createOutbox } from '../sessions/outbox.ts';
import type { Session } from '../sessions/session.ts';
import { createDelivery, withheldBecause } from './delivery.ts';

test.each<[string, string, boolean]>([
  ['http://hooks.example/in', 'hooks.example', true],
  ['https://hooks.example:8443/in', 'hooks.example:8443', true],
  ['https://hooks.example/in', 'hooks.example:8443', false],
  ['http://hooks.example/in', 'hooks.example:80', true],
  ['https://hooks.example/in', 'hooks.example:80', false],
  ['https://hooks.example/in', 'hooks.example:443', true],
  ['https://other.example/in', 'hooks.example', false],
])('of %s and the host %s it may be sent: %s', (url, host, isAllowed) => {
  expect(withheldBecause(url, { gone: new Set() }, [host]) === undefined).toBe(isAllowed);
});

test('few requests are on their way at once, and what comes when too many wait is dropped, and said', async () => {
  const open: ServerResponse[] = [];
  let most = 0;
  let isOpen = false;
  const server = createServer((_, response) => {
    most = Math.max(most, open.push(response));
    if (isOpen) release();
  });
  const release = () => {
    isOpen = true;
    for (const response of open.splice(0)) response.end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { outgoing } = await loadContract('fixtures/specs/signals.yaml');
  const notices: string[] = [];
  const { deliver } = createDelivery({
    ...{ callbackHosts: [], webhookSecret: undefined, time: Date.now, redactText: (text) => text },
    ...{ dispatch: (request) => request, listensAt: () => undefined },
    onBug: (error) => notices.push(String(error)),
    notice: (text) => notices.push(text),
  });
  const outbox = createOutbox();
  const session = { outbox, events: { hasListeners: false } } as unknown as Session;
  const one = { outgoing: outgoing[0] as OutgoingOperation, signature: [], headers: {} };
  const to = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  const send = () => deliver(session, one, to, 'test', undefined);
  const sent = Array.from({ length: 1000 }, send);
  await expect.poll(() => open.length).toBe(16);
  const last = await send();
  expect(outbox.deliveries().find(({ number }) => number === last)).toMatchObject({
    state: 'withheld',
    reason: '1000 deliveries wait already: it is dropped',
  });
  expect(notices).toEqual([expect.stringContaining('it is dropped')]);
  release();
  await Promise.all(sent);
  expect(most).toBe(16);
  await send();
  expect(outbox.deliveries().at(-1)?.state).toBe('delivered');
});
