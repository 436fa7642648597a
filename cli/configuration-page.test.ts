import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfiguration } from '#configuration';
import { ROOT, run } from '../quality/testing/command.ts';
import { vocabularyOf } from './apply-configuration.ts';
import { writeConfigurationTypes } from './generate.ts';
import { allCommands } from './program.ts';
import { configuredOptions } from './testing/configured-options.ts';

/** docs/configuration.md: its files can be read, and its table matches the command line. */
const PAGE = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

const FILES = ['yaml', 'json', 'ts'].flatMap((end) =>
  blocks(end).map((text, index) => ({ name: `${end} ${index + 1}`, end, text })),
);

test.for(FILES)('$name is read', async ({ end, text }) => {
  // Inside the clone, whose package.json makes the package's name importable.
  const folder = mkdtempSync(join(ROOT, 'configuration-'));
  const file = join(folder, `paddock.config.${end}`);
  writeFileSync(file, text);
  const vocabulary = vocabularyOf(await allCommands());
  const { targets } = await readConfiguration(file, vocabulary).finally(() =>
    rmSync(folder, { recursive: true }),
  );
  expect([...targets.keys()]).toEqual(
    [...text.matchAll(/^ {2,4}(\w+):\s*(?=\{ url|\n {4}url)/gm)].map(([, name]) => name),
  );
});

test('there are files of each form', () => {
  expect(FILES.map(({ name }) => name)).toEqual(['yaml 1', 'yaml 2', 'yaml 3', 'yaml 4', 'json 1', 'ts 1']);
});

test('the type is that of the example in TypeScript', async () => {
  await writeConfigurationTypes();
  const folder = mkdtempSync(join(ROOT, 'configuration-'));
  writeFileSync(join(folder, 'use.ts'), blocks('ts').join('\n'));
  // The clone's types are those of its sources.
  const strict = [
    '--strict',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--resolveJsonModule',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    '--types',
    'node',
    '--ignoreConfig',
  ];
  const checked = await run(folder, [
    'tsc',
    ...strict,
    '--target',
    'esnext',
    '--module',
    'nodenext',
    'use.ts',
  ]);
  rmSync(folder, { recursive: true });
  expect(checked).toEqual({ code: 0, output: '' });
});

const ROWS = [...PAGE.matchAll(/^\| `(--[^`]+)` +\| `([^`]+)`(?:[^|]*`(\[[^`]*\])`)?/gm)].map(
  ([, flags = '', first = '', list]) => ({ flags, first, list }),
);

const OF_MOCK = new Set([
  ...['--port', '--fixture', '--strict-document'],
  ...['--source', '--at', '--allow-host', '--https'],
]);

/** Splits a line like a shell. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

test.for(ROWS)('$flags is $first', async ({ flags, first, list }) => {
  const [flag = ''] = flags.split(' ');
  const verb = OF_MOCK.has(flag) ? 'mock' : 'check';
  const args = verb === 'check' ? ['http://127.0.0.1:1'] : [];
  const wanted = (await configuredOptions(verb, '', [...args, ...wordsOf(flags)])).options;
  const [key = ''] = first.split(':');
  for (const text of [first, ...(list ? [`${key}: ${list}`] : [])]) {
    const { options, folder } = await configuredOptions(verb, `${verb}:\n  ${text}`, args);
    const value = JSON.stringify(options[key]).replaceAll(`${folder}/`, '');
    expect([text, value]).toEqual([text, JSON.stringify(wanted[key])]);
  }
});

test('the table has a row for each form of value', () => {
  expect(ROWS.length).toBe(11);
});
