import { join } from 'node:path';
import { call, read, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { fileLines, line } from '../state.ts';

/** The service itself, since a proxy of Paddock answers `/__admin` with its own control API. */
const originOf = (port: number) => `http://127.0.0.1:${port}`;

export const WIREMOCK: Service = {
  name: 'wiremock',
  version: '3.9.1',
  stack: 'Java, from Maven Central',
  packages: { maven: ['org.wiremock:wiremock-standalone:3.9.1'] },
  basePath: '',
  ready: '/__admin/health',
  launch: ({ folder, installed, port }) => ({
    command: [
      'java',
      '-jar',
      join(installed, 'maven/wiremock-standalone-3.9.1.jar'),
      '--bind-address',
      '127.0.0.1',
      '--port',
      String(port),
      '--root-dir',
      join(folder, 'stubs'),
      // It forwards requests where a stub or a recording says so, and must not reach any host.
      '--deny-proxy-targets',
      '0.0.0.0-255.255.255.255',
      '--disable-banner',
    ],
  }),
  async fill({ port }) {
    const origin = originOf(port);
    const stub = (request: object, response: object, more: object = {}) =>
      call('POST', `${origin}/__admin/mappings`, { request, response, ...more });
    await stub(
      { method: 'GET', urlPath: '/orders' },
      { status: 200, jsonBody: [{ id: 1, total: 10 }] },
      { name: 'list of orders', persistent: true, metadata: { owner: 'ann' } },
    );
    await stub(
      { method: 'POST', urlPath: '/orders', bodyPatterns: [{ matchesJsonPath: '$.total' }] },
      { status: 201, headers: { Location: '/orders/2' } },
      { name: 'order', priority: 3 },
    );
    await stub({ method: 'GET', urlPathPattern: '/users/[a-z]+' }, { status: 200, bodyFileName: 'ann.json' });
    const door = { scenarioName: 'door' };
    await stub(
      { method: 'POST', urlPath: '/open' },
      { status: 204 },
      { ...door, requiredScenarioState: 'Started', newScenarioState: 'open' },
    );
    await stub(
      { method: 'GET', urlPath: '/door' },
      { status: 200, body: 'It is open.' },
      { ...door, requiredScenarioState: 'open' },
    );
    for (const name of ['ann.json', 'ben.json'])
      await call('PUT', `${origin}/__admin/files/${name}`, `{"file":"${name}"}`, {
        'Content-Type': 'application/octet-stream',
      });
    for (const path of ['/orders', '/users/ann']) await call('GET', origin + path);
    await call('POST', `${origin}/orders`, { total: 12 });
    await call('POST', `${origin}/open`);
    await read(`${origin}/unmatched`);
  },
  async state({ port, folder }) {
    const kept = (path: string) => read(`${originOf(port)}/__admin/${path}`);
    const { mappings = [] } = await kept('mappings');
    const { requests = [] } = await kept('requests');
    const { scenarios = [] } = await kept('scenarios');
    return [
      ...mappings.map((mapping: unknown) => line('mapping', mapping)),
      ...requests.map((request: unknown) => line('request', request)),
      ...scenarios.map((scenario: unknown) => line('scenario', scenario)),
      line('recording', await kept('recordings/status')),
      ...fileLines(join(folder, 'stubs')),
    ];
  },
  document: (place) => servedDocument(place, `${originOf(place.port)}/__admin/docs/swagger`),
};
