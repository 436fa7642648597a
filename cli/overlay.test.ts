import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { runPaddock } from '../quality/testing/paddock.ts';

const DOCUMENT = `openapi: 3.1.1
info: {title: Notes, version: "1"}
paths:
  /notes:
    get: {responses: {"200": {description: All, content: {application/json: {schema: {type: string}}}}}}
`;

const TEXT = `overlay: 1.0.0
actions:
  - {target: $.info, update: {title: Memos}}
  - target: $.paths.*.get.responses.*.content.*.schema
    update: {minLength: 300}
  - {target: $.paths.*.put, remove: true}
`;

const NOTHING = 'o.yaml:6:6: the target $.paths.*.put matches nothing in the document; the action is ignored';

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'overlay-'));
  onTestFinished(() => rm(home, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
  return home;
}

test('mock and check read the document as the overlay leaves it, and report what matches nothing', async () => {
  const home = await folderOf({ 'api.yaml': DOCUMENT, 'o.yaml': TEXT });
  const explained = await runPaddock(['mock', 'api.yaml', '--overlay', 'o.yaml', '--explain'], { cwd: home });
  expect(explained.code).toBe(0);
  expect(explained.output).toContain('Memos 1\n');
  expect(explained.output.split(`warning: ${NOTHING}\n`)).toHaveLength(2);

  const mock = await createMock({ document: join(home, 'api.yaml') });
  onTestFinished(() => mock.close());
  const check = ['check', mock.url, 'api.yaml', '--report', 'json=-', '--settle', '0', '--overlay', 'o.yaml'];
  const { code, output } = await runPaddock(check, { cwd: home });
  expect(code).toBe(1);
  // The finding names the line that the overlay added.
  expect(output).toMatch(/"uri": "o\.yaml",\s*"line": 5\b/);
  expect(output.split(`warning: ${NOTHING}\n`)).toHaveLength(2);

  const env = { PADDOCK_OVERLAY: 'o.yaml', PADDOCK_STRICT_DOCUMENT: '1' };
  for (const args of [
    ['mock', 'api.yaml', '--explain'],
    ['check', mock.url, 'api.yaml'],
  ]) {
    const strict = await runPaddock(args, { cwd: home, env });
    expect(strict).toMatchObject({
      code: 2,
      output: expect.stringContaining(NOTHING),
    });
  }
});

test('what is no overlay ends the program with its place', async () => {
  const home = await folderOf({ 'api.yaml': DOCUMENT, 'o.yaml': TEXT.replace('$.info', '"$.[info"') });
  for (const [overlay, message] of [
    ['o.yaml', 'error: o.yaml:3:6: "target" is no JSONPath (RFC 9535): '],
    ['api.yaml', 'error: api.yaml:1:1: this is no overlay: '],
    ['none.yaml', 'error: none.yaml:1:1: cannot read none.yaml: there is no such file'],
  ] as const) {
    const { code, output } = await runPaddock(['mock', 'api.yaml', '--overlay', overlay], { cwd: home });
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) });
  }
});
