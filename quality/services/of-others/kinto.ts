import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, read, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { line } from '../state.ts';

const USERS = ['alice', 'bob', 'carol'] as const;
const as = (user: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${user}-secret`).toString('base64')}`,
});
const ADMIN = as('admin');

/** The account admin may read and write all objects. */
const PRINCIPALS = ['account', 'bucket', 'group', 'collection', 'record', 'history'].flatMap((object) => [
  `kinto.${object}_read_principals = account:admin`,
  `kinto.${object}_write_principals = account:admin`,
]);

const CONFIGURATION = `
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = %(http_port)s

[app:main]
use = egg:kinto
kinto.includes = kinto.plugins.default_bucket kinto.plugins.accounts kinto.plugins.history
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = 7421c1e1fa814b7d5eeae8a2abb93fab
kinto.default_bucket_hmac_secret = 3e567eab3206ae420c16d36a8fa7dde2
multiauth.policies = account
multiauth.policy.account.use = kinto.plugins.accounts.AccountsPolicy
kinto.account_create_principals = system.Everyone
kinto.bucket_create_principals = system.Authenticated
${PRINCIPALS.join('\n')}

[loggers]
keys = root
[handlers]
keys = console
[formatters]
keys = generic
[logger_root]
level = INFO
handlers = console
[handler_console]
class = StreamHandler
args = (sys.stderr,)
formatter = generic
[formatter_generic]
format = %(asctime)s %(levelname)s %(message)s
`;

export const KINTO: Service = {
  name: 'kinto',
  version: '26.5.0',
  stack: 'Python, from PyPI',
  packages: { pip: ['kinto==26.5.0'] },
  basePath: '/v1',
  ready: '/v1/__heartbeat__',
  headers: () => ADMIN,
  // The document names no security scheme.
  options: () => ['--header', `Authorization: ${ADMIN.Authorization}`],
  launch({ folder, installed, port }) {
    const file = join(folder, 'kinto.ini');
    writeFileSync(file, CONFIGURATION);
    return { command: [join(installed, 'venv/bin/kinto'), 'start', '--ini', file, '--port', String(port)] };
  },
  async fill({ url }) {
    const put = (path: string, data: object, user?: string, permissions?: object) =>
      call('PUT', url + path, { data, ...(permissions ? { permissions } : {}) }, user ? as(user) : {});
    const post = (path: string, data: object, user: string) => call('POST', url + path, { data }, as(user));
    for (const user of ['admin', ...USERS]) await put(`/accounts/${user}`, { password: `${user}-secret` });
    await put('/buckets/blog', { note: 'everybody reads it' }, 'admin', {
      read: ['system.Everyone'],
      'collection:create': ['account:alice'],
    });
    await put('/buckets/blog/groups/editors', { members: ['account:alice', 'account:bob'] }, 'admin');
    await put('/buckets/blog/collections/articles', { sort: '-date' }, 'admin', {
      write: ['/buckets/blog/groups/editors'],
    });
    for (const day of [1, 2, 3, 4, 5]) {
      const article = { title: `Article ${day}`, date: `2024-01-0${day}` };
      await put(`/buckets/blog/collections/articles/records/article-${day}`, article, 'alice');
    }
    await put('/buckets/blog/collections/comments', {}, 'alice');
    await post('/buckets/blog/collections/comments/records', { text: 'A comment' }, 'alice');
    await put('/buckets/bobs-shop', { currency: 'EUR' }, 'bob');
    await put('/buckets/bobs-shop/collections/orders', {}, 'bob');
    await put('/buckets/bobs-shop/collections/orders/records/order-1', { total: 10 }, 'bob');
    for (const user of ['carol', 'admin'])
      await post('/buckets/default/collections/notes/records', { text: `private to ${user}` }, user);
  },
  async state({ url }) {
    const lines: string[] = [];
    const list = async (path: string) => {
      const body = await read(`${url}${path}?_limit=1000`, ADMIN);
      if (!Array.isArray(body.data)) lines.push(line(path, body));
      return (body.data ?? []) as { id: string }[];
    };
    const objects = async (path: string) => {
      const items = await list(path);
      for (const { id } of items) lines.push(line(`${path}/${id}`, await whole(`${path}/${id}`)));
      return items.map(({ id }) => `${path}/${id}`);
    };
    // Permissions are only shown to the writers that the object itself names.
    const whole = async (path: string) => {
      const answers = await Promise.all(['admin', ...USERS].map((user) => read(url + path, as(user))));
      const permissions = answers
        .map((answer) => answer.permissions)
        .find((one) => one && Object.keys(one).length > 0);
      for (const principals of Object.values(permissions ?? {})) (principals as string[]).sort();
      return { ...answers[0], permissions };
    };
    await objects('/accounts');
    for (const bucket of await objects('/buckets')) {
      await objects(`${bucket}/groups`);
      for (const collection of await objects(`${bucket}/collections`)) await objects(`${collection}/records`);
      for (const entry of await list(`${bucket}/history`)) lines.push(line(`${bucket}/history`, entry));
    }
    return lines;
  },
  document: (place) => servedDocument(place, `${place.url}/__api__`),
};
