import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, read } from '../client.ts';
import type { Service } from '../service.ts';
import { fileLines, line } from '../state.ts';

const HEADERS = { Authorization: 'token ann-secret' };

/** Changes when a kernel is idle for a while, or gets a heartbeat. */
const PASSING = ['last_activity', 'execution_state', 'connections'];

export const JUPYTER: Service = {
  name: 'jupyter',
  version: '2.21.1',
  stack: 'Python, from PyPI',
  packages: { pip: ['jupyter_server==2.21.1', 'ipykernel==7.4.0'] },
  basePath: '',
  ready: '/api',
  headers: () => HEADERS,
  // The document names no security scheme.
  options: () => ['--header', `Authorization: ${HEADERS.Authorization}`],
  launch({ folder, installed, port }) {
    mkdirSync(join(folder, 'files'));
    return {
      command: [
        join(installed, 'venv/bin/jupyter-server'),
        '--no-browser',
        '--allow-root',
        '--ip=127.0.0.1',
        `--port=${port}`,
        `--ServerApp.root_dir=${join(folder, 'files')}`,
        '--IdentityProvider.token=ann-secret',
        '--FileContentsManager.delete_to_trash=False',
      ],
      env: {
        HOME: folder,
        JUPYTER_CONFIG_DIR: join(folder, 'config'),
        JUPYTER_DATA_DIR: join(folder, 'share'),
        JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
      },
    };
  },
  async fill({ url }) {
    const send = (method: string, path: string, body?: unknown) =>
      call(method, `${url}/api/${path}`, body, HEADERS);
    const file = (path: string, format: string, content: string) =>
      send('PUT', `contents/${path}`, { type: 'file', format, content });
    await send('PUT', 'contents/reports', { type: 'directory' });
    await send('PUT', 'contents/reports/2024', { type: 'directory' });
    await file('reports/2024/january.txt', 'text', 'Sales: 12\n');
    await file('reports/logo.bin', 'base64', 'AAECAwQ=');
    await file('notes.md', 'text', '# Notes\n');
    await send('PUT', 'contents/analysis.ipynb', {
      type: 'notebook',
      format: 'json',
      content: {
        cells: [{ cell_type: 'markdown', id: 'a1', metadata: {}, source: 'An analysis' }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      },
    });
    await send('POST', 'contents/reports', { copy_from: 'notes.md' });
    await send('POST', 'contents/notes.md/checkpoints');
    await file('draft.md', 'text', 'A draft');
    await send('PATCH', 'contents/draft.md', { path: 'reports/final.md' });
    await send('POST', 'kernels', { name: 'python3' });
    await send('POST', 'sessions', {
      path: 'analysis.ipynb',
      name: 'analysis',
      type: 'notebook',
      kernel: { name: 'python3' },
    });
    await send('POST', 'terminals');
    await send('PATCH', 'config/editor', { theme: 'dark' });
  },
  async state({ url, folder }) {
    const list = async (path: string) => [await read(`${url}/api/${path}`, HEADERS)].flat();
    const plain = (record: object) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !PASSING.includes(name)));
    return [
      ...fileLines(join(folder, 'files')),
      ...fileLines(join(folder, 'config')),
      ...(await list('kernels')).map((kernel) => line('kernel', plain(kernel))),
      ...(await list('sessions')).map(({ kernel, ...session }) =>
        line('session', { ...session, kernel: plain(kernel ?? {}) }),
      ),
      ...(await list('terminals')).map((terminal) => line('terminal', plain(terminal))),
    ];
  },
  async document({ installed }) {
    const [path = ''] = globSync('venv/lib/*/site-packages/jupyter_server/services/api/api.yaml', {
      cwd: installed,
    });
    return join(installed, path);
  },
};
