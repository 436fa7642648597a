import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { rowLines } from '../state.ts';

const TOKEN = '0123456789abcdef0123456789abcdef01234567';
const HEADERS = { Authorization: `Token ${TOKEN}` };

const LABELS = `<View>
  <Text name="text" value="$text"/>
  <Choices name="mood" toName="text"><Choice value="good"/><Choice value="bad"/></Choices>
</View>`;

export const LABEL_STUDIO: Service = {
  name: 'label_studio',
  version: '1.23.2',
  stack: 'Python, from PyPI',
  packages: { pip: ['label-studio==1.23.2'] },
  basePath: '',
  ready: '/health',
  headers: () => HEADERS,
  options: () => ['--api-key', HEADERS.Authorization],
  launch({ folder, installed, port }) {
    const home = join(folder, 'home');
    mkdirSync(home);
    return {
      command: [
        join(installed, 'venv/bin/label-studio'),
        'start',
        '--no-browser',
        '--internal-host',
        '127.0.0.1',
        '--port',
        String(port),
        '--username',
        'ann@example.com',
        '--password',
        'ann-secret-1',
        '--user-token',
        TOKEN,
        '--enable-legacy-api-token',
      ],
      env: {
        HOME: home,
        LABEL_STUDIO_BASE_DATA_DIR: join(home, 'data'),
        COLLECT_ANALYTICS: 'false',
        SENTRY_DSN: '',
        FRONTEND_SENTRY_DSN: '',
      },
    };
  },
  async fill({ url }) {
    const post = (path: string, body: unknown) => call('POST', `${url}/api/${path}`, body, HEADERS);
    const { id: project } = await post('projects/', {
      title: 'Reviews',
      description: 'of customers',
      label_config: LABELS,
    });
    await post('projects/', { title: 'Pictures' });
    const result = [{ from_name: 'mood', to_name: 'text', type: 'choices', value: { choices: ['good'] } }];
    for (const text of ['It works.', 'It does not.', 'So so.']) {
      const { id: task } = await post('tasks/', { project, data: { text } });
      if (text !== 'So so.') await post(`tasks/${task}/annotations/`, { result, lead_time: 4.5 });
      await post('predictions/', { task, result, score: 0.8, model_version: 'one' });
    }
    await post('dm/views/', { project, data: { title: 'mine' } });
    await post('labels/', [{ project, value: ['good'], title: 'Good', from_name: 'mood' }]);
    await post('users/', { email: 'ben@example.com', username: 'ben', first_name: 'Ben' });
    for (const list of [
      'projects/',
      `tasks/?project=${project}`,
      'predictions/',
      'dm/views/',
      'labels/',
      'users/',
      'webhooks/',
    ])
      await call('GET', `${url}/api/${list}`, undefined, HEADERS);
  },
  async state({ folder }) {
    // The service stores the time of each request of a user.
    return rowLines(
      join(folder, 'home/data/label_studio.sqlite3'),
      (_, { activity_at, last_activity, ...row }) => row,
    );
  },
  document: (place) => servedDocument(place, `${place.url}/docs/api/schema/json/`),
};
