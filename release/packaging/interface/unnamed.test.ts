import { expect, test } from 'vitest';
import { readChangeLog } from '../change-log.ts';
import { differences, type Entries } from './entries.ts';
import { unnamed } from './unnamed.ts';

/** What the change log must name, and which of its lines do. */
const EARLIER: Entries = {
  'paddock mock': '[document]',
  'paddock mock > --log': '<form>',
  'paddock mock > --log > text': '',
  'paddock check': '[base-url]',
  'report > cells[] > verdict': 'one of',
  'mock > GET /__admin/state': '',
  'openapi-paddock/mock > Mock': 'interface',
  'openapi-paddock/mock > Mock > url': 'string',
};

interface Row {
  /** Entries that are new or others; undefined: that are gone. */
  readonly later: Readonly<Record<string, string | undefined>>;
  readonly lines: string;
  readonly lacking: readonly string[];
}

const ROWS: [string, Row][] = [
  ['nothing changed', { later: {}, lines: '', lacking: [] }],
  [
    'a new option without a line',
    { later: { 'paddock mock > --seed': '<n>' }, lines: '', lacking: ['paddock mock > --seed'] },
  ],
  [
    'a new option in a line that has its command',
    {
      later: { 'paddock mock > --seed': '<n>' },
      lines: '### Added\n- `--seed N` of `paddock mock`',
      lacking: [],
    },
  ],
  [
    'an option of another command',
    {
      later: { 'paddock mock > --seed': '<n>' },
      lines: '### Added\n- `--seed N` of `paddock check`',
      lacking: ['paddock mock > --seed'],
    },
  ],
  [
    'an option with a longer name',
    {
      later: { 'paddock mock > --seed': '<n>' },
      lines: '### Added\n- `--seed-file FILE` of `paddock mock`, `no--seed`',
      lacking: ['paddock mock > --seed'],
    },
  ],
  [
    'an option of all commands',
    {
      later: { 'paddock mock > --config': '<file>', 'paddock check > --config': '<file>' },
      lines: '### Added\n- `--config FILE`\n  of all commands',
      lacking: [],
    },
  ],
  [
    'what is new with its owner',
    {
      later: { 'paddock init': '', 'paddock init > --yes': '', 'paddock init > --yes > now': '' },
      lines: '### Added\n- `paddock init`',
      lacking: [],
    },
  ],
  [
    'a new value of an enumeration',
    {
      later: { 'paddock mock > --log > json': '' },
      lines: '### Added\n- `--log json` of `paddock mock`',
      lacking: [],
    },
  ],
  [
    'a changed form under Added',
    {
      later: { 'paddock mock > --log': '<other>' },
      lines: '### Added\n- `--log OTHER` of `paddock mock`',
      lacking: ['paddock mock > --log'],
    },
  ],
  [
    'a changed form under Changed',
    {
      later: { 'paddock mock > --log': '<other>' },
      lines: '### Changed\n- `--log OTHER` of `paddock mock`',
      lacking: [],
    },
  ],
  [
    'a member of the report that is gone',
    {
      later: { 'report > cells[] > verdict': undefined },
      lines: '### Removed\n- `cells[].verdict` of the JSON report',
      lacking: [],
    },
  ],
  [
    'an endpoint that is gone',
    {
      later: { 'mock > GET /__admin/state': undefined },
      lines: '### Removed\n- `GET /__admin/states` of the mock',
      lacking: ['mock > GET /__admin/state'],
    },
  ],
  [
    'a type that is gone with its members',
    {
      later: { 'openapi-paddock/mock > Mock': undefined, 'openapi-paddock/mock > Mock > url': undefined },
      lines: '### Removed\n- `Mock` of `openapi-paddock/mock`',
      lacking: [],
    },
  ],
];

test.each(ROWS)('%s', (_, { later, lines, lacking }) => {
  const all = Object.entries({ ...EARLIER, ...later });
  const entries = Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const [section] = readChangeLog(`# Changelog\n\n## [Unreleased]\n\n${lines}\n`);
  const found = unnamed(differences(EARLIER, entries), section?.lines ?? []);
  expect(found.map(({ name }) => name)).toEqual(lacking);
});
