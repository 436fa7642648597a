import { expect, test } from 'vitest';
import { siteLink } from './repository-links.ts';

const CLONE = 'https://host.example/paddock/blob/main';

test.each([
  ['check.md#exit-codes', 'mock.md', 'check.md#exit-codes'],
  ['../check.md', 'guides/qa.md', '../check.md'],
  ['#options', 'mock.md', '#options'],
  ['https://ctrf.io', 'check.md', 'https://ctrf.io'],
  ['screenshots/scenarios-light.png', 'console.md', `${CLONE}/docs/screenshots/scenarios-light.png`],
  ['../spec/left-open.md#dates', 'check.md', `${CLONE}/spec/left-open.md#dates`],
])('%s on %s leads to %s', (href, page, target) => {
  expect(siteLink(href, page, CLONE)).toBe(target);
});

test('what a page of the site shows is linked there, without the headings of the file', () => {
  const schema = '../report.schema.json';
  expect(siteLink(schema, 'check.md', undefined)).toBe('reference/report.md');
  expect(siteLink('../../README.md#the-first-minute', 'guides/qa.md', undefined)).toBe('../index.md');
  const built = '../getting-started.md#the-package';
  expect(siteLink('../../README.md#as-a-package', 'guides/qa.md', undefined)).toBe(built);
});

test('without the address of a repository a file is not linked', () => {
  expect(siteLink('../spec/left-open.md', 'check.md', undefined)).toBeUndefined();
});
