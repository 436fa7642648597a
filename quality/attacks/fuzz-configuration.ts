import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ROOT } from '../testing/command.ts';
import { runPaddock } from '../testing/paddock.ts';

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

const KEYS = fc.constantFrom(
  ...'document overlay seed report targets mock check proxy judge compat port count latency log only maxTime'.split(
    ' ',
  ),
  ...'__proto__ constructor toString hasOwnProperty prototype $schema url apiKeyEnv store host fixture'.split(
    ' ',
  ),
  ...['', ' ', '\u0000', '\u001b[2J', 'a'.repeat(5000), '<<', '0', 'true', 'null'],
);
const VALUES = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    2 ** 53,
    '',
    '\u0000',
    '../../../etc/passwd',
    'file:///etc/passwd',
  ),
  fc.constantFrom<unknown>(
    '-',
    '/dev/zero',
    '(a+)+$',
    '[',
    'http://[',
    `https://user:${SECRET}@x/`,
    'x'.repeat(5000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const PIECES = fc.constantFrom(
  ...[
    '\t',
    '- ',
    ': ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '#',
    '|',
    '>',
    '%',
    '@',
    '`',
    '*a',
    '&a ',
    '!!js/function ',
    '\ufeff',
  ],
  ...[
    '!!binary ',
    '<<: *a\n',
    '? ',
    '---\n',
    '...\n',
    '__proto__: { polluted: true }\n',
    '\u0000',
    '\ud800',
    '\n  ',
  ],
);

/** The text of a good file with a few of its characters changed. */
const broken = fc
  .array(fc.record({ at: fc.nat(GOOD.length), cut: fc.nat(6), put: fc.oneof(PIECES, fc.string()) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((changes) =>
    changes.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), GOOD),
  );

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
  const faults: string[] = [];
  let [refused, read] = [0, 0];
  const weighted = fc.oneof(
    { weight: 4, arbitrary: broken },
    { weight: 4, arbitrary: odd },
    { weight: 1, arbitrary: fixed },
  );
  const queue = fc.sample(weighted, { numRuns: count, seed }).entries();

  async function work(): Promise<void> {
    for (const [at, text] of queue) {
      const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
      writeFileSync(join(folder, '.git'), '');
      writeFileSync(join(folder, at % 4 === 0 ? 'paddock.config.json' : 'paddock.config.yaml'), text);
      const { code, output } = await runPaddock(['mock', '--explain'], { cwd: folder });
      rmSync(folder, { recursive: true });
      if (code === 2) refused += 1;
      else read += 1;
      const isTold = code === 0 || (code === 2 && /^error: /m.test(output));
      const isCrash = /^ {4}at |bug of Paddock|RangeError|TypeError/m.test(output);
      if (!isTold || isCrash || output.includes(SECRET))
        faults.push(`${code}: ${output.slice(0, 600)}\n${JSON.stringify(text.slice(0, 1500))}`);
    }
  }
  await Promise.all([work(), work()]);
  return { refused, read, faults };
}
