import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, read } from '../client.ts';
import { must } from '../processes.ts';
import type { Service } from '../service.ts';
import { fileLines, line } from '../state.ts';

const DOCUMENT = 'swagger/wiremock-admin-api.json';
const id = (digit: number) => '11111111-1111-4111-8111-111111111111'.replaceAll('1', String(digit));

export const WIREMOCK: Service = {
  name: 'wiremock',
  version: '3.13.1',
  stack: 'Java, from Maven Central',
  packages: { maven: ['org.wiremock:wiremock-standalone:3.13.1'] },
  basePath: '',
  ready: '/__admin/health',
  unproxied: 'its paths lie below /__admin, where the proxy itself responds',
  launch({ folder, installed, port }) {
    const root = join(folder, 'root');
    mkdirSync(join(root, 'mappings'), { recursive: true });
    mkdirSync(join(root, '__files/texts'), { recursive: true });
    writeFileSync(join(root, '__files/hello.json'), '{"hello":"from a file"}\n');
    writeFileSync(join(root, '__files/texts/a.txt'), 'some text\n');
    writeFileSync(
      join(root, 'mappings/from-file.json'),
      JSON.stringify({
        id: id(1),
        name: 'from a file',
        request: { method: 'GET', urlPath: '/file' },
        response: { status: 200, bodyFileName: 'hello.json' },
        metadata: { owner: 'team-a' },
      }),
    );
    const jar = join(installed, 'wiremock-standalone-3.13.1.jar');
    const options = ['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', root];
    return { command: ['java', '-Xmx256m', '-jar', jar, ...options, '--disable-banner'] };
  },
  async fill({ url }) {
    const admin = `${url}/__admin`;
    const stub = (digit: number, name: string, method: string, path: string, more: object) =>
      call('POST', `${admin}/mappings`, { id: id(digit), name, request: { method, url: path }, ...more });
    await stub(2, 'users', 'GET', '/users/1', {
      persistent: true,
      priority: 3,
      response: { status: 200, jsonBody: { name: 'Ann' }, headers: { 'Content-Type': 'application/json' } },
      metadata: { owner: 'team-a' },
    });
    await stub(3, 'create user', 'POST', '/users', {
      response: { status: 201 },
      metadata: { owner: 'team-b' },
    });
    await stub(4, 'slow', 'GET', '/slow', {
      response: { status: 200, body: 'late', fixedDelayMilliseconds: 50 },
    });
    const todo = { scenarioName: 'todo', requiredScenarioState: 'Started' };
    await stub(5, 'todo empty', 'GET', '/todo', { ...todo, response: { status: 200, body: '[]' } });
    await stub(6, 'todo add', 'POST', '/todo', {
      ...todo,
      newScenarioState: 'One item',
      response: { status: 201 },
    });
    for (const path of ['/users/1', '/file', '/slow', '/todo']) await call('GET', url + path);
    for (const path of ['/users', '/todo']) await call('POST', url + path, { item: 1 });
    await read(`${url}/not-there`);
    await call('POST', `${admin}/settings`, { fixedDelay: 3 });
  },
  async state({ url, folder }) {
    const admin = `${url}/__admin`;
    const listed = async (path: string, member: string) => {
      const body = await read(`${admin}/${path}`);
      return ((body[member] ?? [body]) as object[]).map((one) => line(path, one));
    };
    return [
      ...(await listed('mappings', 'mappings')),
      ...(await listed('requests', 'requests')),
      ...(await listed('scenarios', 'scenarios')),
      line('settings', await read(`${admin}/settings`)),
      line('recordings', await read(`${admin}/recordings/status`)),
      ...fileLines(join(folder, 'root')),
    ];
  },
  async document({ folder, installed }) {
    await must(folder, [
      'jar',
      '--extract',
      '--file',
      join(installed, 'wiremock-standalone-3.13.1.jar'),
      DOCUMENT,
    ]);
    return join(folder, DOCUMENT);
  },
};
