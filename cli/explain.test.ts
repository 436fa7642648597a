import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../quality/testing/command.ts';
import { runPaddock } from '../quality/testing/paddock.ts';

const explain = (...given: string[]) => runPaddock(['explain', ...given], { cwd: ROOT });

test.each([
  [
    'prints each operation with its facts, their signs and their lines',
    [],
    [
      /^GET \/pets {2}\(listPets\) {2}spec\/openapi\.yaml:\d+$/m,
      /^ {2}query limit +\$limit +promised +name, schema.* +spec\/openapi\.yaml:\d+$/m,
      /^ {2}path petId +\$id +promised +said +spec\/openapi\.yaml:\d+$/m,
    ],
  ],
  [
    'names each file of a document that is split',
    ['fixtures/specs/notices/openapi.yaml'],
    [/^ {2}query channel +channel .*notices\/parameters\.yaml:\d+$/m],
  ],
  ['names what is ignored', ['fixtures/specs/harbours.yaml'], [/^ {2}ignored +x-flags, zone$/m]],
])('%s', async (_, given, wanted) => {
  const { code, output } = await explain(...given);
  expect(code).toBe(0);
  for (const line of wanted) expect(output).toMatch(line);
});

const OVERLAY = `overlay: 1.0.0
info: { title: Ours, version: 1.0.0 }
actions:
  # The number of animals.
  - target: $.paths['/pets'].get
    update: { x-paddock: { query: { limit: $limit } } }
`;

async function overlay(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'paddock.overlay.yaml');
  await writeFile(file, text);
  return file;
}

const HARBOURS = 'fixtures/specs/harbours.yaml';

test('writes guesses beside what people say, and makes one said', async () => {
  const target = "  - target: $.paths['/vessels'].get\n    update: { x-paddock: { page: { page: page } } }\n";
  const file = await overlay(OVERLAY.slice(0, OVERLAY.indexOf('  - target')) + target);
  expect((await explain(HARBOURS, '--write', file)).code).toBe(0);
  const written = await readFile(file, 'utf8');
  expect(written).toContain('# The number of animals.');
  expect(written).toMatch(/x-paddock-guess: \{.* page: \{ per_page: size \}/);
  expect((await explain(HARBOURS, '--accept', 'listVessels', '--write', file)).code).toBe(0);
  const accepted = await readFile(file, 'utf8');
  expect(accepted).toMatch(/x-paddock: \{.* page: \{ per_page: size \}/);
  expect(accepted).not.toMatch(/'\/vessels'\]\.get\n {4}update: \{ x-paddock-guess/);
});

test.each([
  ['agrees', OVERLAY, 0, /agrees with the document/],
  [
    'has a stale target',
    OVERLAY.replace("['/pets']", "['/cats']"),
    1,
    /:5:\d+: the target .* matches nothing/,
  ],
  [
    'names what the document does not have',
    OVERLAY.replace('limit:', 'limits:'),
    1,
    /:6:\d+: x-paddock: "limits" is no query parameter of it; did you mean "limit"\?/,
  ],
  [
    'says something where nobody reads it',
    OVERLAY.replace("$.paths['/pets'].get", '$.components.schemas.Error').replace(
      'query: { limit: $limit }',
      'id: code',
    ),
    1,
    /x-paddock: nothing is read here; it counts at an operation/,
  ],
  [
    'has an unknown key',
    OVERLAY.replace('query:', 'querry:'),
    2,
    /"x-paddock.querry" is no key .* "query"\?/,
  ],
])('--check of an overlay that %s', async (_, text, want, message) => {
  const { code, output } = await explain('--overlay', await overlay(text), '--check');
  expect(output).toMatch(message);
  expect(code).toBe(want);
});

test('reads the document and the overlay that the configuration file names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  await copyFile(join(ROOT, HARBOURS), join(folder, 'harbours.yaml'));
  await writeFile(join(folder, 'paddock.config.yaml'), 'document: harbours.yaml\noverlay: meant.yaml\n');
  await writeFile(join(folder, 'meant.yaml'), OVERLAY);
  const inFolder = (...given: string[]) => runPaddock(['explain', ...given], { cwd: folder });
  const stale = await inFolder('--check');
  expect([stale.code, stale.output]).toEqual([1, expect.stringContaining('matches nothing')]);
  expect((await inFolder('--accept', 'listVessels')).code).toBe(0);
  expect(await readFile(join(folder, 'meant.yaml'), 'utf8')).toMatch(/x-paddock: \{.*per_page: size/);
});
