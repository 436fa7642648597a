import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../testing/command.ts';
import { ACTION } from './github/run-action.ts';
import { HEAD, jobsWith } from './gitlab/component.ts';
import { linter } from './linters/linter.ts';
import { conforms } from './linters/schema.ts';

/** docs/ci.md: its snippets conform to the schemas, and its tables name each input. */
const PAGE = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
const sectionOf = (title: string) => PAGE.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const snippetOf = (title: string) => /^```yaml\n(.*?)^```/ms.exec(sectionOf(title))?.[1] ?? '';
const namedIn = (title: string) => [
  ...new Set(
    [...sectionOf(title).matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    ),
  ),
];

test('the tables name each input, and no other', () => {
  const values = ['any', 'broken', 'nothing'];
  expect(namedIn('GitHub').sort()).toEqual([...Object.keys(ACTION.inputs), ...values].sort());
  expect(namedIn('GitLab').sort()).toEqual(Object.keys(HEAD.spec.inputs).sort());
});

test('the snippets give inputs that there are', () => {
  const [step] = parse(snippetOf('GitHub')).jobs.contract.steps.slice(1);
  expect(Object.keys(step.with).length).toBeGreaterThan(4);
  expect(Object.keys(step.with).filter((name) => !(name in ACTION.inputs))).toEqual([]);
  const [{ inputs }] = parse(snippetOf('GitLab')).include;
  expect(Object.keys(jobsWith(inputs))).toEqual(['paddock']);
});

test('the outputs are named', () => {
  for (const name of Object.keys(ACTION.outputs)) expect(sectionOf('GitHub')).toContain(`\`${name}\``);
});

describe.skipIf(linter('check-jsonschema') === undefined)('by check-jsonschema', () => {
  test.each([
    ['GitHub', 'vendor.github-workflows'],
    ['GitLab', 'vendor.gitlab-ci'],
  ])('the snippet of %s conforms to %s', { timeout: 60_000 }, async (title, schema) => {
    const { code, output } = await conforms(schema, snippetOf(title));
    expect({ code, output }).toEqual({ code: 0, output });
  });
});
