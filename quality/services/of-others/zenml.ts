import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { rowLines } from '../state.ts';

/** Rows that each write stores temporarily, to make it repeatable. */
const PASSING = ['api_transaction', 'api_transaction_result'];

export const ZENML: Service = {
  name: 'zenml',
  version: '0.98.0',
  stack: 'Python, from PyPI',
  packages: { pip: ['zenml[server]==0.98.0'] },
  basePath: '',
  ready: '/health',
  launch({ folder, installed, port }) {
    const home = join(folder, 'home');
    mkdirSync(home);
    return {
      command: [
        join(installed, 'venv/bin/uvicorn'),
        'zenml.zen_server.zen_server_api:app',
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
      ],
      env: {
        HOME: home,
        ZENML_CONFIG_PATH: join(home, 'config'),
        ZENML_ANALYTICS_OPT_IN: 'false',
        ZENML_SERVER: '1',
        ZENML_SERVER_AUTO_ACTIVATE: '1',
        ZENML_SERVER_DEPLOYMENT_TYPE: 'local',
        ZENML_SERVER_AUTH_SCHEME: 'NO_AUTH',
        ZENML_STORE_TYPE: 'sql',
        ZENML_STORE_URL: `sqlite:///${join(home, 'zenml.db')}`,
      },
    };
  },
  async fill({ url }) {
    const post = (path: string, body: unknown) => call('POST', `${url}/api/v1/${path}`, body);
    const { id: project } = await post('projects', { name: 'research', description: 'of the team' });
    const source = { module: 'team.sources', type: 'user', attribute: 'Source' };
    await post('tags', { name: 'golden', color: 'blue' });
    const { id: model } = await post('models', { project, name: 'churn', tags: ['golden'] });
    await post('models', { project, name: 'demand', description: 'what is bought' });
    await post('model_versions', { project, model, name: 'first', description: 'by ann' });
    const { id: artifact } = await post('artifacts', { project, name: 'orders', has_custom_name: true });
    await post('artifact_versions', {
      project,
      artifact_id: artifact,
      version: '1',
      type: 'DataArtifact',
      uri: 'file:///data/orders',
      materializer: source,
      data_type: source,
      save_type: 'manual',
    });
    await post('pipelines', { project, name: 'nightly', description: 'each night' });
    await post('secrets', { name: 'database', values: { password: 'hunter2' } });
    await post('service_accounts', { name: 'robot', active: true, description: 'for the builds' });
    await post('users', { name: 'ann', is_admin: false, active: true, password: 'ann-secret-1' });
    await post('code_repositories', { project, name: 'main', config: { owner: 'ann' }, source });
    for (const list of ['projects', 'models', 'artifacts', 'pipelines', 'secrets', 'users', 'stacks', 'tags'])
      await call('GET', `${url}/api/v1/${list}`);
  },
  async state({ folder }) {
    const rows = rowLines(join(folder, 'home/zenml.db'), (table, { last_user_activity, updated, ...row }) =>
      table === 'server_settings' || updated === undefined ? row : { ...row, updated },
    );
    return rows.filter((row) => !PASSING.some((table) => row.startsWith(`${table} `)));
  },
  document: (place) => servedDocument(place, `${place.url}/openapi.json`),
};
