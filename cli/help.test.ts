import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfiguration } from '#configuration';
import { REPORT_FORMATS } from '#contract-tests';
import { ROOT } from '../quality/testing/command.ts';
import { runPaddock } from '../quality/testing/paddock.ts';
import { vocabularyOf } from './apply-configuration.ts';
import { EXIT_CODES, type JudgedVerb } from './exit-codes.ts';
import { TOPICS } from './help.ts';
import { rowOf, variableOf } from './options.ts';
import { allCommands } from './program.ts';

/** `paddock help`: its pages agree with the program, its `--help` and the documentation. */
const VERBS = Object.keys(EXIT_CODES) as JudgedVerb[];

async function notices(...args: string[]): Promise<string> {
  const { code, output } = await runPaddock(args);
  expect(code).toBe(0);
  return output;
}

const pages = new Map<string, string>();
const helps = new Map<string, string>();
let settings: readonly string[];
beforeAll(async () => {
  const options = (await allCommands()).flatMap((command) => command.options);
  settings = options.filter((option) => rowOf(option).isSetting).map(variableOf);
  for (const { name } of TOPICS) pages.set(name, await notices('help', name));
  for (const verb of [...VERBS, 'init', 'help', 'completion'])
    helps.set(verb, await notices(verb, '--help', 'all'));
});
const page = (name: string) => pages.get(name) ?? '';

test('paddock help lists verbs and topics, as --help does', async () => {
  const list = await notices('help');
  for (const [name] of helps) expect(list).toMatch(new RegExp(`^  ${name} .*[A-Z]`, 'm'));
  for (const { name, summary } of TOPICS) expect(list).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  expect(await notices('--help')).toBe(list);
  expect(list).not.toContain('__complete');
});

describe.for(TOPICS)('paddock help $name', ({ name }) => {
  test('is plain text of at most 60 lines of 100 characters', () => {
    const lines = page(name).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 100 || /[^\x20-\x7e]|\s$/.test(line))).toEqual([]);
  });

  test('names verbs, options, topics and variables that there are', () => {
    const all = [...helps.values()].join('');
    const options = page(name).match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
    expect(options.filter((option) => !new RegExp(`${option}\\b`).test(all))).toEqual([]);
    const verbs = [...page(name).matchAll(/\bpaddock ([a-z]+)/g)].map(([, verb = '']) => verb);
    expect(verbs.filter((verb) => !helps.has(verb))).toEqual([]);
    const topics = [...page(name).matchAll(/\bpaddock help ([a-z-]+)/g)].map(([, topic = '']) => topic);
    expect(topics.filter((topic) => !pages.has(topic))).toEqual([]);
    const variables = page(name).match(/\bPADDOCK_[A-Z_]+/g) ?? [];
    const shown = `${all} PADDOCK_CREDENTIAL_BASICAUTH ${settings.join(' ')}`;
    expect(variables.filter((variable) => !new RegExp(`\\b${variable}\\b`).test(shown))).toEqual([]);
  });
});

test('all variables that --help names are in the page of the environment', () => {
  const named = new Set([...helps.values()].flatMap((help) => help.match(/\bPADDOCK_[A-Z_]+/g) ?? []));
  expect(named.size).toBeGreaterThan(50);
  // An example's value is no variable.
  const missing = [...named].filter((name) => !new RegExp(`\\b${name}\\b`).test(page('environment')));
  expect(missing).toEqual([]);
});

test.for(VERBS)('the exit codes of %s are those of its --help', (verb) => {
  const [, lines = ''] = new RegExp(`^paddock ${verb}\\n((?:  .+\\n)+)`, 'm').exec(page('exit-codes')) ?? [];
  expect(lines).toContain('  0  ');
  expect(helps.get(verb)).toContain(`\nExit codes:\n${lines}`);
});

test.for<[JudgedVerb, string]>([
  ['check', 'docs/check.md'],
  ['judge', 'docs/judge.md'],
  ['compat', 'docs/compat.md'],
])('the exit codes of %s are those of %s', async ([verb, file]) => {
  const text = await readFile(`${ROOT}${file}`, 'utf8');
  const [, table = ''] = /^\| exit code \|.*\n\| -.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const codes = [...table.matchAll(/^\| ([\d, ]+?) +\|/gm)].map(([, one]) => one);
  expect(codes.sort()).toEqual(EXIT_CODES[verb].map(([one]) => one).sort());
});

test('the exit codes of verdicts in reports are those of check', async () => {
  const schema = JSON.parse(await readFile(`${ROOT}report.schema.json`, 'utf8'));
  const codes = EXIT_CODES.check.flatMap(([one]) => one.split(', ').map(Number));
  // Only a run writes a report, not an invalid option.
  expect(codes.filter((code) => code !== 2).sort()).toEqual([...schema.properties.exitCode.enum].sort());
});

test('the reports are those that there are', () => {
  const names = [...page('reports').matchAll(/^ {2}([a-z]+) +[a-zA-Z].*[a-z]/gm)].map(([, name]) => name);
  expect(names.filter((name) => name !== 'paddock')).toEqual([...Object.keys(REPORT_FORMATS), 'changelog']);
});

test('the configuration file that is shown can be read', async () => {
  const [block = ''] = /^ {2}# yaml-language(?:.*\n {2})+.*\n/m.exec(page('configuration')) ?? [];
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'paddock.config.yaml');
  await writeFile(file, block.replace(/^ {2}/gm, ''));
  const configuration = await readConfiguration(file, vocabularyOf(await allCommands()));
  expect([...configuration.targets.keys()]).toEqual(['local', 'staging']);
  expect(configuration.choose('mock', undefined, () => false)).toHaveLength(3);
});

test('paddock help VERB is paddock VERB --help', async () => {
  expect(await notices('help', 'check')).toBe(await notices('check', '--help'));
  expect(await notices('help', 'check', 'all')).toBe(helps.get('check'));
});

test.for(['mock', 'check', 'proxy'])(
  '%s --help shows the common options, grouped, in 30 lines',
  async (verb) => {
    const lines = (await notices(verb, '--help')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const all = helps.get(verb)?.match(/^ {2}--\S+/gm) ?? [];
    const common = lines.filter((line) => line.startsWith('  --'));
    expect(all).toEqual(expect.arrayContaining(common.map((line) => line.split(' ', 3).join(' '))));
    if (verb !== 'proxy') expect(lines.filter((line) => /^\w[\w ]*:$/.test(line)).length).toBeGreaterThan(4);
    expect(lines.at(-1)).toContain(`--help all: all ${all.length} options`);
  },
);

test.for(VERBS)('the hint below an unknown option of %s names the help that has it', async (verb) => {
  const { code, output } = await runPaddock([verb, '--no-such-option']);
  expect(code).toBe(2);
  const short = await notices(verb, '--help');
  expect(output.includes('--help all for every one, with examples')).toBe(!short.includes('\nExamples:\n'));
  expect(helps.get(verb)).toContain('\nExamples:\n');
});

test.for([
  ['exit-code', 'did you mean exit-codes?'],
  ['exit', 'did you mean exit-codes?'],
  ['enviroment', 'did you mean environment?'],
  ['chekc', 'did you mean check?'],
  ['something-else', 'there are configuration'],
])('an unknown topic %s', async ([topic = '', message = '']) => {
  const { code, output } = await runPaddock(['help', topic]);
  expect(output).toContain(message);
  expect(code).toBe(2);
});

test('--version and -V print the version alone', async () => {
  const { version } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'));
  expect(await notices('--version')).toBe(`${version}\n`);
  expect(await notices('-V')).toBe(`${version}\n`);
});
