import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../client.ts';
import type { Service } from '../service.ts';
import { fileLines, rowLines } from '../state.ts';

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const ADMIN = basic('admin', 'admin-secret');

export const GOTIFY: Service = {
  name: 'gotify',
  version: '2.5.0',
  stack: 'Go, from the Go module proxy',
  packages: {
    go: [
      {
        name: 'gotify',
        module: 'github.com/gotify/server/v2@v2.5.0',
        main: '.',
        empty: ['index.html', 'manifest.json', 'asset-manifest.json'].map((file) => `ui/build/${file}`),
      },
    ],
  },
  basePath: '',
  ready: '/health',
  headers: () => ADMIN,
  options: ({ folder }) => [
    ...['--credential', `clientTokenHeader=${readFileSync(join(folder, 'client-token'), 'utf8')}`],
    ...['--credential', `appTokenHeader=${readFileSync(join(folder, 'app-token'), 'utf8')}`],
  ],
  launch: ({ installed, port }) => ({
    command: [join(installed, 'gotify')],
    env: {
      GOTIFY_SERVER_LISTENADDR: '127.0.0.1',
      GOTIFY_SERVER_PORT: String(port),
      GOTIFY_DEFAULTUSER_NAME: 'admin',
      GOTIFY_DEFAULTUSER_PASS: 'admin-secret',
      GOTIFY_DATABASE_CONNECTION: 'data/gotify.db',
    },
  }),
  async fill({ url, folder }) {
    const post = (path: string, body: unknown, headers: Record<string, string> = ADMIN) =>
      call('POST', url + path, body, headers);
    for (const name of ['alice', 'bob']) await post('/user', { name, pass: `${name}-secret`, admin: false });
    const alice = basic('alice', 'alice-secret');
    for (const user of [ADMIN, alice]) {
      const client = await post('/client', { name: 'phone' }, user);
      if (user === ADMIN) writeFileSync(join(folder, 'client-token'), client.token);
      for (const name of ['backups', 'doorbell']) {
        const { token } = await post('/application', { name, description: `of ${name}` }, user);
        if (user === ADMIN) writeFileSync(join(folder, 'app-token'), token);
        for (const priority of [1, 5])
          await post(
            '/message',
            { title: name, message: `It is ${priority}`, priority },
            { 'X-Gotify-Key': token },
          );
      }
    }
  },
  async state({ folder }) {
    const rows = rowLines(join(folder, 'data/gotify.db'), (_, { last_used, ...row }) => row);
    return [...rows, ...fileLines(join(folder, 'data/images'))];
  },
  document: async ({ installed }) => join(installed, 'go/gotify/docs/spec.json'),
};
