import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { fileLines, rowLines } from '../state.ts';

export const PREFECT: Service = {
  name: 'prefect',
  version: '3.8.8',
  stack: 'Python, from PyPI',
  // Prefect allows newer versions of fastapi, but fails with them.
  packages: { pip: ['prefect==3.8.8', 'fastapi==0.139.0'] },
  basePath: '/api',
  ready: '/api/health',
  launch({ folder, installed, port }) {
    const home = join(folder, 'home');
    mkdirSync(home);
    return {
      // Without its background services nothing is scheduled, expires or is removed automatically.
      command: [
        join(installed, 'venv/bin/prefect'),
        'server',
        'start',
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--no-services',
      ],
      env: {
        PREFECT_HOME: home,
        HOME: folder,
        PREFECT_SERVER_ANALYTICS_ENABLED: 'false',
        DO_NOT_TRACK: '1',
      },
    };
  },
  async fill({ url }) {
    const post = (path: string, body: unknown) => call('POST', url + path, body);
    const flow = await post('/flows/', { name: 'nightly-import', tags: ['team-a'] });
    const report = await post('/flows/', { name: 'weekly-report', tags: ['team-b'] });
    await post('/work_pools/', { name: 'servers', type: 'process', description: 'our machines' });
    await post('/work_pools/servers/queues', { name: 'urgent', priority: 1 });
    const deployment = await post('/deployments/', {
      name: 'production',
      flow_id: flow.id,
      work_pool_name: 'servers',
      parameters: { table: 'orders' },
      schedules: [{ active: false, schedule: { interval: 86_400 } }],
      tags: ['prod'],
      paused: true,
    });
    await post('/deployments/', { name: 'staging', flow_id: report.id });
    await post(`/deployments/${deployment.id}/create_flow_run`, {
      name: 'by hand',
      state: { type: 'PENDING' },
    });
    const completed = { type: 'COMPLETED' };
    for (const day of [1, 2, 3]) {
      const run = await post('/flow_runs/', {
        name: `run-${day}`,
        flow_id: flow.id,
        parameters: { day },
        state: completed,
      });
      await post('/task_runs/', {
        flow_run_id: run.id,
        task_key: 'load',
        dynamic_key: String(day),
        name: `load-${day}`,
        state: completed,
      });
      await post('/artifacts/', {
        key: `summary-${day}`,
        type: 'markdown',
        data: '# Summary',
        flow_run_id: run.id,
      });
    }
    await post('/variables/', { name: 'region', value: 'eu', tags: ['prod'] });
    await post('/variables/', { name: 'limits', value: { rows: 100 } });
    await post('/concurrency_limits/', { tag: 'database', concurrency_limit: 3 });
    await post('/v2/concurrency_limits/', { name: 'api-calls', limit: 5, active: true });
    await post('/automations/', {
      name: 'tell ann',
      enabled: false,
      trigger: {
        type: 'event',
        expect: ['prefect.flow-run.Failed'],
        posture: 'Reactive',
        threshold: 1,
        within: 0,
      },
      actions: [{ type: 'do-nothing' }],
    });
    const secret = await call('GET', `${url}/block_types/slug/secret`);
    const [schema] = await post('/block_schemas/filter', {
      block_schemas: { block_type_id: { any_: [secret.id] } },
    });
    await post('/block_documents/', {
      name: 'db-password',
      data: { value: 'hunter2' },
      block_type_id: secret.id,
      block_schema_id: schema.id,
    });
  },
  async state({ folder }) {
    const home = join(folder, 'home');
    const rows = rowLines(join(home, 'prefect.db'), (table, { last_polled, ...row }) =>
      table === 'work_queue' ? row : { ...row, ...(last_polled === undefined ? {} : { last_polled }) },
    );
    return [...rows, ...fileLines(home, (path) => !path.startsWith('prefect.db'))];
  },
  document: (place) => servedDocument(place, new URL('/openapi.json', place.url).href),
};
