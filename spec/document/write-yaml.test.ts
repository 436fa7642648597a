import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeYaml } from './write-yaml.ts';

test.each([
  ...[
    'Yes',
    'off',
    'y',
    '~',
    'NULL',
    '1_000',
    '12:30',
    '190:20:30.15',
    '2020-01-01',
    '2020-1-1 1:02:03',
    '=',
  ],
  ...['010', '0o7', '0b1_1', '0x1_F', '1.', '.5', '+1', '1e3', '1e1_0', '1,000', '.inf', '<<', 'a\tb'],
])('%s is in quotes, as a key too, for readers of each YAML', (text) => {
  expect(writeYaml({ [text]: text })).toBe(`'${text}': '${text}'\n`);
});

test.each(['a', '3.1.0', '1.5.2', 'a1', '10 min', 'offset', '/a/{id}', 'é'])('%s is plain', (text) => {
  expect(writeYaml({ [text]: text })).toBe(`${text}: ${text}\n`);
});

test('line ends of YAML 1.1 are escaped', () => {
  const value = { 'a\u2028b': ['\u0085', '\ufeffx\n'] };
  const text = writeYaml(value);
  expect(text).toMatch(/^[\n -~]+$/);
  expect(parse(text)).toEqual(value);
});
