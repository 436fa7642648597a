import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { check } from '#contract-tests';
import { BUILT_IN_KEY, createMock } from '#mock';
import { DOCUMENTS, ROOT } from '../quality/testing/documents.ts';
import { forward } from '../quality/testing/forward.ts';
import { resultOf } from '../quality/testing/result-of.ts';

/** The longest delay of a request or response, in milliseconds. */
const LONGEST = 30;

/** A network on which requests and responses overtake each other. */
async function startNetwork(url: URL): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    await sleep(Math.random() * LONGEST);
    forward(url.port, incoming, outgoing, { delay: Math.random() * LONGEST });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${url.pathname}`;
}

test.each(DOCUMENTS)(
  'requests of eight cases overtake each other, and the contract holds: %s',
  async (file) => {
    const document = ROOT + file;
    const mock = await createMock({ document, port: 0 });
    onTestFinished(() => mock.close());
    const target = await startNetwork(new URL(mock.url));
    const options = { target, document, apiKey: BUILT_IN_KEY, jobs: 8 };
    const { findings, exitCode, reason } = await resultOf(check(options));
    expect({ findings, exitCode, reason }).toEqual({ findings: [], exitCode: 0, reason: undefined });
  },
);
