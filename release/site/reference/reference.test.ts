import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as suite from 'openapi-paddock/check';
import * as har from 'openapi-paddock/har';
import * as mock from 'openapi-paddock/mock';
import { beforeAll, expect, test } from 'vitest';
import { programFor } from '../../../cli/program.ts';
import { runPaddock } from '../../../quality/testing/paddock.ts';
import { ROOT } from '../places.ts';
import { referencePages } from './write-reference.ts';

/** Checks that the generated reference contains everything in the program, the entry points and the schema. */
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  pages = await referencePages();
});

const pageOf = (name: string) => pages.get(`${name}.md`) ?? '';

const verbs = (await programFor()).commands.map((command) => command.name());

test.for(verbs)('the page of %s has every option, variable and exit code of its help', async (verb) => {
  const { output } = await runPaddock([verb, '--help', 'all']);
  const page = pageOf(`paddock-${verb}`);
  expect(page).toContain(`paddock ${verb}`);
  const options = [...output.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name = '']) => name);
  const variables = [...output.matchAll(/PADDOCK_[A-Z_]+/g)].map(([name]) => name);
  expect(options.filter((name) => !page.includes(`### \`${name}`) && !page.includes(`, ${name}`))).toEqual(
    [],
  );
  expect(variables.filter((name) => !page.includes(name))).toEqual([]);
  const codes = [...output.matchAll(/^ {2}(\d+(?:, \d+)*) {2}/gm)].map(([, code = '']) => code);
  expect(codes.filter((code) => !page.includes(`\n${code}  `))).toEqual([]);
});

test('every verb has a page', () => {
  expect(verbs).toContain('check');
  expect([...pages.keys()].filter((file) => file.startsWith('paddock-')).sort()).toEqual(
    verbs.map((verb) => `paddock-${verb}.md`).sort(),
  );
});

test('an option has its environment variable, default and range', () => {
  expect(pageOf('paddock-mock')).toContain(
    [
      '### `--port <n>` {#port}\n\nPort to listen on; 0 takes a free one.\n',
      '- environment: `PADDOCK_PORT`',
      '- default: `4020`',
      '- range: whole number from 0 to 65535\n',
    ].join('\n'),
  );
});

test.each([
  ['library-mock', mock],
  ['library-check', suite],
  ['library-har', har],
])('the page %s has every export', (name, exported) => {
  const page = pageOf(name);
  expect(Object.keys(exported).filter((key) => !page.includes(`\n### \`${key}\`\n`))).toEqual([]);
});

test('types are there with the comments of their members', () => {
  expect(pageOf('library-mock')).toMatch(
    /### `MockOptions`[^#]*```ts\ninterface MockOptions<[^>]*> \{[^#]*\/\*\*[\s*]+A whole number; the same seed/,
  );
});

test.each([
  ['report', 'report.schema.json'],
  ['configuration', 'paddock.schema.json'],
])('the page %s has every member and definition of its schema', (page, file) => {
  const schema = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const names = [...Object.keys(schema.properties), ...Object.keys(schema.$defs ?? schema.definitions)];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !pageOf(page).includes(`\`${name}\``))).toEqual([]);
});
