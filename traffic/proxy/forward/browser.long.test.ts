import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCache } from '../../../certificates/testing/own-cache.ts';
import { CHROMIUM, launchChromium } from '../../../quality/testing/chromium.ts';
import { makeCertificates } from '../../../quality/testing/network.ts';
import { createProxy } from '../index.ts';
import { ORDERS } from '../testing/attacked-proxy.ts';

const HAS_CERTUTIL = spawnSync('certutil', ['-H']).error === undefined;

test.skipIf(!CHROMIUM || !HAS_CERTUTIL)(
  'a browser that names the proxy and trusts its authority opens a page over https, streams and a WebSocket; its requests are judged',
  async () => {
    const home = await ownCache();
    const { key, certificate: cert } = makeCertificates(['localhost']);
    const service = createServer({ key, cert }, ({ url }, response) => {
      if (url === '/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n');
        return;
      }
      const isPage = url === '/';
      response.setHeader('content-type', isPage ? 'text/html' : 'application/json');
      response.end(isPage ? '<title>Shop</title>' : '[{"id":"one"}]');
    });
    service.on('upgrade', ({ headers }, socket) => {
      // RFC 6455 §1.3.
      const text = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(text).digest('base64');
      const lines = ['HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: websocket'];
      socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', '\x81\x02hi'].join('\r\n'), 'latin1');
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void service.close().closeAllConnections());
    const target = `https://localhost:${(service.address() as AddressInfo).port}`;
    const proxy = await createProxy({ target, document: ORDERS, port: 0, forward: true, insecure: true });
    onTestFinished(() => proxy.close());
    const database = join(home, '.pki', 'nssdb');
    mkdirSync(database, { recursive: true });
    spawnSync('certutil', ['-d', `sql:${database}`, '-N', '--empty-password']);
    const trusted = ['-A', '-t', 'C,,', '-n', 'Paddock', '-i', proxy.forwardAuthority as string];
    spawnSync('certutil', ['-d', `sql:${database}`, ...trusted]);
    const flags = [`--proxy-server=${new URL(proxy.url).origin}`, '--proxy-bypass-list=<-loopback>'];
    const browser = await launchChromium(flags, { HOME: home });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(target);
    expect(await page.title()).toBe('Shop');
    expect(
      await page.evaluate("fetch('/orders', { headers: { 'X-Key': 'k' } }).then((one) => one.text())"),
    ).toBe('[{"id":"one"}]');
    const first = (Source: string) =>
      page.evaluate(`new Promise((done) => { (new ${Source}).onmessage = ({ data }) => done(data) })`);
    expect(await first("EventSource('/events')")).toBe('one');
    expect(await first("WebSocket(location.origin.replace('http', 'ws'))")).toBe('hi');
    expect(proxy.found().counts).toMatchObject({ upgraded: 1, elsewhere: 0 });
    await expect.poll(() => proxy.found().findings.map(({ law }) => law)).toContain('schema');
  },
);
