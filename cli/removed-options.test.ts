import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowOf, variableOf } from './options.ts';
import { allCommands } from './program.ts';
import { REMOVED_KEYS, refuseRemovedOptions } from './removed-options.ts';

const INSTEAD = {
  probeKey: /was removed; write --disposable, /,
  races: /was removed; leave it out: .*--disposable/,
};

test.for([
  ['--probe-key', INSTEAD.probeKey],
  ['--probe-key=true', INSTEAD.probeKey],
  ['--no-races', INSTEAD.races],
] as const)('%s is refused, with what to write instead', ([word, message]) => {
  expect(() => refuseRemovedOptions(['check', 'http://127.0.0.1:1', word], {})).toThrow(message);
});

test.for<[words: string[], message: RegExp]>([
  [['check', '--skip', 'x'], /^--skip was removed; write --only '!REGEXP', /],
  [['mock', '--compare-with', 'x'], /^--compare-with was removed; leave it out: .*paddock compat/],
  [
    ['check', '--jobs=2'],
    /^--jobs was removed; write jobs: N in paddock\.config\.yaml, below check, .*, or set PADDOCK_JOBS$/,
  ],
])('%j is refused', ([words, message]) => {
  expect(() => refuseRemovedOptions(words, {})).toThrow(message);
});

test('what is no option any more, and a setting still, is refused on the command line alone', async () => {
  const commands = await allCommands();
  const settings = commands.flatMap((verb) =>
    verb.options.filter((one) => rowOf(one).isSetting).map((one) => [verb.name(), one] as const),
  );
  expect(settings.length).toBeGreaterThan(9);
  for (const [verb, option] of settings) {
    expect(() => refuseRemovedOptions([verb, option.long ?? ''], {})).toThrow(variableOf(option));
    expect(() => refuseRemovedOptions([verb], { [variableOf(option)]: '1' })).not.toThrow();
    expect(REMOVED_KEYS.get(verb)?.has(option.attributeName())).toBe(false);
  }
});

test('a verb that went is refused', () => {
  expect(() => refuseRemovedOptions(['doctor'], {})).toThrow(/^paddock doctor was removed: /);
});

test('a variable is refused as its option is', () => {
  const refuse = (env: NodeJS.ProcessEnv) => () => refuseRemovedOptions(['check'], env);
  expect(refuse({ PADDOCK_PROBE_KEY: '1' })).toThrow(
    /^PADDOCK_PROBE_KEY was removed; write PADDOCK_DISPOSABLE=true, /,
  );
  expect(refuse({ PADDOCK_NO_RACES: 'true' })).toThrow(/^PADDOCK_NO_RACES was removed; leave it out/);
  expect(refuse({ PADDOCK_NO_RACES: '' })).not.toThrow();
});

test('a variable of another verb is not refused', () => {
  for (const verb of ['mock', 'proxy', 'judge'])
    expect(() => refuseRemovedOptions([verb], { PADDOCK_CONSUMER: 'web=traffic.har' })).not.toThrow();
  expect(REMOVED_KEYS.get('check')?.has('obtain')).toBe(false);
});

test('the composition of containers sets none', () => {
  const lines = readFileSync('examples/docker/compose.yaml', 'utf8').matchAll(/^ +(PADDOCK_\w+): (.*)$/gm);
  const env = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  expect(env).toHaveProperty('PADDOCK_STORE');
  expect(() => refuseRemovedOptions(['mock', 'openapi.yaml'], env)).not.toThrow();
});

test('other verbs, and words that are no options, are not refused', () => {
  for (const words of [['mock', '--probe-key'], ['check', '--', '--no-races'], ['check', 'probe-key'], []])
    expect(() => refuseRemovedOptions(words, {})).not.toThrow();
});

test('keys of a configuration file say what to write there', () => {
  expect(REMOVED_KEYS.get('check')?.get('probeKey')).toMatch(/^it was removed; write disposable: true, /);
  expect(REMOVED_KEYS.get('check')?.get('races')).toMatch(/^it was removed; leave it out/);
  expect(REMOVED_KEYS.get('mock')?.get('compareWith')).toMatch(/^it was removed; leave it out: /);
  expect(REMOVED_KEYS.get('mock')?.has('config')).toBe(false);
});
