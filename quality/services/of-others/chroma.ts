import { join } from 'node:path';
import { call, read, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { line, rowLines } from '../state.ts';

const ALL = ['documents', 'embeddings', 'metadatas', 'uris'];

/** Tables without a list operation. */
const TABLES = ['tenants', 'databases'];

export const CHROMA: Service = {
  name: 'chroma',
  version: '1.5.9',
  stack: 'Rust, from PyPI',
  packages: { pip: ['chromadb==1.5.9'] },
  basePath: '',
  ready: '/api/v2/heartbeat',
  launch: ({ folder, installed, port }) => ({
    command: [
      join(installed, 'venv/bin/chroma'),
      'run',
      '--path',
      join(folder, 'data'),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
    ],
  }),
  async fill({ url }) {
    const post = (path: string, body: unknown) => call('POST', `${url}/api/v2/tenants${path}`, body);
    const collection = async (at: string, name: string, more: object = {}) =>
      `${at}/collections/${(await post(`${at}/collections`, { name, ...more })).id}`;
    await post('', { name: 'acme' });
    await post('', { name: 'umbrella' });
    await post('/acme/databases', { name: 'shop' });
    await post('/acme/databases', { name: 'archive' });
    await post('/umbrella/databases', { name: 'research' });
    const articles = await collection('/acme/databases/shop', 'articles', {
      metadata: { team: 'a', size: 3 },
      configuration: { hnsw: { space: 'cosine' } },
    });
    await post(`${articles}/add`, {
      ids: ['mug', 'lamp', 'chair'],
      embeddings: [
        [1, 0, 0.5],
        [0, 1, 0.25],
        [0.5, 0.5, 1],
      ],
      documents: ['a mug', 'a lamp', null],
      metadatas: [{ price: 4 }, { price: 25.5, color: 'red' }, null],
    });
    await post(`${articles}/update`, { ids: ['mug'], documents: ['a blue mug'] });
    await post(`${articles}/query`, { query_embeddings: [[1, 0, 0]], n_results: 2 });
    const pages = await collection('/default_tenant/databases/default_database', 'pages');
    await post(`${pages}/upsert`, { ids: ['home'], embeddings: [[0.1, 0.2]], uris: ['file:///home'] });
    await collection('/umbrella/databases/research', 'empty-one');
  },
  async state({ url, folder }) {
    const rows = rowLines(join(folder, 'data/chroma.sqlite3')).filter((row) =>
      TABLES.some((table) => row.startsWith(`${table} `)),
    );
    const lines = ['acme', 'umbrella', 'default_tenant'].map(async (tenant) => {
      const at = `${url}/api/v2/tenants/${tenant}/databases`;
      const databases = [await read(at)].flat();
      return Promise.all(databases.map(({ name }) => collectionLines(`${at}/${encodeURIComponent(name)}`)));
    });
    return [...rows, ...(await Promise.all(lines)).flat(2)];
  },
  document: (place) => servedDocument(place, `${place.url}/openapi.json`),
};

/** The collections of a database, and their records. */
async function collectionLines(database: string): Promise<string[]> {
  const collections = [await read(`${database}/collections`)].flat();
  const lines = collections.map(async (collection) => {
    const { ids = [], ...members } = await call('POST', `${database}/collections/${collection.id}/get`, {
      include: ALL,
    });
    const records = (ids as string[]).map((id, index) =>
      line(
        `record ${collection.id} ${id}`,
        ALL.map((name) => members[name]?.[index]),
      ),
    );
    return [line('collection', collection), ...records];
  });
  return (await Promise.all(lines)).flat();
}
