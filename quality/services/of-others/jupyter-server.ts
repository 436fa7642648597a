import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { call, read } from '../client.ts';
import { pipFile } from '../install.ts';
import type { Service } from '../service.ts';
import { fileLines, line } from '../state.ts';

const TOKEN = { Authorization: 'token jupyter-secret' };

const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [
    { id: 'c1', cell_type: 'code', metadata: {}, source: 'print(1)', outputs: [], execution_count: null },
  ],
};

export const JUPYTER_SERVER: Service = {
  name: 'jupyter_server',
  version: '2.21.1',
  stack: 'Python, from PyPI',
  packages: { pip: ['jupyter_server==2.21.1', 'ipykernel==7.3.0', 'jupyter_server_terminals==0.5.4'] },
  basePath: '',
  ready: '/api',
  headers: () => TOKEN,
  // The document names no security scheme.
  options: () => ['--header', `Authorization: ${TOKEN.Authorization}`],
  launch({ folder, installed, port }) {
    const bin = join(installed, 'venv/bin');
    const root = join(folder, 'root');
    for (const name of ['home', 'config', 'data', 'runtime', 'root/reports/2024'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(root, 'README.md'), '# Read me\n');
    writeFileSync(join(root, 'reports/2024/table.csv'), 'a,b\n');
    return {
      command: [
        join(bin, 'jupyter-server'),
        ...['--allow-root', '--no-browser', '--ip=127.0.0.1', `--port=${port}`],
        '--ServerApp.port_retries=0',
        `--ServerApp.root_dir=${root}`,
        '--IdentityProvider.token=jupyter-secret',
        '--FileContentsManager.delete_to_trash=False',
      ],
      env: {
        HOME: join(folder, 'home'),
        JUPYTER_CONFIG_DIR: join(folder, 'config'),
        JUPYTER_DATA_DIR: join(folder, 'data'),
        JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
        IPYTHONDIR: join(folder, 'home/ipython'),
        SHELL: '/bin/sh',
        PATH: bin + delimiter + process.env.PATH,
      },
    };
  },
  async fill({ url }) {
    const send = (method: string, path: string, body?: unknown) =>
      call(method, `${url}/api${path}`, body, TOKEN);
    await send('PUT', '/contents/analysis.ipynb', { type: 'notebook', format: 'json', content: NOTEBOOK });
    await send('PUT', '/contents/reports/plan.txt', { type: 'file', format: 'text', content: 'the plan' });
    await send('POST', '/contents/analysis.ipynb/checkpoints');
    await send('POST', '/contents/reports/plan.txt/checkpoints');
    const kernel = { name: 'python3' };
    await send('POST', '/sessions', { path: 'analysis.ipynb', name: 'analysis', type: 'notebook', kernel });
    await send('POST', '/kernels', kernel);
    await send('POST', '/terminals');
    await send('PATCH', '/config/notebook', { Cell: { lineNumbers: true }, theme: 'dark' });
    // Until the kernels have written their files.
    await new Promise((resolve) => setTimeout(resolve, 2000));
  },
  async state({ url, folder }) {
    const processes = await Promise.all(
      ['kernels', 'sessions', 'terminals'].map(async (kind) => {
        const found = [await read(`${url}/api/${kind}`, TOKEN)].flat();
        return found.map((one) => line(kind, still(one)));
      }),
    );
    const files = ['root', 'config'].flatMap((name) => fileLines(join(folder, name)));
    return [...processes.flat(), ...files];
  },
  document: async ({ installed }) => pipFile(installed, 'jupyter_server/services/api/api.yaml'),
};

const PASSING = ['last_activity', 'execution_state', 'connections'];

/** Without what changes by itself. */
function still(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !PASSING.includes(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, still(one)]));
}
