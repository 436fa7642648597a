import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, read, servedDocument, sessionToken } from '../client.ts';
import type { Service } from '../service.ts';
import { line } from '../state.ts';

const SECRET = '7ac1d0f6b3e9';

const TOKEN = sessionToken(SECRET, { id: 'root' });
const HEADERS = { Authorization: `Bearer ${TOKEN}` };

/** By default it listens on all addresses. */
const START = `
const { Server } = require('node:net');
const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, typeof port === 'object' ? { ...port, host: '127.0.0.1' } : { port, host: '127.0.0.1' }, ...rest);
};
require('signalk-server/bin/signalk-server');
`;

const TYPES = ['routes', 'waypoints', 'regions', 'notes', 'charts'];

export const SIGNALK: Service = {
  name: 'signalk',
  version: '2.32.0',
  stack: 'Node.js, from npm',
  packages: {
    npm: ['--omit=optional', 'signalk-server@2.32.0'],
    npmOverrides: { '@signalk/streams': '6.0.0' },
  },
  basePath: '/signalk/v2/api',
  ready: '/signalk/v2/api/resources',
  headers: () => HEADERS,
  options: () => ['--api-key', TOKEN],
  launch({ folder, installed, port }) {
    const home = join(folder, 'home');
    mkdirSync(home);
    // It searches this folder for resource providers.
    symlinkSync(join(installed, 'node_modules'), join(home, 'node_modules'));
    const write = (name: string, value: unknown) => writeFileSync(join(home, name), JSON.stringify(value));
    write('settings.json', {
      interfaces: {},
      mdns: false,
      pipedProviders: [],
      security: { strategy: './tokensecurity' },
    });
    write('security.json', {
      allow_readonly: false,
      secretKey: SECRET,
      users: [{ username: 'root', type: 'admin', password: 'none' }],
    });
    writeFileSync(join(folder, 'start.cjs'), START);
    return {
      command: ['node', join(folder, 'start.cjs'), '-c', home],
      env: {
        PORT: String(port),
        NODE_PATH: join(installed, 'node_modules'),
        HOME: home,
        SIGNALK_DISABLE_SERVER_UPDATES: 'true',
        SKIP_ADMINUI_VERSION_CHECK: 'true',
      },
    };
  },
  async fill({ url }) {
    const post = (type: string, body: unknown) => call('POST', `${url}/resources/${type}`, body, HEADERS);
    const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
    for (const [index, name] of ['pier', 'buoy', 'wreck'].entries())
      await post('waypoints', {
        name,
        feature: { type: 'Feature', geometry: point(8 + index, 47), properties: {} },
      });
    await post('routes', {
      name: 'round the island',
      feature: {
        type: 'Feature',
        geometry: {
          type: 'LineString',
          coordinates: [
            [8, 47],
            [8.1, 47.1],
            [8.2, 47],
          ],
        },
        properties: {},
      },
    });
    await post('regions', {
      name: 'no anchoring',
      feature: {
        type: 'Feature',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [8, 47],
              [8.1, 47],
              [8.1, 47.1],
              [8, 47],
            ],
          ],
        },
        properties: {},
      },
    });
    for (const title of ['good holding', 'closed in winter'])
      await post('notes', {
        title,
        description: `It is ${title}.`,
        position: { latitude: 47, longitude: 8 },
      });
    for (const type of TYPES) await call('GET', `${url}/resources/${type}`, undefined, HEADERS);
  },
  async state({ url }) {
    const lines = TYPES.map(async (type) =>
      Object.entries(await read(`${url}/resources/${type}`, HEADERS)).map(([id, record]) =>
        line(`${type} ${id}`, record),
      ),
    );
    return (await Promise.all(lines)).flat();
  },
  document: (place) => servedDocument(place, new URL('/skServer/openapi/resources', place.url).href, HEADERS),
};
