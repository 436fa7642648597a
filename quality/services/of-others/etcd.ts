import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort } from '../../testing/free-port.ts';
import { call } from '../client.ts';
import type { Service } from '../service.ts';
import { line } from '../state.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The range of all keys. */
const ALL = { key: 'AA==', range_end: 'AA==' };

export const ETCD: Service = {
  name: 'etcd',
  version: '3.4.23',
  stack: 'Go, from Debian',
  packages: { debian: ['etcd-server=3.4.23-4+b4'] },
  basePath: '',
  ready: '/health',
  async launch({ folder, installed, port }) {
    const clients = `http://127.0.0.1:${port}`;
    const peers = `http://127.0.0.1:${await freePort()}`;
    return {
      command: [
        join(installed, 'debian/usr/bin/etcd'),
        '--data-dir',
        join(folder, 'data'),
        '--listen-client-urls',
        clients,
        '--advertise-client-urls',
        clients,
        '--listen-peer-urls',
        peers,
        '--initial-advertise-peer-urls',
        peers,
        '--initial-cluster',
        `default=${peers}`,
      ],
    };
  },
  async fill({ url }) {
    const post = (path: string, body: object) => call('POST', `${url}/v3/${path}`, body);
    await post('lease/grant', { TTL: '86400', ID: '7587821338341474' });
    for (const name of ['host', 'port', 'user'])
      await post('kv/put', { key: base64(`database/${name}`), value: base64(`the ${name}`) });
    await post('kv/put', { key: base64('lock'), value: base64('ann'), lease: '7587821338341474' });
    await post('auth/role/add', { name: 'reader' });
    await post('auth/role/grant', {
      name: 'reader',
      perm: { permType: 'READ', key: base64('database/'), range_end: base64('database0') },
    });
    for (const name of ['ann', 'ben']) await post('auth/user/add', { name, password: `${name}-secret` });
    await post('auth/user/grant', { user: 'ann', role: 'reader' });
  },
  async state({ url }) {
    const post = (path: string, body: object = {}) => call('POST', `${url}/v3/${path}`, body);
    const list = async (path: string, member: string, body?: object) =>
      ((await post(path, body))[member] ?? []) as unknown[];
    const users = await list('auth/user/list', 'users');
    const roles = await list('auth/role/list', 'roles');
    return [
      ...(await list('kv/range', 'kvs', ALL)).map((pair) => line('pair', pair)),
      ...(await list('lease/leases', 'leases')).map((lease) => line('lease', lease)),
      ...(await list('cluster/member/list', 'members')).map((member) => line('member', member)),
      ...(await Promise.all(
        users.map(async (name) => line(`user ${name}`, (await post('auth/user/get', { name })).roles)),
      )),
      ...(await Promise.all(
        roles.map(async (role) => line(`role ${role}`, (await post('auth/role/get', { role })).perm)),
      )),
    ];
  },
  async document({ folder, installed }) {
    const file = join(folder, 'document.json');
    const path = 'debian/usr/share/doc/etcd-server/dev-guide/apispec/swagger/rpc.swagger.json.gz';
    writeFileSync(file, gunzipSync(readFileSync(join(installed, path))));
    return file;
  },
};
