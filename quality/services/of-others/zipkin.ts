import { join } from 'node:path';
import { call, read, until } from '../client.ts';
import type { Service } from '../service.ts';
import { line } from '../state.ts';

/** A limit above the number of all records. */
const ALL = 'limit=10000&lookback=86400000';

const endpoint = (serviceName: string, ipv4: string, port = 8080) => ({ serviceName, ipv4, port });
const WEB = endpoint('web', '192.0.2.1');
const ORDERS = endpoint('orders', '192.0.2.2');
const DATABASE = endpoint('database', '192.0.2.3', 5432);

export const ZIPKIN: Service = {
  name: 'zipkin',
  version: '3.5.1',
  stack: 'Java, from Maven Central',
  packages: {
    maven: ['io.zipkin:zipkin-server:3.5.1:jar:exec'],
    // A copy of the document that Zipkin publishes; none of Zipkin's own packages contains it.
    go: [{ name: 'idl', module: 'github.com/jaegertracing/jaeger-idl@v0.6.0' }],
  },
  basePath: '/api/v2',
  ready: '/health',
  launch: ({ installed, port }) => ({
    command: [
      'java',
      '-jar',
      join(installed, 'maven/zipkin-server-3.5.1-exec.jar'),
      '--armeria.ports[0].address=127.0.0.1',
      `--armeria.ports[0].port=${port}`,
      '--armeria.ports[0].protocols=http',
    ],
    env: { STORAGE_TYPE: 'mem', AUTOCOMPLETE_KEYS: 'environment' },
  }),
  async fill({ url }) {
    const now = Date.now() * 1000;
    const traces = [1, 2, 3, 4, 5].flatMap((number) => {
      const traceId = `5af7183fb1d4cf5${number}`;
      const span = (id: string, parentId: string | undefined, kind: string, more: object) => ({
        traceId,
        id: `${id}${number}`,
        ...(parentId ? { parentId: `${parentId}${number}` } : {}),
        kind,
        timestamp: now - number * 60_000_000,
        duration: number * 1000,
        ...more,
      });
      const [root, call, query] = ['352bff9a74ca9ad', '6b221d5bc9e6496', 'd0d1bc1a5c3c0e7'];
      return [
        span(root, undefined, 'SERVER', {
          name: 'get /orders',
          localEndpoint: WEB,
          tags: { 'http.method': 'GET', environment: number > 3 ? 'test' : 'production' },
        }),
        span(call, root, 'CLIENT', {
          name: 'list',
          localEndpoint: WEB,
          remoteEndpoint: ORDERS,
          annotations: [{ timestamp: now - number * 60_000_000, value: 'retried' }],
        }),
        span(query, call, 'CLIENT', {
          name: 'select',
          localEndpoint: ORDERS,
          remoteEndpoint: DATABASE,
          tags: number === 2 ? { error: 'timeout' } : {},
        }),
      ];
    });
    await call('POST', `${url}/spans`, traces);
    // Spans are stored after the response.
    await until(20, 'storing the spans', async () => (await read(`${url}/traces?${ALL}`)).length === 5);
  },
  async state({ url }) {
    const list = async (path: string) => [await read(url + path)].flat();
    const traces = await list(`/traces?${ALL}`);
    const links = await list(`/dependencies?endTs=${Date.now()}&lookback=86400000`);
    const services = await list('/services');
    const names = await Promise.all(
      services.map(async (name) =>
        line(`spans of ${name}`, await read(`${url}/spans?serviceName=${encodeURIComponent(name)}`)),
      ),
    );
    return [
      ...traces.flat().map((span) => line('span', span)),
      ...links.map((link) => line('link', link)),
      ...services.map((name) => line('service', name)),
      ...names,
      line('environment', await read(`${url}/autocompleteValues?key=environment`)),
    ];
  },
  document: async ({ installed }) => join(installed, 'go/idl/swagger/zipkin2-api.yaml'),
};
