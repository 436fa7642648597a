import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPORT_FORMATS } from '#contract-tests';
import { createMock, type Mock } from '#mock';
import { runPaddock } from '../quality/testing/paddock.ts';

/** Reports of `paddock check` as users request them. */
let mock: Mock;

beforeAll(async () => {
  mock = await createMock({ document: 'spec/openapi.yaml', port: 0 });
});

afterAll(() => mock.close());

const check = (...options: string[]) =>
  runPaddock(['check', mock.url, '--api-key', 'paddock-dev-key', '--only', '/ordinary$', ...options]);

const folder = () => mkdtemp(join(tmpdir(), 'paddock-'));

test('every format is written, into a folder that is made', async () => {
  const place = join(await folder(), 'a', 'b');
  const formats = Object.keys(REPORT_FORMATS);
  await check(...formats.flatMap((name) => ['--report', `${name}=${join(place, name)}`]));
  expect((await readdir(place)).sort()).toEqual(formats.sort());
  const har = JSON.parse(await readFile(join(place, 'har'), 'utf8'));
  expect(har.log.entries.length).toBeGreaterThan(3);
});

test.for(Object.keys(REPORT_FORMATS))('a report on standard output stands there alone: %s', async (name) => {
  const { out, err } = await check('--report', `${name}=-`);
  // Without violations there is no line for an editor.
  expect(out).toMatch(name === 'lines' ? /^$/ : /^(?:<!doctype|<\?xml|\{|\[|## )/);
  expect(out).not.toContain('cells covered; ');
  expect(err).toMatch(
    /^The contract holds for 3 of 8 documented responses \(3 of 3 operations\)\. \(exit 0\)\n/,
  );
  expect(err).toMatch(/\d of 8 responses covered; /);
});

test.for([
  ['two reports on standard output', ['--report', 'json=-', '--report', 'har=-'], /only one report/],
  ['--accept without --known', ['--accept'], /--known FILE, which is missing/],
  ['a file of known findings that is missing', ['--known', 'no-such.yaml'], /--known: .*no-such\.yaml/],
  ['a folder that cannot be made', ['--report', 'json=package.json/a.json'], /--report: /],
] as const)('2: %s', async ([, options, message]) => {
  const { code, out, err } = await check(...options);
  expect(err).toMatch(message);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('--accept writes a file that --known takes, and says what it has done', async () => {
  const file = join(await folder(), 'known.yaml');
  const { err } = await check('--known', file, '--accept');
  expect(err).toContain(`${file}: 0 findings added, 0 renewed, 0 removed`);
  expect(await readFile(file, 'utf8')).toBe('[]\n');
  expect((await check('--known', file)).code).not.toBe(2);
});
