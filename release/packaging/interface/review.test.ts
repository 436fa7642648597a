import { expect, test } from 'vitest';
import { readChangeLog } from '../change-log.ts';
import type { Entries } from './entries.ts';
import { renderReview } from './render-review.ts';
import { type Given, review } from './review.ts';
import { releasedEntries, type Stored } from './stored.ts';

/** The life of the inventory from version to version. */
const BASE: Entries = { 'paddock mock': '[document]', 'paddock mock > --port': '<n>' };
const WITH_SEED: Entries = { ...BASE, 'paddock mock > --seed': '<n>' };
const WITHOUT_PORT: Entries = { 'paddock mock': '[document]' };
const SEED_LINE = '### Added\n\n- `--seed N` of `paddock mock`\n';
const PORT_LINE = '### Removed\n\n- `--port N` of `paddock mock`\n';

const first: Stored = { version: '1.0.0', changedSince: {}, interface: BASE };

function given(more: Partial<Given>, log: string, current: Entries): Given {
  const isReleased = (version: string) => version === '1.0.0';
  return { stored: first, current, version: '1.0.0', isReleased, changeLog: readChangeLog(log), ...more };
}

const log = (unreleased: string, ...versions: string[]) =>
  `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n${versions.join('\n')}\n## [1.0.0] - 2026-11-22\n\n### Added\n\n- \`paddock mock\`\n`;

test('after a release a new option needs a line under Unreleased, and is remembered as new', () => {
  const lacking = review(given({}, log(''), WITH_SEED));
  expect(renderReview(lacking)).toBe(`The stable interface differs from stable-interface.json:
  + paddock mock > --seed
Add a line under [Unreleased] in CHANGELOG.md that names each of these, then run \`npm run interface\`:
  paddock mock > --seed`);
  const { unnamed, next } = review(given({}, log(SEED_LINE), WITH_SEED));
  expect(unnamed).toEqual([]);
  expect(next).toEqual({
    version: '1.0.0',
    changedSince: { 'paddock mock > --seed': null },
    interface: WITH_SEED,
  });
  expect(releasedEntries(next)).toEqual(BASE);
});

test('a line that is taken out of the change log later is missed', () => {
  const { next } = review(given({}, log(SEED_LINE), WITH_SEED));
  const { unnamed } = review(given({ stored: next }, log(''), WITH_SEED));
  expect(unnamed.map(({ name }) => name)).toEqual(['paddock mock > --seed']);
});

test('what is new and taken back before a release is no difference', () => {
  const { next } = review(given({}, log(SEED_LINE), WITH_SEED));
  const reviewed = review(given({ stored: next }, log(''), BASE));
  expect(reviewed.unnamed).toEqual([]);
  expect(reviewed.next).toEqual(first);
});

test('a removed option needs a line under Removed, and a new major version', () => {
  expect(renderReview(review(given({}, log(''), WITHOUT_PORT)))).toContain(`  - paddock mock > --port
Add a line under [Unreleased] in CHANGELOG.md that names each of these, then run \`npm run interface\`:
  paddock mock > --port (under Changed or Removed)
What is changed or removed breaks users: it needs a new major version`);
  const { unnamed, next } = review(given({}, log(PORT_LINE), WITHOUT_PORT));
  expect(unnamed).toEqual([]);
  expect(next.changedSince).toEqual({ 'paddock mock > --port': '<n>' });
  const cut = (version: string) =>
    review(
      given({ stored: next, version }, log('', `## [${version}] - 2026-12-01\n\n${PORT_LINE}`), WITHOUT_PORT),
    );
  expect(cut('1.1.0').refusal).toContain('that needs version 2.0.0, not 1.1.0');
  expect(cut('2.0.0').refusal).toBeUndefined();
  expect(cut('2.0.0').next).toEqual({ version: '2.0.0', changedSince: {}, interface: WITHOUT_PORT });
});

test('what is new needs a new minor version', () => {
  const cut = (version: string) =>
    review(given({ version }, log('', `## [${version}] - 2026-12-01\n\n${SEED_LINE}`), WITH_SEED));
  expect(cut('1.0.1').refusal).toContain('that needs version 1.1.0, not 1.0.1');
  expect(cut('1.1.0').refusal).toBeUndefined();
});

test('the section of the new version must name what its predecessor did not have', () => {
  const { unnamed, section } = review(
    given({ version: '1.1.0' }, log(SEED_LINE, '## [1.1.0] - 2026-12-01\n'), WITH_SEED),
  );
  expect([section, unnamed.map(({ name }) => name)]).toEqual(['1.1.0', ['paddock mock > --seed']]);
});

test('until the first version has its tag, its own section names what is new, and the rest is free', () => {
  const untagged = { isReleased: () => false };
  const lacking = review(given(untagged, log(''), WITH_SEED));
  expect([lacking.section, lacking.unnamed.length]).toEqual(['1.0.0', 1]);
  const named = log('').replace('- `paddock mock`', '- `--seed` of `paddock mock`');
  const { unnamed, next } = review(given(untagged, named, WITH_SEED));
  expect([unnamed, next]).toEqual([[], { ...first, interface: WITH_SEED }]);
  expect(review(given(untagged, log(''), WITHOUT_PORT)).unnamed).toEqual([]);
});

test('until a later version has its tag, what it removes needs a line all the same', () => {
  const stored = { ...first, version: '2.0.0' };
  const { unnamed } = review(
    given({ stored, version: '2.0.0' }, log('', '## [2.0.0] - 2026-12-01\n'), WITHOUT_PORT),
  );
  expect(unnamed.map(({ name }) => name)).toEqual(['paddock mock > --port']);
});
