import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, read, servedDocument } from '../client.ts';
import type { Service } from '../service.ts';
import { line } from '../state.ts';

/** The program asks a public service for the coordinates of an address; this stand-in has some for each. */
const START = `
const { TodoListApplication } = require('@loopback/example-todo');
(async () => {
  const app = new TodoListApplication({ rest: { host: '127.0.0.1', port: Number(process.env.PORT) } });
  await app.boot();
  app.bind('services.Geocoder').to({ geocode: async () => [{ x: 8, y: 47 }] });
  await app.start();
})();
`;

export const LOOPBACK_TODO: Service = {
  name: 'loopback_todo',
  version: '6.0.0',
  stack: 'Node.js, from npm',
  packages: { npm: ['@loopback/example-todo@6.0.0'] },
  basePath: '',
  ready: '/openapi.json',
  launch: ({ installed, folder, port }) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'start.cjs'), START);
    return {
      command: ['node', join(folder, 'start.cjs')],
      env: { PORT: String(port), NODE_PATH: join(installed, 'node_modules') },
    };
  },
  async fill({ url }) {
    for (const title of ['buy milk', 'call ann', 'mow the lawn', 'read a book'])
      await call('POST', `${url}/todos`, { title, desc: `to ${title}`, isComplete: title === 'call ann' });
    await call('GET', `${url}/todos`);
    await call('GET', `${url}/todos/1`);
    await call('PATCH', `${url}/todos/2`, { isComplete: true });
    await call('PUT', `${url}/todos/3`, { title: 'mow the lawn', isComplete: false });
    await call('DELETE', `${url}/todos/4`);
  },
  async state({ url }) {
    return [await read(`${url}/todos`)].flat().map((todo) => line('todo', todo));
  },
  document: (place) => servedDocument(place, `${place.url}/openapi.json`),
};
