import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, read, until } from '../client.ts';
import { pipFile } from '../install.ts';
import type { Place, Service } from '../service.ts';
import { fileLines, line } from '../state.ts';

/** The program makes a new key at each start, and writes it with the first save. */
function keyOf({ folder }: Place): string {
  const [key = ''] = globSync('store/*.json', { cwd: folder }).flatMap((file) => {
    const { settings } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return settings?.application?.api_access_token ?? [];
  });
  return key;
}

const headers = (place: Place) => ({ 'x-api-key': keyOf(place) });
const NEVER = { paused: true, time_between_check: { weeks: 50 } };

const writePage = (folder: string, price: number) =>
  writeFileSync(join(folder, 'offers.html'), `<html><body><p>Price ${price}</p></body></html>`);

export const CHANGEDETECTION: Service = {
  name: 'changedetection',
  version: '0.60.10',
  stack: 'Python, from PyPI',
  packages: { pip: ['changedetection.io==0.60.10'] },
  basePath: '/api/v1',
  ready: '/',
  headers,
  options: (place) => ['--api-key', keyOf(place)],
  launch({ folder, installed, port }) {
    mkdirSync(join(folder, 'store'));
    return {
      command: [
        join(installed, 'venv/bin/changedetection.io'),
        ...['-h', '127.0.0.1', '-p', String(port), '-d', join(folder, 'store'), '-C'],
        ...['-P', 'true', '-l', 'INFO'],
      ],
      env: {
        HOME: folder,
        DISABLE_VERSION_CHECK: 'true',
        FETCH_WORKERS: '1',
        ALLOW_FILE_URI: 'true',
        ALLOW_IANA_RESTRICTED_ADDRESSES: 'true',
        DEFAULT_FETCH_BACKEND: 'html_requests',
      },
    };
  },
  async fill(place) {
    const { url, folder } = place;
    await until(60, 'writing the key', async () => keyOf(place) !== '');
    const send = (method: string, path: string, body?: unknown) =>
      call(method, url + path, body, headers(place));
    // The two watches that the program comes with point at public sites.
    for (const id of Object.keys(await send('GET', '/watch'))) await send('DELETE', `/watch/${id}`);
    const shops = await send('POST', '/tag', { title: 'shops' });
    await send('POST', '/tag', { title: 'news', notification_urls: ['json://127.0.0.1:9/hook'] });
    await send('POST', '/watch', { ...NEVER, url: 'http://127.0.0.1:9/offers', tags: [shops.uuid] });
    await send('POST', '/watch', { ...NEVER, url: 'http://127.0.0.1:9/news', title: 'news' });
    const file = join(folder, 'offers.html');
    const watch = await send('POST', '/watch', { ...NEVER, url: `file://${file}`, title: 'from a file' });
    // Two snapshots, so that there is a history and a difference.
    for (const snapshots of [1, 2]) {
      writePage(folder, snapshots * 10);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await send('GET', `/watch/${watch.uuid}?recheck=1`);
      await until(30, 'a snapshot', async () => {
        return Object.keys(await send('GET', `/watch/${watch.uuid}/history`)).length >= snapshots;
      });
    }
    // Last, since each change that is found is notified, some time later, and the failure is noted in the watch.
    await send('POST', '/notifications', { notification_urls: ['json://127.0.0.1:9/all'] });
  },
  async state(place) {
    const get = (path: string) => read(place.url + path, headers(place));
    const watches = Object.keys(await get('/watch'));
    const whole = watches.map(async (id) =>
      line('watch', [await get(`/watch/${id}`), await get(`/watch/${id}/history`)]),
    );
    const tags = Object.values(await get('/tags')).map((tag) => line('tag', tag));
    // The store is one file of everything, and is written a little later; the snapshots are what is beside it.
    const snapshots = fileLines(join(place.folder, 'store'), (path) => /\.(?:txt|br)$/.test(path));
    return [
      ...(await Promise.all(whole)),
      ...tags,
      line('notifications', await get('/notifications')),
      ...snapshots,
    ];
  },
  document: async ({ installed }) => pipFile(installed, 'changedetectionio/docs/api-spec.yaml'),
};
