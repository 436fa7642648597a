import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, SHIPPED, serve } from './testing/serve.ts';

async function folderOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mock-scenarios-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('scenarios are listed as the control API lists them, renamed and removed', async () => {
  const mock = await serve(SHIPPED);
  const tom = mock.session('tom');
  expect(await mock.scenarios()).toEqual([]);
  tom.addRule({ operation: 'listPets', status: 503 });
  await tom.setLatency({ low: 1, high: 2 });
  await tom.saveScenario('down');
  await mock.saveScenario('as it was');
  const listed = await tom.scenarios();
  expect(listed).toEqual([
    { name: 'as it was', rules: 0, latency: 0, hasRecords: false, isCurrent: false },
    { name: 'down', rules: 1, latency: '1-2', hasRecords: false, isCurrent: true },
  ]);
  expect((await ask(mock, 'GET http://localhost/__admin/answers/scenarios?session=tom')).body).toEqual(
    listed,
  );
  expect((await mock.scenarios()).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  await mock.renameScenario('down', 'all is down');
  await mock.removeScenario('as it was');
  expect((await mock.scenarios()).map(({ name }) => name)).toEqual(['all is down']);
  await mock.useScenario('all is down');
  expect((await ask(mock, 'GET /pets')).status).toBe(503);
});

test('a scenario that is given is kept as it is, in the folder of the mock', async () => {
  const scenarios = await folderOf();
  const mock = await serve(SHIPPED, { scenarios });
  await mock.saveScenario('empty', {
    rules: [{ operation: 'getPet', status: 500 }],
    records: { '/pets': [] },
  });
  expect(await readdir(scenarios)).toEqual(['empty.yaml']);
  expect(await readFile(join(scenarios, 'empty.yaml'), 'utf8')).toContain('operation: getPet');
  expect(await mock.scenarios()).toMatchObject([
    { name: 'empty', rules: 1, hasRecords: true, isCurrent: false },
  ]);
  await mock.useScenario('empty');
  expect(await mock.records('/pets')).toEqual([]);
  await writeFile(join(scenarios, 'wrong.yaml'), 'rules: [{ operation: noSuchOperation }]\n');
  const [, wrong] = await mock.scenarios();
  expect(wrong).toMatchObject({ name: 'wrong', problem: expect.stringContaining('noSuchOperation') });
});

test('what cannot be done is refused with the reason, and changes nothing', async () => {
  const mock = await serve(SHIPPED);
  await mock.saveScenario('one');
  await mock.saveScenario('two');
  await expect(mock.renameScenario('three', 'four')).rejects.toThrow('there is no scenario "three"');
  await expect(mock.renameScenario('one', 'two')).rejects.toThrow('there is a scenario "two" already');
  await expect(mock.renameScenario('one', '../one')).rejects.toThrow(/must have 1 to 64 letters/);
  await expect(mock.removeScenario('three')).rejects.toThrow(RangeError);
  await expect(mock.saveScenario('three', { rules: [{ operation: 'noSuchOperation' }] })).rejects.toThrow(
    /noSuchOperation/,
  );
  expect((await mock.scenarios()).map(({ name }) => name)).toEqual(['one', 'two']);
});

test('pages hear of each change', async () => {
  const mock = await serve(SHIPPED);
  const events = await mock.fetch(`${mock.controlUrl}/events`);
  const reader = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (times: number) => {
    while (heard.split('event: scenarios').length <= times) heard += (await reader.read()).value;
  };
  await mock.saveScenario('one');
  await hear(1);
  await mock.renameScenario('one', 'two');
  await hear(2);
  await mock.removeScenario('two');
  await hear(3);
  await reader.cancel();
});
