import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ROOT } from '../testing/command.ts';
import { runPaddock } from '../testing/paddock.ts';
import { attemptEach, broken } from './attempts.ts';

export interface ConfigurationFuzz {
  /** Files that were refused with a message, and those that were read. */
  readonly refused: number;
  readonly read: number;
  /** What was wrong, with the file that reproduces it. */
  readonly faults: readonly string[];
}

/** No message may repeat it: it stands where a secret would. */
const SECRET = 'hunter2-hunter2';

const GOOD = `document: ${join(ROOT, 'spec/openapi.yaml')}
seed: 7
report: [json=out/report.json]
targets:
  staging: { url: https://staging.example/v1, apiKeyEnv: STAGING_KEY, readOnly: true }
mock: { port: 4010, count: 5, latency: 10-20, log: false }
check: { only: GET, maxTime: 20, credentialEnv: { key: OTHER_KEY } }
proxy: { enforce: true, host: 127.0.0.1 }
`;

const words = (text: string) => text.split(' ');
const KEYS = fc.constantFrom(
  ...words(
    'document overlay seed report targets mock check proxy judge compat port count latency log only maxTime',
  ),
  ...words(
    '__proto__ constructor toString hasOwnProperty prototype $schema url apiKeyEnv store host fixture',
  ),
  ...['', ' ', '\u0000', '\u001b[2J', 'a'.repeat(5000), '<<', '0', 'true', 'null'],
);
const VALUES = fc.oneof(
  fc.constantFrom<unknown>(...[null, true, -1, 0, 1e308, 2 ** 53, '', '\u0000', 'x'.repeat(5000)]),
  fc.constantFrom(...words('../../../etc/passwd file:///etc/passwd - /dev/zero (a+)+$ [ http://[')),
  fc.constant(`https://user:${SECRET}@x/`),
  fc.jsonValue({ maxDepth: 3 }),
);
const PIECES = fc.constantFrom(
  ...words('{ } [ ] " \' # | > % @ ` *a \ufeff \u0000 \ud800'),
  ...['\t', '- ', ': ', '&a ', '!!js/function ', '!!binary ', '<<: *a\n', '? ', '---\n', '...\n', '\n  '],
  '__proto__: { polluted: true }\n',
);

const brokenGood = broken(GOOD, fc.nat(6), fc.oneof(PIECES, fc.string()));

const odd = fc
  .dictionary(
    KEYS,
    fc.oneof(
      { weight: 2, arbitrary: VALUES },
      { weight: 1, arbitrary: fc.dictionary(KEYS, VALUES, { noNullPrototype: true }) },
    ),
    { maxKeys: 6, noNullPrototype: true },
  )
  .map((value) => JSON.stringify({ ...value, mock: { adminToken: SECRET, ...(value.mock as object) } }));

const BOMB = Array.from({ length: 40 }, (_, at) =>
  `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}1]`.replaceAll('*a-1, ', ''),
).join('\n');
const fixed = fc.constantFrom(
  BOMB,
  `check: ${'['.repeat(20_000)}`,
  `${'{"check":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `${'- '.repeat(5000)}a`,
  `a: &a { b: *a }`,
  '\u0000',
);

/**
 * Runs the program with many broken configuration files: each is read, or refused with a message that neither shows a
 * secret nor is a crash.
 */
export async function fuzzConfiguration(count: number, seed: number): Promise<ConfigurationFuzz> {
  let [refused, read] = [0, 0];
  const files = fc.oneof(
    { weight: 4, arbitrary: brokenGood },
    { weight: 4, arbitrary: odd },
    { weight: 1, arbitrary: fixed },
  );

  async function attempt(text: string, at: number): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
    writeFileSync(join(folder, '.git'), '');
    writeFileSync(join(folder, at % 4 === 0 ? 'paddock.config.json' : 'paddock.config.yaml'), text);
    const { code, output } = await runPaddock(['mock', '--explain'], { cwd: folder });
    rmSync(folder, { recursive: true });
    if (code === 2) refused += 1;
    else read += 1;
    const isReported = code === 0 || (code === 2 && /^error: /m.test(output));
    const isCrash = /^ {4}at |bug of Paddock|RangeError|TypeError/m.test(output);
    if (!isReported || isCrash || output.includes(SECRET))
      throw new Error(`${code}: ${output.slice(0, 600)}`);
  }
  const shown = (text: string) => JSON.stringify(text.slice(0, 1500));
  const faults = await attemptEach(files, { count, seed, workers: 2 }, attempt, shown);
  return { refused, read, faults };
}
