import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, SHIPPED, serve } from '../testing/serve.ts';

/** A mock with a folder of scenarios, and a file beside the folder. */
async function mockWithFolder() {
  const place = mkdtempSync(join(tmpdir(), 'scenarios-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const [scenarios, kept] = [join(place, 'scenarios'), join(place, 'kept.yaml')];
  writeFileSync(kept, 'latency: 7\n');
  const mock = await serve(SHIPPED, { scenarios });
  await mock.saveScenario('usual', { latency: 1 });
  const at = (method: string, name: string) => `${method} ${mock.controlUrl}/answers/scenarios/${name}`;
  return { mock, scenarios, kept, at };
}

test('a file in place of the folder stops the start', async () => {
  const { kept } = await mockWithFolder();
  await expect(serve(SHIPPED, { scenarios: kept })).rejects.toThrow(
    /scenarios must be a folder, and .*kept.yaml is a file/,
  );
});

test.each<[string, (scenarios: string, kept: string) => string]>([
  ['a link', (_, kept) => kept],
  ['a link to nothing', (scenarios) => join(scenarios, '../new.yaml')],
  ['a relative link', () => '../kept.yaml'],
  ['a link to a scenario', () => 'usual.yaml'],
])('%s in the folder is no scenario: it is neither read nor written through', async (_, targetOf) => {
  const { mock, scenarios, kept, at } = await mockWithFolder();
  symlinkSync(targetOf(scenarios, kept), join(scenarios, 'planted.yaml'));
  expect((await mock.scenarios()).map(({ name }) => name)).toEqual(['usual']);
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await ask(mock, at(method, 'planted'))).status).toBe(404);
  const put = await ask(mock, at('PUT', 'planted'), { latency: 99 });
  expect([put.status, put.body.message]).toEqual([409, expect.stringContaining('is a link or a folder')]);
  await expect(mock.saveScenario('planted')).rejects.toThrow('is a link or a folder');
  expect((await ask(mock, at('PATCH', 'usual'), { name: 'planted' })).status).toBe(409);
  expect(readFileSync(kept, 'utf8')).toBe('latency: 7\n');
  expect(existsSync(join(scenarios, '../new.yaml'))).toBe(false);
  expect(readFileSync(join(scenarios, 'usual.yaml'), 'utf8')).toBe('latency: 1\n');
});

test('what shares its content with a file elsewhere (a hard link) leaves that as it is', async () => {
  const { mock, scenarios, kept, at } = await mockWithFolder();
  linkSync(kept, join(scenarios, 'shared.yaml'));
  expect((await ask(mock, at('PUT', 'shared'), { latency: 99 })).status).toBe(204);
  expect(readFileSync(kept, 'utf8')).toBe('latency: 7\n');
  expect(readFileSync(join(scenarios, 'shared.yaml'), 'utf8')).toBe('latency: 99\n');
});
