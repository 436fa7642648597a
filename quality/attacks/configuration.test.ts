import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../testing/command.ts';
import { runPaddock } from '../testing/paddock.ts';
import { fuzzConfiguration } from './fuzz-configuration.ts';

test('no broken configuration file is a crash, and none shows a secret', async () => {
  const { refused, read, faults } = await fuzzConfiguration(24, Number(process.env.SEED ?? 1));
  expect(faults).toEqual([]);
  expect(refused + read).toBe(24);
  expect(refused).toBeGreaterThan(5);
}, 300_000);

/** A folder of a project in one that somebody else has filled. */
function projectIn(files: Readonly<Record<string, string>>): string {
  const above = mkdtempSync(join(tmpdir(), 'above-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(above, name), text);
  const project = join(above, 'project');
  mkdirSync(join(project, 'below'), { recursive: true });
  return project;
}

const ATTACK = `console.log('executed'); export default {};`;

test('a program above the root of a repository is not run', async () => {
  const project = projectIn({ 'paddock.config.ts': ATTACK });
  writeFileSync(join(project, '.git'), '');
  const { code, output } = await runPaddock(['mock', '--explain'], { cwd: join(project, 'below') });
  expect({ code, isRun: output.includes('executed') }).toEqual({ code: 0, isRun: false });
});

test.each([
  ['the document', 'document: "http://127.0.0.1:1/openapi.yaml#\\u001b[2J"'],
  ['a key', '"\\u001b]0;title\\u0007": 1'],
  ['a value', 'mock: { port: "\\u001b[2J\\u009b31m" }'],
  ['the name of a target', 'targets: { "\\u001b[2J": { url: "http://x" } }'],
])('control characters do not reach the terminal: %s', async (_, text) => {
  const project = projectIn({});
  writeFileSync(join(project, 'paddock.config.yaml'), text);
  const { code, output } = await runPaddock(['mock', '--explain'], { cwd: project });
  expect(code).toBe(2);
  expect(output).not.toMatch(/(?!\n)\p{Cc}/u);
});

test.each([
  [
    'JSON',
    'paddock.config.json',
    '{"__proto__":{"explain":true,"port":1},"mock":{"__proto__":{"explain":true}}}',
  ],
  ['YAML', 'paddock.config.yaml', '__proto__: { explain: true }\nmock: { __proto__: { explain: true } }'],
  ['targets', 'paddock.config.yaml', 'targets: { __proto__: { url: "http://127.0.0.1:1", readOnly: true } }'],
])('no key is a prototype: %s', async (_, name, text) => {
  const project = projectIn({});
  writeFileSync(join(project, name), text);
  const { code, output } = await runPaddock(
    ['check', '__proto__', '--document', join(ROOT, 'spec/openapi.yaml')],
    { cwd: project },
  );
  expect(code).toBe(2);
  expect(output).toMatch(/^error: /);
});
