import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, started } from './testing/run-mock.ts';

/** The options that set records, clock and latency of the mock, and access to `/__admin`. */
const headers = { authorization: 'Bearer paddock-dev-key' };

async function seedFile(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), name);
  await writeFile(file, text);
  return file;
}

test('--fixture twice, --now, --latency and --admin-token together', async () => {
  const early = await seedFile('early.yaml', 'records:\n  /pets:\n    - {name: Early, categoryId: 1}\n');
  const late = await seedFile(
    'late.json',
    '{"records":{"/pets":[{"id":9007199254740993,"name":"Late","categoryId":2}]}}',
  );
  const files = ['--fixture', early, '--fixture', late];
  const others = '--now 2030-12-06 --latency 1-5 --admin-token t0ken-of-mine --port 0';
  const mock = run([...files, ...others.split(' ')]);
  const { out, url } = await started(mock);
  const list = await fetch(`${url}/pets`, { headers });
  expect(await list.text()).toBe('[{"id":9007199254740993,"name":"Late","categoryId":2}]');
  expect(list.headers.get('date')).toMatch(/^Fri, 06 Dec 2030 /);
  expect((await fetch(`${url}/pets/9007199254740993`, { headers })).status).toBe(410);
  const reset = (authorization: string) =>
    fetch(new URL('/__admin/reset', url), { method: 'POST', headers: { authorization } });
  expect((await reset(headers.authorization)).status).toBe(401);
  expect((await reset('Bearer t0ken-of-mine')).status).toBe(204);
  await mock.stop();
  const printed = JSON.stringify(mock.output());
  expect(printed).toContain('410');
  expect(printed).toContain('(deprecated, removed on 2030-12-05)');
  expect(printed + out).not.toContain('t0ken-of-mine');
});

test('the same options in the environment', async () => {
  const file = await seedFile('seed.yaml', 'records: {/pets: []}\n');
  const env = { PADDOCK_FIXTURE: file, PADDOCK_NOW: '2030-01-01T12:00:00Z', PADDOCK_LATENCY: '1' };
  const { url } = await started(run(['--port', '0'], env));
  const list = await fetch(`${url}/pets`, { headers });
  expect(await list.text()).toBe('[]');
  expect(list.headers.get('date')).toMatch(/^Tue, 01 Jan 2030 12:00:/);
});

test('an invalid seed file is reported with its lines, and the mock does not start', async () => {
  const file = await seedFile('broken.yaml', 'records:\n  /pets:\n    - id: 1\n      name: 7\n');
  const mock = run(['--fixture', file, '--port', '0']);
  expect(await mock.ended).toBe(2);
  expect(mock.output().err).toMatch(
    /broken\.yaml:3:7: categoryId is required[\s\S]*broken\.yaml:4:7: name must be a string/,
  );
});
