import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, servedDocument, sessionToken } from '../client.ts';
import type { Service } from '../service.ts';
import { fileLines, line } from '../state.ts';

const SECRET = '4c1fdc9e0a7b';

/** An administrator's session. */
const TOKEN = sessionToken(SECRET, {
  username: 'root',
  name: 'Root',
  admin: true,
  instanceId: createHash('sha256').update(SECRET).digest('hex'),
});
const HEADERS = { Authorization: `Bearer ${TOKEN}` };

const configuration = (port: number, log: string) => ({
  bridge: { name: 'Home', username: '0E:3C:22:18:EC:79', port: 51826, pin: '031-45-154' },
  accessories: [
    { accessory: 'Switch', name: 'Lamp of the hall' },
    { accessory: 'Switch', name: 'Fan of the kitchen' },
  ],
  platforms: [
    { platform: 'config', name: 'Config', host: '127.0.0.1', port, log: { method: 'file', path: log } },
    { platform: 'Lights', name: 'Lights of the garden', rooms: ['terrace', 'shed'] },
  ],
});

export const HOMEBRIDGE: Service = {
  name: 'homebridge',
  version: '5.10.0',
  stack: 'Node.js, from npm',
  packages: { npm: ['homebridge@1.11.4', 'homebridge-config-ui-x@5.10.0'] },
  basePath: '',
  ready: '/swagger-json',
  headers: () => HEADERS,
  options: () => ['--api-key', TOKEN],
  launch({ folder, installed, port }) {
    const storage = join(folder, 'storage');
    for (const name of ['storage', 'storage/persist', 'storage/accessories', 'bin'])
      mkdirSync(join(folder, name));
    const write = (name: string, value: unknown) => writeFileSync(join(storage, name), JSON.stringify(value));
    const log = join(storage, 'homebridge.log');
    writeFileSync(log, 'It has started.\n');
    write('config.json', configuration(port, log));
    write('auth.json', []);
    write('.uix-secrets', { secretKey: SECRET });
    write('persist/AccessoryInfo.0E3C2218EC79.json', {
      displayName: 'Home',
      category: 2,
      pincode: '031-45-154',
      pairedClients: { A6C4: 'public key of a phone' },
    });
    write('persist/IdentifierCache.0E3C2218EC79.json', { cache: { '7|lamp': 2, '7|fan': 3 } });
    write('accessories/cachedAccessories', [
      {
        plugin: 'homebridge-lights',
        platform: 'Lights',
        displayName: 'Terrace',
        UUID: '5af7183f-b1d4-4f5a-9c1e-352bff9a74ca',
        services: [],
      },
      {
        plugin: 'homebridge-lights',
        platform: 'Lights',
        displayName: 'Shed',
        UUID: '6b221d5b-c9e6-496c-8d0d-1bc1a5c3c0e7',
        services: [],
      },
    ]);
    // The service would use this to restart the machine, or to end the first process.
    const sudo = join(folder, 'bin/sudo');
    writeFileSync(sudo, '#!/bin/sh\n');
    chmodSync(sudo, 0o755);
    return {
      command: [
        'node',
        join(installed, 'node_modules/homebridge-config-ui-x/dist/bin/standalone.js'),
        '--user-storage-path',
        storage,
        '--plugin-path',
        join(installed, 'node_modules'),
      ],
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder },
    };
  },
  async fill({ url }) {
    const post = (path: string, body: unknown) => call('POST', `${url}/api/${path}`, body, HEADERS);
    for (const username of ['root', 'ann', 'ben'])
      await post('users', {
        name: username,
        username,
        password: `${username}-secret`,
        admin: username === 'root',
      });
    for (const path of [
      'users',
      'config-editor',
      'config-editor/backups',
      'server/pairings',
      'server/cached-accessories',
    ])
      await call('GET', `${url}/api/${path}`, undefined, HEADERS);
  },
  async state({ folder }) {
    const storage = join(folder, 'storage');
    const json = (name: string) => JSON.parse(readFileSync(join(storage, name), 'utf8'));
    const { accessories, platforms, ...rest } = json('config.json');
    const configFiles = ['config.json', 'auth.json', 'accessories/cachedAccessories'];
    return [
      ...json('auth.json').map((user: unknown) => line('user', user)),
      ...accessories.map((accessory: unknown) => line('accessory', accessory)),
      ...platforms.map((platform: unknown) => line('platform', platform)),
      line('configuration', rest),
      ...json('accessories/cachedAccessories').map((accessory: unknown) =>
        line('cached accessory', accessory),
      ),
      ...fileLines(storage, (path) => !configFiles.includes(path)),
    ];
  },
  document: (place) => servedDocument(place, `${place.url}/swagger-json`),
};
